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

void opl_arg_careful(const opl_span *span, opl_site *key, uint32_t tag, uint64_t value, uint64_t misplaced)
{
    int kept_errno = errno;
    opli_attached a;
    if (misplaced)
        opli_put_nothing((uint64_t *)(uintptr_t)misplaced, 1, opl_chunk_of(misplaced));
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

static uint64_t *cache_place(opli_stream *stream, const bytes_ref *ref)
{
    return &stream->texts[ref->hash % OPLI_TEXT_CACHE];
}

static uint64_t cache_word(const bytes_ref *ref, uint64_t chunk, uint64_t index)
{
    return ref->hash >> 24 << 24 | (chunk & OPLI_LAP_MASK) << 12 | index;
}

/* The record of the same bytes in the chunk being filled, or -1. The cache is only a hint: what it
 * points to is compared. */
static int64_t find_bytes(opli_stream *stream, const bytes_ref *ref)
{
    uint64_t word = *cache_place(stream, ref), chunk = opl_load_(&stream->home->chunk);
    uint64_t index = word & 0xfff;
    if (word != cache_word(ref, chunk, index) || stream->open_slot >= OPLI_STREAM_SLOTS)
        return -1;
    const uint64_t *record = (const uint64_t *)(opli_slot_get(stream, stream->open_slot) + 1) + 2 * index;
    bool same = opl_load_(&record[1]) == opli_record_word(OPLI_TAG_BYTES, 0, 0, chunk) &&
                opl_load_(&record[0]) == ((uint64_t)ref->flags << 32 | ref->size) &&
                memcmp(record + 2, ref->bytes, ref->size) == 0;
    return same ? (int64_t)index : -1;
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
    *cache_place(stream, ref) = cache_word(ref, a->chunk, index);
}

/* The argument points to bytes that are in the chunk already, or brings them along. */
static void put_bytes(const opl_span *span, uint32_t key, uint32_t tag, const bytes_ref *ref)
{
    opli_attached a;
    opli_stream *stream = opli_stream_mine();
    if (!stream)
        return;
    uint64_t chunk = opl_load_(&stream->home->chunk);
    int64_t found = find_bytes(stream, ref);
    if (found >= 0) {
        if (!opli_attached_take(span, 0, 1, &a))
            return;
        if (a.chunk == chunk) {
            opl_store_(&a.record[0], (uint64_t)found);
            opli_attached_commit(&a, span, tag, key);
            return;
        }
        opli_attached_discard(&a); /* the chunk turned, and the bytes are not in the new one */
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
