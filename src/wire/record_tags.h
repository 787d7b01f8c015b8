/* record_tags.h - the 16-byte records of a chunk, as the recorder writes them.
 *
 * A record is two words. A span is {start, (ticks + 1) << 20 | site}; no ticks yet means it is open.
 * Anything else has a tag where the site would be:
 *
 *     word 1 = tag:20 | key:20 | back:12 | lap:12
 *
 * `key` is a site (a name or an argument's key), `back` how many records before this one its span
 * stands (0: none), `lap` the low bits of the chunk's id: memory is recycled without being cleared,
 * and a record whose lap (or, for a span, whose start) is older than the chunk was never written. */
#ifndef OPLI_WIRE_RECORD_TAGS_H
#define OPLI_WIRE_RECORD_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include <oplens/annotate.h>

#define OPLI_SITE_BITS 20
#define OPLI_SITE_MASK ((1u << OPLI_SITE_BITS) - 1)
#define OPLI_BACK_MASK 0xfffu
#define OPLI_LAP_MASK 0xfffu

enum opli_tag {
    OPLI_TAG_HOLE = OPL_TAG_HOLE,         /* reserved, not written yet; key: how many records (0: one) */
    OPLI_TAG_PAD = 0xff001,               /* nothing more in this chunk */
    OPLI_TAG_ARG_INT = OPL_TAG_ARG_INT,   /* word 0: the value */
    OPLI_TAG_ARG_UINT = OPL_TAG_ARG_UINT, /* word 0: the value */
    OPLI_TAG_ARG_REAL = OPL_TAG_ARG_REAL, /* word 0: the bits of a double */
    OPLI_TAG_ARG_BOOL = OPL_TAG_ARG_BOOL, /* word 0: 0 or 1 */
    OPLI_TAG_ARG_TEXT = 0xff006,          /* word 0: the BYTES record, by its index in this chunk */
    OPLI_TAG_ARG_INTS = 0xff007,          /* word 0: the same; int64 values */
    OPLI_TAG_ARG_TENSORS = 0xff008,       /* word 0: the same; see opli_wire_tensor */
    OPLI_TAG_BYTES = 0xff009,             /* word 0: length, flags << 32; bytes follow */
    OPLI_TAG_INSTANT = 0xff00a,           /* word 0: tick */
    OPLI_TAG_TIMED = 0xff00b,             /* start; duration, track */
    OPLI_TAG_COUNTER = 0xff00c,           /* tick; value, track | OPLI_COUNTER_REAL << 32 */
    OPLI_TAG_MEMORY = 0xff00d,   /* tick; address, size (< 0: freed), used, allocated, device, freed (0 or 1) */
    OPLI_TAG_FLOW = 0xff00e,     /* flow id; tick, phase */
    OPLI_TAG_LATE_END = 0xff00f, /* chunk; index, end tick: of a span in another chunk */
    OPLI_TAG_FAR = 0xff010,      /* chunk; index: the next record's span is in another chunk */
    OPLI_TAG_END
};

enum { OPLI_FLOW_BEGIN, OPLI_FLOW_STEP, OPLI_FLOW_END };
#define OPLI_COUNTER_REAL 1u
#define OPLI_BYTES_CUT 1u     /* the text was longer */
#define OPLI_BYTES_MAX 16384u /* the longest text, list or tensor list kept */

/* A tensor inside BYTES: this, then `rank` int64 dimensions, then the name, padded to 8 bytes. */
typedef struct opli_wire_tensor {
    uint8_t dtype;
    uint8_t rank;
    uint16_t name_bytes;
    uint32_t reserved;
} opli_wire_tensor;

static inline uint64_t opli_record_word(uint32_t tag, uint32_t key, uint32_t back, uint64_t chunk)
{
    return (uint64_t)tag | (uint64_t)key << 20 | (uint64_t)(back & OPLI_BACK_MASK) << 40 | chunk << 52;
}

static inline uint32_t opli_record_tag(uint64_t word1) { return (uint32_t)(word1 & OPLI_SITE_MASK); }
static inline uint32_t opli_record_key(uint64_t word1) { return (uint32_t)(word1 >> 20) & OPLI_SITE_MASK; }
static inline uint32_t opli_record_back(uint64_t word1) { return (uint32_t)(word1 >> 40) & OPLI_BACK_MASK; }
static inline uint32_t opli_record_lap(uint64_t word1) { return (uint32_t)(word1 >> 52); }

/* How many records a hole takes. */
static inline uint32_t opli_record_hole(uint64_t word1, uint64_t chunk)
{
    uint32_t units = opli_record_key(word1);
    bool known = opli_record_tag(word1) == OPLI_TAG_HOLE && opli_record_lap(word1) == (chunk & OPLI_LAP_MASK);
    return known && units ? units : 1;
}

/* How many 16-byte units the tagged record takes, 0 if that is no tag. */
static inline uint32_t opli_record_units(uint32_t tag, uint64_t word0)
{
    switch (tag) {
    case OPLI_TAG_BYTES: return 1 + (uint32_t)(((word0 & 0xffffffffu) + OPL_RECORD_BYTES - 1) / OPL_RECORD_BYTES);
    case OPLI_TAG_TIMED:
    case OPLI_TAG_COUNTER:
    case OPLI_TAG_FLOW:
    case OPLI_TAG_LATE_END:
    case OPLI_TAG_FAR: return 2;
    case OPLI_TAG_MEMORY: return 4;
    default: return tag >= OPL_SITE_LIMIT && tag < OPLI_TAG_END ? 1 : 0;
    }
}

/* Copies records that their thread may still be writing. A span's start is stored behind its word, and
 * is read first; what belongs to any other record is stored before its word, and is read after it. */
static inline void opli_records_copy(uint64_t *to, const uint64_t *from, uint32_t count)
{
    for (const uint64_t *end = from + 2ull * count; from < end; from += 2, to += 2) {
        to[0] = __atomic_load_n(&from[0], __ATOMIC_ACQUIRE);
        to[1] = __atomic_load_n(&from[1], __ATOMIC_ACQUIRE);
        if (opli_record_tag(to[1]) >= OPL_SITE_LIMIT)
            to[0] = __atomic_load_n(&from[0], __ATOMIC_RELAXED);
    }
}

#endif
