/* round_trip.c - pack a slot, read it back, compare. */
#include "round_trip.h"

#include <stdlib.h>
#include <string.h>

#include "import/chunk_reader.h"
#include "record/pack.h"

/* Two readings of one chunk, side by side. */
typedef struct readings {
    opli_chunk_row slot_row, packed_row;
    opli_chunk_records slot, packed;
} readings;

static bool is_reserved_only(const opli_chunk_row *row, const uint64_t *words, uint32_t left)
{
    uint32_t tag = opli_record_tag(words[1]), units = opli_record_units(tag, words[0]);
    if (tag < OPL_SITE_LIMIT)
        return words[0] < row->base_tick;
    return tag == OPLI_TAG_HOLE || opli_record_lap(words[1]) != (row->id & OPLI_LAP_MASK) || !units || units > left;
}

/* What is in the tray, by the rules of the wire and without the reader's help. */
typedef struct census {
    uint32_t holes, events;
    uint64_t patches;
} census;

static census take_census(const tray *t, const opli_chunk_row *row)
{
    census c = {0, 0, 0};
    for (uint32_t at = 0, count = tray_count(t); at < count;) {
        const uint64_t *words = tray_at(t, at);
        uint32_t tag = opli_record_tag(words[1]);
        bool span = tag < OPL_SITE_LIMIT, hole = is_reserved_only(row, words, count - at);
        if (!hole && tag == OPLI_TAG_PAD)
            break;
        c.holes += hole;
        c.events += !hole && (span || (tag >= OPLI_TAG_INSTANT && tag <= OPLI_TAG_FLOW));
        c.patches += !hole && (tag == OPLI_TAG_LATE_END || tag == OPLI_TAG_FAR);
        at += hole ? opli_record_hole(words[1], row->id) : span ? 1 : opli_record_units(tag, words[0]);
    }
    return c;
}

static bool is_same(const opli_record *a, const opli_record *b)
{
    return a->index == b->index && a->units == b->units && a->tag == b->tag &&
           memcmp(a->words, b->words, (size_t)a->units * OPL_RECORD_BYTES) == 0;
}

static const char *compare(const readings *r)
{
    uint32_t slot_at = 0, packed_at = 0;
    opli_record slot, packed;
    for (;;) {
        bool in_slot = opli_record_next(&r->slot_row, &r->slot, &slot_at, &slot);
        bool in_packed = opli_record_next(&r->packed_row, &r->packed, &packed_at, &packed);
        if (in_slot != in_packed)
            return in_slot ? "the packed chunk has fewer records" : "the packed chunk has more records";
        if (!in_slot)
            return NULL;
        if (!is_same(&slot, &packed))
            return "a record changed on its way";
    }
}

static const char *check_header(const tray *t, const opli_wire_chunk *chunk, size_t size, const census *c)
{
    if (size % OPLI_CHUNK_ALIGN || size < sizeof *chunk + chunk->size || size > OPL_SLOT_BYTES)
        return "its size is wrong";
    if (chunk->size > t->used)
        return "packing made it larger";
    if (chunk->header_sum != opli_wire_sum(chunk, offsetof(opli_wire_chunk, header_sum)) ||
        chunk->payload_sum != opli_wire_sum(chunk + 1, chunk->size))
        return "its sums are wrong";
    if (chunk->chunk != t->slot->chunk || chunk->thread != t->slot->thread || chunk->base_tick != t->slot->base_tick)
        return "its header is not its slot's";
    if (chunk->patches != c->patches)
        return "its patches are miscounted";
    return chunk->events == c->events ? NULL : "its events are miscounted";
}

static const char *check(const tray *t, opli_wire_chunk *chunk, readings *r)
{
    size_t size = opli_chunk_pack(t->slot, t->used, false, chunk);
    census c = take_census(t, &r->slot_row);
    if ((size == 0) != (c.holes > 0))
        return size ? "it did not wait for a hole" : "it waited, and there is no hole";
    if (!size)
        size = opli_chunk_pack(t->slot, t->used, true, chunk);
    if (!size)
        return "it waited at its last chance";
    opli_chunk_read(&r->slot_row, &r->slot);
    r->packed_row.packed = chunk;
    if (!opli_chunk_read(&r->packed_row, &r->packed))
        return "it cannot be unpacked";
    const char *fault = check_header(t, chunk, size, &c);
    return fault ? fault : compare(r);
}

const char *round_trip_fault(const tray *t)
{
    opli_wire_chunk *chunk = aligned_alloc(64, OPL_SLOT_BYTES);
    readings *r = calloc(1, sizeof *r);
    if (!chunk || !r)
        abort();
    opli_chunk_row row = {.id = t->slot->chunk, .base_tick = t->slot->base_tick, .thread = t->slot->thread};
    r->slot_row = r->packed_row = row;
    r->slot_row.slot = t->slot;
    r->slot_row.used = t->used;
    memset(chunk, 0xa5, OPL_SLOT_BYTES);
    const char *fault = check(t, chunk, r);
    free(r);
    free(chunk);
    return fault;
}
