/* statistics.c - how many, how small, how large, and the percentiles. */
#include "analysis/statistics.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Rounded half up, also below zero. */
static int64_t divide(__int128 number, int64_t by)
{
    __int128 doubled = 2 * number + by, whole = doubled / (2 * (__int128)by);
    return (int64_t)(whole - (doubled % (2 * (__int128)by) < 0));
}

int64_t opli_statistics_percentile(const int64_t *sorted, size_t count, unsigned thousandths)
{
    uint64_t place = (uint64_t)thousandths * (count - 1);
    size_t below = place / 1000;
    int64_t rest = (int64_t)(place % 1000);
    __int128 scaled = (__int128)sorted[below] * 1000;
    if (rest)
        scaled += ((__int128)sorted[below + 1] - sorted[below]) * rest;
    return divide(scaled, 1000);
}

static void find_ends(const int64_t *values, size_t count, opli_statistics *out)
{
    __int128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] < values[out->smallest_at])
            out->smallest_at = i;
        if (values[i] > values[out->largest_at])
            out->largest_at = i;
    }
    out->smallest = values[out->smallest_at];
    out->largest = values[out->largest_at];
    out->total = sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
    out->mean = divide(sum, (int64_t)count);
}

bool opli_statistics_of(const int64_t *values, size_t count, opli_statistics *out)
{
#define THOUSANDTHS(id, thousandths, title, key) thousandths,
    static const unsigned thousandths[] = {OPLI_PERCENTILE_LIST(THOUSANDTHS)};
#undef THOUSANDTHS
    *out = (opli_statistics){.count = count};
    if (!count)
        return true;
    int64_t *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    find_ends(values, count, out);
    for (size_t i = 0; i < OPLI_PERCENTILES; i++)
        out->percentiles[i] = opli_statistics_percentile(sorted, count, thousandths[i]);
    free(sorted);
    return true;
}

bool opli_statistics_add_cells(const opli_statistics *statistics, opli_table *table)
{
    bool ok = opli_table_add_number(table, (int64_t)statistics->count);
    if (!statistics->count) {
        for (size_t i = 0; ok && i < 3 + OPLI_PERCENTILES; i++)
            ok = opli_table_add_empty(table);
        return ok;
    }
    ok = ok && opli_table_add_number(table, statistics->smallest) &&
         opli_table_add_number(table, statistics->largest) && opli_table_add_number(table, statistics->mean);
    for (size_t i = 0; ok && i < OPLI_PERCENTILES; i++)
        ok = opli_table_add_number(table, statistics->percentiles[i]);
    return ok;
}

/* ---- groups ---- */

bool opli_samples_add(opli_samples *samples, uint32_t group, int64_t value)
{
    int64_t *added_value = opli_vector_add(&samples->values);
    uint32_t *added_group = added_value ? opli_vector_add(&samples->groups) : NULL;
    if (!added_group)
        return false;
    *added_value = value;
    *added_group = group;
    return true;
}

/* Puts the values of each group together, in the order they came; `ends` becomes where each group ends. */
static void gather(const opli_samples *samples, int64_t *gathered, size_t *ends, uint32_t group_count)
{
    for (size_t i = 0; i < samples->values.count; i++)
        ends[samples->groups.items[i]]++;
    for (size_t g = 0, next = 0; g < group_count; g++) {
        size_t count = ends[g];
        ends[g] = next;
        next += count;
    }
    for (size_t i = 0; i < samples->values.count; i++)
        gathered[ends[samples->groups.items[i]]++] = samples->values.items[i];
}

opli_statistics *opli_samples_statistics(const opli_samples *samples, uint32_t group_count)
{
    opli_statistics *all = calloc((size_t)group_count + 1, sizeof *all);
    int64_t *gathered = calloc(samples->values.count + 1, sizeof *gathered);
    size_t *ends = calloc((size_t)group_count + 1, sizeof *ends);
    bool ok = all && gathered && ends;
    if (ok)
        gather(samples, gathered, ends, group_count);
    for (size_t g = 0, first = 0; ok && g < group_count; first = ends[g++])
        ok = opli_statistics_of(gathered + first, ends[g] - first, &all[g]);
    free(gathered);
    free(ends);
    if (ok)
        return all;
    free(all);
    return NULL;
}

void opli_samples_free(opli_samples *samples)
{
    opli_vector_free(&samples->values);
    opli_vector_free(&samples->groups);
}
