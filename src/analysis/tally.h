/* tally.h - which value is the most frequent in each group? A zeroed tally is an empty one. */
#ifndef OPLI_ANALYSIS_TALLY_H
#define OPLI_ANALYSIS_TALLY_H

#include <stdbool.h>

#include "base/key_map.h"
#include "base/vector.h"

typedef struct opli_tally {
    opli_key_map pairs; /* of group and value, in the order they came */
    OPLI_VECTOR(uint64_t) times;
} opli_tally;

/* What a group has: its most frequent value, of equals the one that came first. */
typedef struct opli_tally_result {
    uint32_t value;
    uint64_t times;    /* how often; 0: the group has no value */
    uint64_t distinct; /* how many different values */
} opli_tally_result;

/* False when there is no memory. */
bool opli_tally_add(opli_tally *tally, uint32_t group, uint32_t value);

/* One for each group, to be freed; NULL when there is no memory. */
opli_tally_result *opli_tally_results(const opli_tally *tally, uint32_t group_count);
void opli_tally_free(opli_tally *tally);

#endif
