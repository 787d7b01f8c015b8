/* argument.c - the arguments of spans. Text and other bytes stand in a chunk once, as a BYTES
 * record; a small per-thread cache finds them again. */
#include <errno.h>
#include <string.h>

#include <oplens/annotate.h>

#include "record/attached.h"
#include "record/put.h"
#include "record/site_table.h"
#include "record/slot.h"
#include "record/span.h"
#include "record/stream.h"

void opl_arg_careful(const opl_span *span, opl_site *key, uint32_t tag, uint64_t value, uint64_t reserved)
{
    int kept_errno = errno;
    opli_attached a;
    opli_stream_abandon(reserved, 1);
    if (opli_span_is_current(span)) {
        uint32_t id = opli_site_id(key);
        if (opli_attached_take(span, 0, 1, &a)) {
            opl_store_(&a.record[0], value);
            opli_attached_commit(&a, span, tag, id);
        }
    }
    errno = kept_errno;
}

/* ---- bytes ---- */

static uint64_t hash_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size * 0x9e3779b97f4a7c15u;
    for (; size; bytes += 8, size -= size < 8 ? size : 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, size < 8 ? size : 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

typedef struct bytes_ref {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t flags;
    uint64_t hash;
} bytes_ref;

/* The cache is only a hint of where the same bytes may be: what it points to is compared. An entry is
 * one word, so that a signal handler may change it at any moment. */
static uint64_t cache_word(const bytes_ref *ref, uint64_t chunk, uint64_t index)
{
    return ref->hash >> 24 << 24 | (chunk & OPLI_LAP_MASK) << 12 | index;
}

static bool is_there(const opli_wire_slot *slot, uint64_t chunk, uint64_t index, const bytes_ref *ref)
{
    const uint64_t *record = (const uint64_t *)(slot + 1) + 2 * index;
    return opl_load_(&record[1]) == opli_record_word(OPLI_TAG_BYTES, 0, 0, chunk) &&
           opl_load_(&record[0]) == ((uint64_t)ref->flags << 32 | ref->size) &&
           (!ref->size || memcmp(record + 2, ref->bytes, ref->size) == 0);
}

/* The record of the same bytes in the span's chunk, which is being filled, or -1. There are two places
 * for it. The slot is the span's: the stream's own word for it may change when recording stops. */
static int64_t find_bytes(const opli_stream *stream, const opl_span *span, const bytes_ref *ref)
{
    uint64_t address = (uint64_t)(uintptr_t)span->record & ~(uint64_t)(OPL_SLOT_BYTES - 1);
    const opli_wire_slot *slot = (const opli_wire_slot *)(uintptr_t)address;
    for (uint32_t way = 0; way < 2; way++) {
        uint64_t word = stream->texts[(ref->hash ^ way) % OPLI_TEXT_CACHE], index = word & 0xfff;
        if (word == cache_word(ref, span->chunk, index) && is_there(slot, span->chunk, index, ref))
            return (int64_t)index;
    }
    return -1;
}

static void remember_bytes(opli_stream *stream, uint64_t chunk, uint64_t index, const bytes_ref *ref)
{
    uint64_t *first = &stream->texts[ref->hash % OPLI_TEXT_CACHE];
    uint64_t *second = &stream->texts[(ref->hash ^ 1) % OPLI_TEXT_CACHE];
    bool taken = (*first >> 12 & OPLI_LAP_MASK) == (chunk & OPLI_LAP_MASK);
    *(taken ? second : first) = cache_word(ref, chunk, index);
}

static uint32_t bytes_units(uint32_t size) { return 1 + (size + OPL_RECORD_BYTES - 1) / OPL_RECORD_BYTES; }

static void put_lead_bytes(opli_stream *stream, const opli_attached *a, const bytes_ref *ref)
{
    uint64_t in_slot = (uint64_t)(uintptr_t)a->lead & (OPL_SLOT_BYTES - 1);
    uint64_t index = (in_slot - sizeof(opli_wire_slot)) / OPL_RECORD_BYTES;
    opl_store_(&a->lead[0], (uint64_t)ref->flags << 32 | ref->size);
    opli_put_bytes(a->lead + 2, ref->bytes, ref->size);
    opl_store_(&a->lead[1], opli_record_word(OPLI_TAG_BYTES, 0, 0, a->chunk));
    opl_store_(&a->record[0], index);
    remember_bytes(stream, a->chunk, index, ref);
}

/* The usual case: the span is in the chunk being filled, and so are the bytes. */
static bool put_near_reference(opli_stream *stream, const opl_span *span, uint32_t key, uint32_t tag, uint64_t index)
{
    uint64_t address = opl_stream_reserve(stream->home, OPL_RECORD_BYTES);
    if (!opl_in_chunk_(address, opl_load_(&stream->home->limit)) || opl_chunk_of(address) != span->chunk) {
        opli_stream_abandon(address, 1);
        return false;
    }
    uint64_t *record = (uint64_t *)(uintptr_t)address;
    uint64_t back = (uint64_t)(record - span->record) / 2;
    opli_put_hole(record, 1, span->chunk);
    opl_store_(&record[0], index);
    opl_store_(&record[1], opli_record_word(tag, key, (uint32_t)back, span->chunk));
    return true;
}

/* The argument points to bytes that are in the chunk already, or brings them along. */
static void put_bytes(const opl_span *span, uint32_t key, uint32_t tag, const bytes_ref *ref)
{
    opli_attached a;
    opli_stream *stream = opli_stream_mine();
    if (!stream)
        return;
    if (opl_load_(&stream->home->chunk) == span->chunk) {
        int64_t found = find_bytes(stream, span, ref);
        if (found >= 0 && put_near_reference(stream, span, key, tag, (uint64_t)found))
            return;
    }
    if (opli_attached_take(span, bytes_units(ref->size), 1, &a)) {
        put_lead_bytes(stream, &a, ref);
        opli_attached_commit(&a, span, tag, key);
    }
}

static void arg_bytes(const opl_span *span, opl_site *key, uint32_t tag, const void *bytes, size_t size, bool cut)
{
    int kept_errno = errno;
    if (opli_span_is_current(span)) {
        bytes_ref ref = {bytes, (uint32_t)size, cut ? OPLI_BYTES_CUT : 0, hash_bytes(bytes, size)};
        put_bytes(span, opli_site_id(key), tag, &ref);
    }
    errno = kept_errno;
}

/* ---- the public calls ---- */

void opl_arg_text_n(const opl_span *span, opl_site *key, const char *text, size_t length)
{
    if (!span->record || !text)
        return;
    bool cut = length > OPLI_BYTES_MAX;
    arg_bytes(span, key, OPLI_TAG_ARG_TEXT, text, cut ? OPLI_BYTES_MAX : length, cut);
}

void opl_arg_text(const opl_span *span, opl_site *key, const char *text)
{
    if (span->record && text)
        opl_arg_text_n(span, key, text, strnlen(text, OPLI_BYTES_MAX + 1));
}

void opl_arg_ints(const opl_span *span, opl_site *key, const int64_t *values, size_t count)
{
    if (!span->record || (count && !values))
        return;
    bool cut = count > OPLI_BYTES_MAX / sizeof *values;
    size_t kept = cut ? OPLI_BYTES_MAX / sizeof *values : count;
    arg_bytes(span, key, OPLI_TAG_ARG_INTS, values, kept * sizeof *values, cut);
}

/* Appends one tensor; false when it does not fit any more. */
static bool add_tensor(uint8_t *bytes, size_t capacity, size_t *used, const opl_tensor *tensor)
{
    opli_wire_tensor wire = {.dtype = (uint8_t)tensor->dtype,
                             .rank = (uint8_t)(tensor->rank < 255 ? tensor->rank : 255)};
    wire.name_bytes = tensor->name ? (uint16_t)strnlen(tensor->name, 1024) : 0;
    size_t dims_bytes = tensor->dims ? wire.rank * sizeof *tensor->dims : 0;
    size_t padded = ((size_t)wire.name_bytes + 7) / 8 * 8;
    if (!tensor->dims)
        wire.rank = 0;
    if (*used + sizeof wire + dims_bytes + padded > capacity)
        return false;
    uint8_t *to = bytes + *used;
    memcpy(to, &wire, sizeof wire);
    if (dims_bytes)
        memcpy(to + sizeof wire, tensor->dims, dims_bytes);
    memset(to + sizeof wire + dims_bytes, 0, padded);
    if (wire.name_bytes)
        memcpy(to + sizeof wire + dims_bytes, tensor->name, wire.name_bytes);
    *used += sizeof wire + dims_bytes + padded;
    return true;
}

void opl_arg_tensors(const opl_span *span, opl_site *key, const opl_tensor *tensors, size_t count)
{
    uint8_t bytes[2048]; /* on the stack, which may be a signal handler's */
    size_t used = 0, done = 0;
    if (!span->record || (count && !tensors))
        return;
    while (done < count && add_tensor(bytes, sizeof bytes, &used, &tensors[done]))
        done++;
    arg_bytes(span, key, OPLI_TAG_ARG_TENSORS, bytes, used, done < count);
}
