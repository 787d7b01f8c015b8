/* pack.c - turn a full slot of 16-byte records into a chunk of the file.
 *
 * Most records are short spans that began soon after the one before, and those become one word
 * each, or half a one (bench/span_cost). A chunk of anything else is at worst as large as it was. */
#include "record/pack.h"

#include <string.h>

#include "wire/file.h"
#include "wire/record_tags.h"

#define AHEAD_WORDS 128

typedef struct packer {
    const uint64_t *in; /* records, two words each */
    uint64_t *out;      /* next word */
    uint64_t *first;
    uint64_t chunk;
    uint64_t base_tick;
    uint64_t previous;  /* start of the span before */
    uint64_t last_site; /* and its site, 0 when it has no pair form */
    uint32_t count;     /* records */
    uint32_t at;        /* next record */
    uint32_t events;
    uint32_t patches;
    uint64_t *holes; /* the word of a run of holes, while it is the last one written */
    bool counting;   /* what is written is not kept, and may take what space it likes */
} packer;

enum outcome { PACKED, HOLE, ENDED, TOO_LARGE };

/* Recording may stop while a thread writes a record, so the order of reading counts: opli_records_copy(). */
static uint64_t word_at(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

static uint64_t head(uint32_t code, uint64_t rest) { return (uint64_t)code << 52 | rest; }

/* Whether `words` more fit, with one kept for each record that follows. */
static bool fits(const packer *p, uint32_t words, uint32_t units)
{
    uint64_t written = (uint64_t)(p->out - p->first);
    return p->counting || written + words + (p->count - p->at - units) <= 2ull * p->count;
}

static enum outcome pack_unusual_span(packer *p, uint64_t start, uint64_t word)
{
    uint64_t site = word & OPLI_SITE_MASK, ticks = (word >> OPLI_SITE_BITS) - 1;
    if (start < p->base_tick)
        return HOLE;
    if (!fits(p, 3, 1))
        return TOO_LARGE;
    if (word >> OPLI_SITE_BITS == 0) {
        *p->out++ = head(OPLI_PACK_OPEN, site);
        *p->out++ = start;
    } else if (ticks >> 32 == 0) {
        *p->out++ = head(OPLI_PACK_WIDE, site << 32 | ticks);
        *p->out++ = start;
    } else {
        *p->out++ = head(OPLI_PACK_WIDER, site);
        *p->out++ = start;
        *p->out++ = ticks;
    }
    p->previous = start;
    p->last_site = site;
    p->events++;
    p->at++;
    return PACKED;
}

static bool is_event(uint32_t tag)
{
    return tag == OPLI_TAG_INSTANT || tag == OPLI_TAG_TIMED || tag == OPLI_TAG_COUNTER || tag == OPLI_TAG_MEMORY ||
           tag == OPLI_TAG_FLOW;
}

static enum outcome pack_tagged(packer *p, uint64_t word)
{
    uint64_t value = word_at(&p->in[2 * p->at]);
    uint32_t tag = opli_record_tag(word), key = opli_record_key(word), back = opli_record_back(word);
    uint32_t units = opli_record_units(tag, value);
    if (opli_record_lap(word) != (p->chunk & OPLI_LAP_MASK) || tag == OPLI_TAG_HOLE || units == 0 ||
        units > p->count - p->at)
        return HOLE;
    if (tag == OPLI_TAG_PAD)
        return ENDED;
    uint32_t words = 2 * units;
    if (!fits(p, words, units))
        return TOO_LARGE;
    *p->out++ = head(OPLI_PACK_TAGGED, (uint64_t)(tag - OPL_SITE_LIMIT) << 32 | (uint64_t)key << 12 | (uint64_t)back);
    *p->out++ = value;
    for (uint32_t i = 2; i < words; i++)
        *p->out++ = word_at(&p->in[2 * p->at + i]);
    p->events += is_event(tag);
    p->patches += tag == OPLI_TAG_LATE_END || tag == OPLI_TAG_FAR;
    p->at += units;
    return PACKED;
}

static void pack_hole(packer *p, uint64_t word)
{
    uint32_t units = opli_record_hole(word, p->chunk);
    if (units > p->count - p->at)
        units = p->count - p->at;
    if (!p->holes) {
        p->holes = p->out;
        *p->out++ = head(OPLI_PACK_HOLES, 0);
    }
    *p->holes += units;
    p->at += units;
}

static enum outcome pack_unusual(packer *p, bool last)
{
    uint64_t start = word_at(&p->in[2 * p->at]), word = word_at(&p->in[2 * p->at + 1]);
    enum outcome outcome =
        (word & OPLI_SITE_MASK) < OPL_SITE_LIMIT ? pack_unusual_span(p, start, word) : pack_tagged(p, word);
    if (outcome == HOLE && last) {
        pack_hole(p, word);
        return PACKED;
    }
    p->holes = NULL;
    return outcome;
}

/* The bits of a small argument's word 1 that do not vary; the key's and the distance's low bits do. */
#define SMALL_ARGUMENT_BITS (OPLI_SITE_MASK | UINT64_C(0xff) << 32 | UINT64_C(0xf) << 48 | UINT64_C(0xfff) << 52)

static uint64_t small_argument(uint32_t code, uint64_t value, uint64_t word)
{
    return head(code, (word >> 20 & 0xfff) << 40 | (word >> 40 & 0xff) << 32 | (uint32_t)value);
}

/* Packs the usual records that come next, and stops at the first other one: short spans, two of
 * them in a word when they are very short and of the site of the one before, and small arguments.
 * All lives in locals: a store to the output may not make the compiler read the packer again. */
static void pack_usual(packer *p)
{
    const uint64_t *in = p->in + 2ull * p->at, *end = p->in + 2ull * p->count;
    const uint64_t integer = opli_record_word(OPLI_TAG_ARG_INT, 0, 0, p->chunk);
    const uint64_t text = opli_record_word(OPLI_TAG_ARG_TEXT, 0, 0, p->chunk);
    uint64_t *out = p->out, previous = p->previous, last_site = p->last_site;
    uint32_t arguments = 0;
    for (; in < end; in += 2) {
        __builtin_prefetch(in + AHEAD_WORDS); /* the lines are in the cache of another core */
        uint64_t start = word_at(in), word = word_at(in + 1), site = word & OPLI_SITE_MASK;
        uint64_t since = start - previous, ticks = (word >> OPLI_SITE_BITS) - 1;
        if (__builtin_expect((since | ticks) >> OPLI_PACK_TICK_BITS == 0 && site < OPLI_PACK_SITES, 1)) {
            previous = start;
            if (site == last_site && end - in >= 4) {
                uint64_t next_start = word_at(in + 2), next_word = word_at(in + 3), next_since = next_start - start;
                uint64_t next_ticks = (next_word >> OPLI_SITE_BITS) - 1;
                if ((since | ticks | next_since | next_ticks) >> OPLI_PACK_PAIR_BITS == 0 &&
                    (next_word & OPLI_SITE_MASK) == site) {
                    *out++ = head(OPLI_PACK_PAIR, ticks << 39 | since << 26 | next_ticks << 13 | next_since);
                    previous = next_start;
                    in += 2;
                    continue;
                }
            }
            *out++ = site << 52 | ticks << OPLI_PACK_TICK_BITS | since;
            last_site = site;
            continue;
        }
        uint64_t kind = word & SMALL_ARGUMENT_BITS, value = word_at(in);
        if (kind == integer && (int64_t)value == (int32_t)value)
            *out++ = small_argument(OPLI_PACK_INT, value, word);
        else if (kind == text && value >> 32 == 0)
            *out++ = small_argument(OPLI_PACK_TEXT, value, word);
        else
            break;
        arguments++;
    }
    uint32_t count = (uint32_t)(in - p->in) / 2 - p->at;
    if (count)
        p->holes = NULL;
    p->at += count;
    p->events += count - arguments;
    p->out = out;
    p->previous = previous;
    p->last_site = last_site;
}

/* Packs until the end; stops early for a hole, a pad, or when packing would make it larger. */
static enum outcome pack_all(packer *p, bool last)
{
    for (;;) {
        pack_usual(p);
        if (p->at == p->count)
            return ENDED;
        enum outcome outcome = pack_unusual(p, last);
        if (outcome != PACKED)
            return outcome;
    }
}

/* Goes through the rest for its holes and its events only. */
static enum outcome count_rest(packer *p, bool last)
{
    enum outcome outcome = PACKED;
    p->counting = true;
    while (outcome == PACKED && p->at < p->count) {
        p->out = p->first; /* written over by the raw records afterwards */
        p->holes = NULL;
        outcome = pack_unusual(p, last);
    }
    return outcome;
}

static size_t finish(const opli_wire_slot *slot, const packer *p, enum opli_encoding encoding, size_t size,
                     opli_wire_chunk *out)
{
    size_t total = (sizeof *out + size + OPLI_CHUNK_ALIGN - 1) / OPLI_CHUNK_ALIGN * OPLI_CHUNK_ALIGN;
    memset((uint8_t *)(out + 1) + size, 0, total - sizeof *out - size);
    *out = (opli_wire_chunk){.magic = OPLI_CHUNK_MAGIC,
                             .encoding = encoding,
                             .chunk = p->chunk,
                             .base_tick = p->base_tick,
                             .thread = slot->thread,
                             .records = encoding == OPLI_ENCODING_RAW ? p->count : p->at,
                             .size = (uint32_t)size,
                             .events = p->events,
                             .patches = p->patches,
                             .payload_sum = opli_wire_sum(out + 1, size)};
    out->header_sum = opli_wire_sum(out, offsetof(opli_wire_chunk, header_sum));
    return total;
}

size_t opli_chunk_pack(const opli_wire_slot *slot, uint32_t used, bool last, opli_wire_chunk *out)
{
    uint64_t *words = (uint64_t *)(out + 1);
    packer p = {.in = (const uint64_t *)(slot + 1),
                .out = words,
                .first = words,
                .chunk = slot->chunk,
                .base_tick = slot->base_tick,
                .previous = slot->base_tick,
                .count = used / OPL_RECORD_BYTES};
    switch (pack_all(&p, last)) {
    case HOLE: return 0;
    case TOO_LARGE:
        if (count_rest(&p, last) == HOLE)
            return 0;
        opli_records_copy(words, p.in, p.count);
        return finish(slot, &p, OPLI_ENCODING_RAW, (size_t)p.count * OPL_RECORD_BYTES, out);
    default: return finish(slot, &p, OPLI_ENCODING_PACKED, (size_t)((uint8_t *)p.out - (uint8_t *)words), out);
    }
}
