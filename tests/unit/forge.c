/* forge.c - recordings made by hand, in memory. */
#include "forge.h"

#include <stdlib.h>
#include <string.h>

#include "record/pack.h"

#define HZ 1000000000u

static uint32_t sum_of(const opli_entry *entry)
{
    return opli_entry_sum(opli_entry_first(entry->kind, entry->size), entry->fixed, entry + 1);
}

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

/* ---- the bytes ---- */

void forge_zeros(forge *f, size_t size)
{
    if (f->size + size > f->capacity) {
        size_t larger = round_up(2 * f->capacity + size, OPL_SLOT_BYTES);
        uint8_t *moved = aligned_alloc(64, larger);
        if (!moved)
            abort();
        if (f->size)
            memcpy(moved, f->bytes, f->size);
        free(f->bytes);
        f->bytes = moved;
        f->capacity = larger;
    }
    if (size)
        memset(f->bytes + f->size, 0, size);
    f->size += size;
}

void forge_raw(forge *f, const void *bytes, size_t size)
{
    forge_zeros(f, size);
    memcpy(f->bytes + f->size - size, bytes, size);
}

static void align(forge *f, size_t step) { forge_zeros(f, round_up(f->size, step) - f->size); }

void forge_free(forge *f)
{
    free(f->bytes);
    *f = (forge){NULL, 0, 0, 0};
}

/* ---- the header ---- */

opli_wire_header *forge_header_get(forge *f) { return (opli_wire_header *)(void *)f->bytes; }

void forge_header(forge *f, uint32_t state)
{
    opli_wire_header header = {.version = OPLI_FILE_VERSION,
                               .fixed_bytes = offsetof(opli_wire_header, tail),
                               .file_id = {1, 2},
                               .start_real_ns = INT64_C(1700000000) * HZ,
                               .clock = OPLI_CLOCK_TSC,
                               .pid = 42,
                               .ppid = 41,
                               .ticks_per_second = HZ,
                               .host = "anvil",
                               .recorder = "forge",
                               .program = "/bin/forged",
                               .command = "forged --by hand",
                               .state = state,
                               .sessions = 1};
    memcpy(header.magic, OPLI_FILE_MAGIC, sizeof header.magic);
    forge_raw(f, &header, sizeof header);
    align(f, OPLI_PAGE_BYTES);
}

static void seal_header(opli_wire_header *header)
{
    header->checksum = 0;
    header->checksum = opli_wire_sum(header, offsetof(opli_wire_header, tail));
}

void forge_seal(forge *f)
{
    align(f, OPLI_CHUNK_ALIGN);
    forge_header_get(f)->tail = f->size;
    seal_header(forge_header_get(f));
}

/* ---- blocks ---- */

static void add_block(forge *f, uint32_t kind, size_t size, uint64_t owner)
{
    align(f, OPLI_PAGE_BYTES);
    opli_wire_block block = {.magic = OPLI_BLOCK_MAGIC, .kind = kind, .size = size, .owner = owner};
    block.sum = opli_wire_sum(&block, offsetof(opli_wire_block, sum));
    size_t offset = f->size;
    forge_zeros(f, size);
    memcpy(f->bytes + offset, &block, sizeof block);
}

void forge_journal(forge *f, size_t pages)
{
    align(f, OPLI_PAGE_BYTES);
    f->journal = f->size;
    add_block(f, OPLI_BLOCK_JOURNAL, pages * OPLI_PAGE_BYTES, 0);
}

/* A block of slots behind a page; where it is. */
static size_t add_slots(forge *f, uint32_t kind, uint64_t owner, const tray *slots, size_t count)
{
    align(f, OPLI_PAGE_BYTES);
    size_t offset = f->size;
    add_block(f, kind, OPLI_PAGE_BYTES + count * OPL_SLOT_BYTES, owner);
    for (size_t i = 0; i < count; i++)
        memcpy(f->bytes + offset + OPLI_PAGE_BYTES + i * OPL_SLOT_BYTES, slots[i].slot, OPL_SLOT_BYTES);
    return offset;
}

void forge_stream(forge *f, const tray *slots, size_t count)
{
    size_t offset = add_slots(f, OPLI_BLOCK_STREAM, 0, slots, count);
    opli_wire_stream *page = (opli_wire_stream *)(void *)(f->bytes + offset);
    page->slots = (uint32_t)count;
    if (!count)
        return;
    uint64_t address = slots[0].slot->address;
    page->thread = slots[0].slot->thread;
    page->hot = (opl_stream_v1){address + sizeof(opli_wire_slot) + slots[0].used, address + OPL_SLOT_BYTES,
                                slots[0].slot->chunk};
}

void forge_more_slots(forge *f, uint64_t stream, const tray *slots, size_t count)
{
    add_slots(f, OPLI_BLOCK_SLOTS, stream, slots, count);
}

void forge_chunk(forge *f, const tray *t)
{
    opli_wire_chunk *chunk = aligned_alloc(64, OPL_SLOT_BYTES);
    if (!chunk)
        abort();
    align(f, OPLI_CHUNK_ALIGN);
    forge_raw(f, chunk, opli_chunk_pack(t->slot, t->used, true, chunk));
    free(chunk);
}

/* ---- entries ---- */

void forge_entry(forge *f, uint16_t kind, const void *body, size_t body_bytes, const char *texts, size_t text_bytes)
{
    opli_wire_block *block = (opli_wire_block *)(void *)(f->bytes + f->journal);
    opli_entry entry = {.magic = OPLI_ENTRY_MAGIC, .kind = kind};
    size_t total = round_up(sizeof entry + body_bytes + text_bytes, 8);
    if (block->used + total > block->size - sizeof *block)
        abort();
    uint8_t *at = (uint8_t *)(block + 1) + block->used;
    entry.size = (uint32_t)total;
    entry.fixed = kind == OPLI_ENTRY_THREAD ? OPLI_ENTRY_THREAD_FIXED : (uint32_t)(total - sizeof entry);
    memcpy(at + sizeof entry, body, body_bytes);
    if (text_bytes)
        memcpy(at + sizeof entry + body_bytes, texts, text_bytes);
    memcpy(at, &entry, sizeof entry);
    entry.sum = sum_of((const opli_entry *)(const void *)at);
    memcpy(at, &entry, sizeof entry);
    block->used += total;
}

void forge_site(forge *f, uint32_t id, uint16_t category, const char *name)
{
    size_t length = strlen(name);
    opli_entry_site site = {.id = id, .line = 1, .category = category, .level = 1, .name_bytes = (uint16_t)length};
    forge_entry(f, OPLI_ENTRY_SITE, &site, sizeof site, name, length);
}

void forge_thread(forge *f, uint32_t ordinal, uint32_t tid, const char *name)
{
    opli_entry_thread thread = {.ordinal = ordinal, .tid = tid};
    strncpy(thread.name, name, sizeof thread.name - 1);
    forge_entry(f, OPLI_ENTRY_THREAD, &thread, sizeof thread, NULL, 0);
}

void forge_device(forge *f, uint32_t id, const char *name, const char *kind, double clock_hz)
{
    char texts[256] = "";
    opli_entry_device device = {.id = id, .clock_hz = clock_hz};
    device.name_bytes = (uint16_t)strlen(name);
    device.kind_bytes = (uint16_t)strlen(kind);
    strncat(texts, name, 100);
    strncat(texts, kind, 100);
    forge_entry(f, OPLI_ENTRY_DEVICE, &device, sizeof device, texts, strlen(texts));
}

void forge_track(forge *f, uint32_t id, uint32_t device, const char *name)
{
    opli_entry_track track = {id, device, 0, (uint32_t)strlen(name)};
    forge_entry(f, OPLI_ENTRY_TRACK, &track, sizeof track, name, strlen(name));
}

void forge_clock(forge *f, uint64_t tick, int64_t monotonic_ns, int64_t real_ns)
{
    opli_entry_clock clock = {tick, monotonic_ns, real_ns, 50};
    forge_entry(f, OPLI_ENTRY_CLOCK, &clock, sizeof clock, NULL, 0);
}

void forge_anchor(forge *f, uint32_t device, int64_t device_ticks, int64_t host_ns)
{
    opli_entry_anchor anchor = {device, device_ticks, host_ns};
    forge_entry(f, OPLI_ENTRY_ANCHOR, &anchor, sizeof anchor, NULL, 0);
}

void forge_metadata(forge *f, const char *key, const char *value)
{
    char texts[512] = "";
    opli_entry_metadata metadata = {(uint32_t)strlen(key), (uint32_t)strlen(value)};
    strncat(texts, key, 200);
    strncat(texts, value, 200);
    forge_entry(f, OPLI_ENTRY_METADATA, &metadata, sizeof metadata, texts, strlen(texts));
}

void forge_control(forge *f, uint64_t tick, uint64_t what, uint64_t value)
{
    opli_entry_control control = {tick, what, value};
    forge_entry(f, OPLI_ENTRY_CONTROL, &control, sizeof control, NULL, 0);
}

/* ---- mending ---- */

static void mend_journal(opli_wire_block *block)
{
    uint8_t *entries = (uint8_t *)(block + 1);
    size_t capacity = block->size - sizeof *block;
    for (size_t at = 0; at + sizeof(opli_entry) <= capacity;) {
        opli_entry *entry = (opli_entry *)(void *)(entries + at);
        size_t room = capacity - at;
        bool whole = entry->magic == OPLI_ENTRY_MAGIC && entry->size >= sizeof *entry && entry->size <= room &&
                     entry->size % 8 == 0 && entry->fixed % 8 == 0 && entry->fixed <= entry->size - sizeof *entry;
        if (whole)
            entry->sum = sum_of(entry);
        at += whole ? entry->size : 8;
    }
}

/* Bytes to go on by; 0 when there is no block or chunk here. */
static size_t mend_block(opli_wire_block *block, size_t room)
{
    if (block->magic != OPLI_BLOCK_MAGIC || block->size < OPLI_PAGE_BYTES || block->size > room)
        return 0;
    block->size -= block->size % OPLI_PAGE_BYTES;
    block->sum = opli_wire_sum(block, offsetof(opli_wire_block, sum));
    if (block->kind == OPLI_BLOCK_JOURNAL)
        mend_journal(block);
    return block->size;
}

static size_t mend_chunk(opli_wire_chunk *chunk, size_t room)
{
    if (chunk->magic != OPLI_CHUNK_MAGIC || chunk->size > room - sizeof *chunk)
        return 0;
    chunk->size -= chunk->size % 8;
    chunk->payload_sum = opli_wire_sum(chunk + 1, chunk->size);
    chunk->header_sum = opli_wire_sum(chunk, offsetof(opli_wire_chunk, header_sum));
    return round_up(sizeof *chunk + chunk->size, OPLI_CHUNK_ALIGN);
}

void forge_mend(uint8_t *bytes, size_t size)
{
    if (size < OPLI_PAGE_BYTES)
        return;
    opli_wire_header *header = (opli_wire_header *)(void *)bytes;
    memcpy(header->magic, OPLI_FILE_MAGIC, sizeof header->magic);
    header->version = OPLI_FILE_VERSION;
    header->fixed_bytes = offsetof(opli_wire_header, tail);
    seal_header(header);
    for (size_t at = OPLI_PAGE_BYTES; at + OPLI_CHUNK_ALIGN <= size;) {
        size_t step = at % OPLI_PAGE_BYTES ? 0 : mend_block((opli_wire_block *)(void *)(bytes + at), size - at);
        if (!step)
            step = mend_chunk((opli_wire_chunk *)(void *)(bytes + at), size - at);
        at += step ? step : OPLI_CHUNK_ALIGN;
    }
}
