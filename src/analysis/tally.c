/* tally.c - which value is the most frequent in each group? */
#include "analysis/tally.h"

#include <stdlib.h>

bool opli_tally_add(opli_tally *tally, uint32_t group, uint32_t value)
{
    uint32_t pair = opli_key_map_add(&tally->pairs, (opli_key){{group, value}});
    if (pair == OPLI_KEY_NONE || pair > tally->times.count)
        return false;
    uint64_t *times = pair < tally->times.count ? &tally->times.items[pair] : opli_vector_add(&tally->times);
    if (times)
        ++*times;
    return times != NULL;
}

opli_tally_result *opli_tally_results(const opli_tally *tally, uint32_t group_count)
{
    opli_tally_result *results = calloc((size_t)group_count + 1, sizeof *results);
    for (uint32_t i = 0; results && i < tally->pairs.count; i++) {
        opli_tally_result *result = &results[tally->pairs.keys[i].words[0]];
        result->distinct++;
        if (tally->times.items[i] <= result->times)
            continue;
        result->value = (uint32_t)tally->pairs.keys[i].words[1];
        result->times = tally->times.items[i];
    }
    return results;
}

void opli_tally_free(opli_tally *tally)
{
    opli_key_map_free(&tally->pairs);
    opli_vector_free(&tally->times);
}
