/* chunk_reader.c - a chunk's records, as the recorder wrote them. */
#include "import/chunk_reader.h"

#include <string.h>

/* ---- unpacking ---- */

typedef struct unpacker {
    const uint64_t *in, *end;
    opli_chunk_records *out;
    uint64_t chunk;
    uint64_t previous;  /* start of the span before */
    uint64_t last_site; /* and its site */
} unpacker;

/* Space for `units` records, and `words` more of input; NULL when either is lacking. */
static uint64_t *take(unpacker *u, uint64_t units, uint64_t words)
{
    if (units > OPLI_SLOT_RECORDS - u->out->count || words > (uint64_t)(u->end - u->in))
        return NULL;
    uint64_t *record = u->out->words + 2ull * u->out->count;
    u->out->count += (uint32_t)units;
    return record;
}

static bool put_span(unpacker *u, uint64_t *record, uint64_t site, uint64_t start, uint64_t ticks_and_one)
{
    if (!record)
        return false;
    record[0] = u->previous = start;
    u->last_site = site;
    record[1] = site | ticks_and_one << OPLI_SITE_BITS;
    return true;
}

static bool unpack_argument(unpacker *u, uint32_t tag, uint64_t rest, uint64_t value)
{
    uint64_t *record = take(u, 1, 0);
    if (!record)
        return false;
    record[0] = value;
    record[1] = opli_record_word(tag, (uint32_t)(rest >> 40), (uint32_t)(rest >> 32) & 0xff, u->chunk);
    return true;
}

static bool unpack_tagged(unpacker *u, uint64_t rest)
{
    uint32_t tag = OPL_SITE_LIMIT + (uint32_t)(rest >> 32 & 0xff), key = (uint32_t)(rest >> 12) & OPLI_SITE_MASK;
    if (u->in == u->end)
        return false;
    uint64_t value = *u->in;
    uint32_t units = opli_record_units(tag, value);
    uint64_t words = 2ull * units - 1;
    uint64_t *record = units ? take(u, units, words) : NULL;
    if (!record)
        return false;
    record[0] = value;
    record[1] = opli_record_word(tag, key, (uint32_t)rest & OPLI_BACK_MASK, u->chunk);
    memcpy(record + 2, u->in + 1, (words - 1) * sizeof *record);
    u->in += words;
    return true;
}

static bool unpack_holes(unpacker *u, uint64_t rest)
{
    uint64_t count = rest & 0xffffffff;
    uint64_t *record = take(u, count, 0);
    if (!record)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        record[2 * i] = 0;
        record[2 * i + 1] = opli_record_word(OPLI_TAG_HOLE, 1, 0, u->chunk);
    }
    return true;
}

static bool unpack_pair(unpacker *u, uint64_t rest)
{
    const uint64_t mask = (1u << OPLI_PACK_PAIR_BITS) - 1;
    for (int shift = 26; shift >= 0; shift -= 26) {
        uint64_t since = rest >> shift & mask, ticks = rest >> (shift + OPLI_PACK_PAIR_BITS) & mask;
        if (!put_span(u, take(u, 1, 0), u->last_site, u->previous + since, ticks + 1))
            return false;
    }
    return true;
}

static bool unpack_unusual(unpacker *u, uint32_t code, uint64_t rest)
{
    uint64_t *record;
    switch (code) {
    case OPLI_PACK_WIDE:
        record = take(u, 1, 1);
        return record && put_span(u, record, rest >> 32 & OPLI_SITE_MASK, *u->in++, (rest & 0xffffffff) + 1);
    case OPLI_PACK_WIDER:
        record = take(u, 1, 2);
        u->in += record ? 2 : 0;
        return record && put_span(u, record, rest & OPLI_SITE_MASK, u->in[-2], u->in[-1] + 1);
    case OPLI_PACK_OPEN:
        record = take(u, 1, 1);
        return record && put_span(u, record, rest & OPLI_SITE_MASK, *u->in++, 0);
    case OPLI_PACK_INT: return unpack_argument(u, OPLI_TAG_ARG_INT, rest, (uint64_t)(int64_t)(int32_t)rest);
    case OPLI_PACK_TEXT: return unpack_argument(u, OPLI_TAG_ARG_TEXT, rest, rest & 0xffffffff);
    case OPLI_PACK_TAGGED: return unpack_tagged(u, rest);
    case OPLI_PACK_PAIR: return unpack_pair(u, rest);
    case OPLI_PACK_HOLES: return unpack_holes(u, rest);
    default: return false;
    }
}

static bool unpack(unpacker *u)
{
    const uint64_t tick_mask = (UINT64_C(1) << OPLI_PACK_TICK_BITS) - 1;
    while (u->in < u->end) {
        uint64_t word = *u->in++;
        uint32_t code = (uint32_t)(word >> 52);
        if (code >= OPLI_PACK_SITES) {
            if (!unpack_unusual(u, code, word & ((UINT64_C(1) << 52) - 1)))
                return false;
            continue;
        }
        uint64_t ticks = (word >> OPLI_PACK_TICK_BITS) & tick_mask;
        if (!put_span(u, take(u, 1, 0), code, u->previous + (word & tick_mask), ticks + 1))
            return false;
    }
    return true;
}

bool opli_chunk_read(const opli_chunk_row *row, opli_chunk_records *records)
{
    records->count = 0;
    if (row->slot || row->packed->encoding == OPLI_ENCODING_RAW) {
        const uint64_t *from = row->slot ? (const uint64_t *)(row->slot + 1) : (const uint64_t *)(row->packed + 1);
        uint32_t bytes = row->slot ? row->used : row->packed->size;
        if (bytes > sizeof records->words)
            bytes = sizeof records->words;
        records->count = bytes / OPL_RECORD_BYTES;
        opli_records_copy(records->words, from, records->count);
        return true;
    }
    const uint64_t *in = (const uint64_t *)(row->packed + 1);
    unpacker u = {in, in + row->packed->size / sizeof *in, records, row->id, row->base_tick, 0};
    return row->packed->encoding == OPLI_ENCODING_PACKED && unpack(&u);
}

/* ---- stepping ---- */

bool opli_record_next(const opli_chunk_row *row, const opli_chunk_records *records, uint32_t *at, opli_record *record)
{
    while (*at < records->count) {
        const uint64_t *words = records->words + 2ull * *at;
        uint32_t tag = opli_record_tag(words[1]), left = records->count - *at;
        if (tag < OPL_SITE_LIMIT) {
            *record = (opli_record){*at, 1, tag, words};
            ++*at;
            if (tag && words[0] >= row->base_tick)
                return true;
            continue; /* older than the chunk: reserved, not written */
        }
        uint32_t units = opli_record_units(tag, words[0]);
        bool written =
            opli_record_lap(words[1]) == (row->id & OPLI_LAP_MASK) && tag != OPLI_TAG_HOLE && units && units <= left;
        if (written && tag == OPLI_TAG_PAD)
            return false;
        uint32_t step = written ? units : opli_record_hole(words[1], row->id);
        *record = (opli_record){*at, units, tag, words};
        *at += step < left ? step : left;
        if (written)
            return true;
    }
    return false;
}
