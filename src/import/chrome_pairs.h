/* chrome_pairs.h - beginnings that wait for their ends. */
#ifndef OPLI_IMPORT_CHROME_PAIRS_H
#define OPLI_IMPORT_CHROME_PAIRS_H

#include "base/key_map.h"
#include "trace/builder.h"

/* What an asynchronous span is known by: texts. */
typedef struct opli_pair_key {
    uint32_t category, id, name;
} opli_pair_key;

/* A beginning, with its arguments kept until the end comes. */
typedef struct opli_begun {
    opli_span_draft draft;
    uint32_t outer; /* the beginning before it on the same track, or of the same key; or OPLI_NO_ROW */
    size_t first_arg, arg_count;
} opli_begun;

typedef struct opli_begun_arg {
    uint32_t key;
    uint8_t type;
    uint64_t value;
} opli_begun_arg;

typedef struct opli_pairs {
    OPLI_VECTOR(opli_begun) begun;
    OPLI_VECTOR(uint32_t) innermost; /* by track: a row of begun */
    opli_key_map async_keys;
    OPLI_VECTOR(uint32_t) async; /* by key: the newest row of begun that waits */
    OPLI_VECTOR(opli_begun_arg) args;
} opli_pairs;

/* The arguments added to the builder since the last event are taken along. False: no memory. */
bool opli_pairs_begin(opli_pairs *pairs, opli_builder *builder, const opli_span_draft *draft);
bool opli_pairs_begin_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, const opli_span_draft *draft);

/* False when nothing had begun. An end that names a span ends the innermost of that name; else, or if it
 * names none (0), the innermost. */
bool opli_pairs_end(opli_pairs *pairs, opli_builder *builder, uint32_t track, uint32_t name, int64_t time_ns);
bool opli_pairs_end_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, int64_t time_ns);

/* What never ended becomes an open span. Frees everything. */
void opli_pairs_finish(opli_pairs *pairs, opli_builder *builder);

#endif
