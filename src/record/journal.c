/* journal.c - the part of the trace that is never evicted. */
#include "record/journal.h"

#include <errno.h>
#include <string.h>

#include "os/clock.h"
#include "os/memory.h"

#define FIRST_SEGMENT_BYTES (15u * OPLI_PAGE_BYTES) /* the header and this make 64 KiB */
#define NEXT_SEGMENT_BYTES (64u * OPLI_PAGE_BYTES)

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

static opli_segment *segment_new(opli_tape *tape, size_t size)
{
    int kept_errno = errno;
    uint64_t offset = opli_tape_block(tape, OPLI_BLOCK_JOURNAL, size, 0, false);
    void *map = offset ? opli_tape_map(tape, offset, size, NULL) : NULL;
    opli_segment *segment = map ? opli_pages_new(sizeof *segment) : NULL;
    errno = kept_errno;
    if (!segment) {
        opli_pages_free(map, size);
        return NULL;
    }
    *segment = (opli_segment){.block = map, .size = size};
    return segment;
}

static void segment_free(opli_segment *segment, bool inside)
{
    if (inside) {
        opli_range_retire(segment->block, segment->size);
        return; /* the segment itself may still be looked at */
    }
    opli_pages_free(segment->block, segment->size);
    opli_pages_free(segment, sizeof *segment);
}

bool opli_journal_open(opli_journal *journal, opli_tape *tape)
{
    opli_segment *first = segment_new(tape, FIRST_SEGMENT_BYTES);
    journal->tape = tape;
    atomic_store(&journal->newest, first);
    return first != NULL;
}

/* Space for `size` bytes, in a new segment if need be. Two threads may both make one: the loser's
 * stays empty in the file. */
static void *reserve(opli_journal *journal, size_t size)
{
    for (;;) {
        opli_segment *segment = atomic_load(&journal->newest);
        if (!segment)
            return NULL;
        size_t capacity = segment->size - sizeof(opli_wire_block);
        uint64_t used = __atomic_load_n(&segment->block->used, __ATOMIC_RELAXED);
        if (used + size <= capacity)
            used = __atomic_fetch_add(&segment->block->used, size, __ATOMIC_RELAXED);
        if (used + size <= capacity)
            return (uint8_t *)(segment->block + 1) + used;
        if (size > NEXT_SEGMENT_BYTES - sizeof(opli_wire_block))
            return NULL;
        opli_segment *next = segment_new(journal->tape, NEXT_SEGMENT_BYTES);
        if (!next)
            return NULL;
        next->older = segment;
        if (!atomic_compare_exchange_strong(&journal->newest, &segment, next))
            segment_free(next, false);
    }
}

void *opli_journal_add(opli_journal *journal, uint16_t kind, const void *body, size_t size, size_t fixed,
                       const opli_piece *pieces, size_t piece_count)
{
    size_t total = sizeof(opli_entry) + size;
    for (size_t i = 0; i < piece_count; i++)
        total += pieces[i].size;
    total = padded(total);
    opli_entry *entry = reserve(journal, total);
    if (!entry)
        return NULL;

    uint8_t *next = (uint8_t *)(entry + 1);
    memcpy(next, body, size);
    next += size;
    for (size_t i = 0; i < piece_count; i++) {
        memcpy(next, pieces[i].text, pieces[i].size);
        next += pieces[i].size;
    }
    size_t covered = piece_count ? total - sizeof *entry : fixed;
    uint64_t first = opli_entry_first(kind, (uint32_t)total);
    entry->fixed = (uint32_t)covered;
    entry->sum = opli_entry_sum(first, entry->fixed, entry + 1);
    __atomic_store_n((uint64_t *)(void *)entry, first, __ATOMIC_RELEASE);
    return entry + 1;
}

void opli_journal_add_clock(opli_journal *journal)
{
    opli_clock_sample now = opli_clock_sample_take();
    opli_entry_clock clock = {now.tick, now.monotonic_ns, now.real_ns, now.doubt_ns};
    opli_journal_add(journal, OPLI_ENTRY_CLOCK, &clock, sizeof clock, sizeof clock, NULL, 0);
}

void opli_journal_add_control(opli_journal *journal, uint64_t what, uint64_t value)
{
    opli_entry_control control = {opli_clock_now(), what, value};
    opli_journal_add(journal, OPLI_ENTRY_CONTROL, &control, sizeof control, sizeof control, NULL, 0);
}

bool opli_journal_is_short(opli_journal *journal)
{
    opli_segment *newest = atomic_load(&journal->newest);
    return newest && !newest->older;
}

/* Nobody writes any more, so the sum of a thread's entry may cover all of it. The two fields change
 * as one word: an entry is right before and after. */
static void seal_thread(opli_entry *entry)
{
    uint32_t fixed = (uint32_t)(entry->size - sizeof *entry);
    uint64_t sum = opli_entry_sum(opli_entry_first(entry->kind, entry->size), fixed, entry + 1);
    __atomic_store_n((uint64_t *)(void *)&entry->fixed, sum << 32 | fixed, __ATOMIC_RELEASE);
}

void opli_journal_seal(opli_journal *journal)
{
    for (opli_segment *segment = atomic_load(&journal->newest); segment; segment = segment->older) {
        uint8_t *entries = (uint8_t *)(segment->block + 1);
        size_t capacity = segment->size - sizeof *segment->block;
        size_t used = segment->block->used < capacity ? segment->block->used : capacity;
        for (size_t at = 0; at + sizeof(opli_entry) <= used;) {
            opli_entry *entry = (opli_entry *)(void *)(entries + at);
            bool whole = entry->magic == OPLI_ENTRY_MAGIC && entry->size >= sizeof *entry;
            if (whole && entry->kind == OPLI_ENTRY_THREAD)
                seal_thread(entry);
            at += whole ? entry->size : 8; /* zeros: reserved, and there was no time to write it */
        }
    }
}

void opli_journal_let_go(opli_journal *journal, bool inside)
{
    opli_segment *segment = atomic_exchange(&journal->newest, NULL);
    while (segment) {
        opli_segment *older = segment->older;
        segment_free(segment, inside);
        segment = older;
    }
}
