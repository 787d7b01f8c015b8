/* chrome_shape.h - what stands between the values of events, which every writer repeats.
 *
 * A tree of such texts, each with what the value behind it is. Once the events of a writer have been
 * seen, the next is read by comparing a few bytes between any two values. It is a cache: an event that
 * does not fit is read member by member, and its shape added. */
#ifndef OPLI_IMPORT_CHROME_SHAPE_H
#define OPLI_IMPORT_CHROME_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What a value is to its event. */
enum opli_chrome_role {
    OPLI_ROLE_OTHER, /* nothing we know */
    OPLI_ROLE_PHASE,
    OPLI_ROLE_TIME,
    OPLI_ROLE_DURATION,
    OPLI_ROLE_PROCESS,
    OPLI_ROLE_THREAD,
    OPLI_ROLE_CATEGORY,
    OPLI_ROLE_NAME,
    OPLI_ROLE_ID,
    OPLI_ROLE_ARGUMENT,
    OPLI_ROLE_END, /* no value: the event ends */
};

typedef struct opli_shape {
    const char *gap; /* the text in front of the value, from the value before */
    uint32_t gap_length;
    uint32_t next;  /* another text that may stand here instead; 0: none */
    uint32_t first; /* what may follow the value, the likeliest first */
    uint8_t role;
    bool key_escaped;
    const char *key; /* of an argument */
    uint32_t key_length;
    uint32_t key_text; /* its id in the trace, 0: not asked yet */
} opli_shape;

#define OPLI_SHAPES_MAX 4096u
#define OPLI_SHAPE_BYTES_MAX (256u * 1024)

/* A zeroed one is empty. Shape 0 is the beginning of an event. */
typedef struct opli_shapes {
    opli_shape *items;
    char *bytes;
    uint32_t count, bytes_used;
} opli_shapes;

bool opli_shapes_init(opli_shapes *shapes);
void opli_shapes_free(opli_shapes *shapes);

/* Adds a shape behind `parent`, or finds it; 0 when there is no room. */
uint32_t opli_shape_learn(opli_shapes *shapes, uint32_t parent, const char *gap, size_t gap_length,
                          enum opli_chrome_role role);

/* Says which argument's value stands behind it. */
bool opli_shape_set_key(opli_shapes *shapes, uint32_t shape, const char *key, size_t length, bool escaped);

/* ---- matching: inlined, since it is done for every value of a file ---- */

#define OPLI_SHAPE_BLOCK 16u /* texts are kept in blocks of this size, so that they can be compared in such */

/* Whether `length` bytes are the same; OPLI_SHAPE_BLOCK more may be read on both sides. */
static inline bool opli_shape_same_bytes(const char *a, const char *b, uint32_t length)
{
#if defined(__SSE2__)
    for (uint32_t at = 0; at < length; at += OPLI_SHAPE_BLOCK) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + at));
        __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(b + at));
        unsigned differ = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) ^ 0xffffu;
        if (length - at < OPLI_SHAPE_BLOCK)
            differ &= (1u << (length - at)) - 1;
        if (differ)
            return false;
    }
    return true;
#else
    return memcmp(a, b, length) == 0;
#endif
}

/* The shape behind `parent` whose text stands at `at`; 0: it is not known. */
static inline uint32_t opli_shape_match(opli_shapes *shapes, uint32_t parent, const char *at, const char *end)
{
    opli_shape *items = shapes->items;
    uint32_t before = 0, found = items[parent].first;
    size_t left = (size_t)(end - at);
    while (found && (left < items[found].gap_length + OPLI_SHAPE_BLOCK ||
                     !opli_shape_same_bytes(items[found].gap, at, items[found].gap_length))) {
        before = found;
        found = items[found].next;
    }
    if (found && before) { /* to the front */
        items[before].next = items[found].next;
        items[found].next = items[parent].first;
        items[parent].first = found;
    }
    return found;
}

#endif
