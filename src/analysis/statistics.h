/* statistics.h - what a mean hides: how many, the smallest, the largest, and the percentiles. Whole numbers, exactly.
 *
 * Percentiles interpolate linearly between neighbours (type 7, as numpy does); what falls between two whole numbers is
 * rounded half up, and so is the mean. */
#ifndef OPLI_ANALYSIS_STATISTICS_H
#define OPLI_ANALYSIS_STATISTICS_H

#include "base/table.h"

/* Id, in thousandths, title, key. */
#define OPLI_PERCENTILE_LIST(X)        \
    X(P50, 500, "median", "median_ns") \
    X(P90, 900, "p90", "p90_ns")       \
    X(P95, 950, "p95", "p95_ns")       \
    X(P97, 970, "p97", "p97_ns")       \
    X(P99, 990, "p99", "p99_ns")       \
    X(P999, 999, "p99.9", "p99_9_ns")

#define OPLI_PERCENTILE_ENUM(id, thousandths, title, key) OPLI_##id,
enum opli_percentile { OPLI_PERCENTILE_LIST(OPLI_PERCENTILE_ENUM) OPLI_PERCENTILES };
#undef OPLI_PERCENTILE_ENUM

typedef struct opli_statistics {
    size_t count;
    int64_t total, mean;
    int64_t smallest, largest;
    size_t smallest_at, largest_at; /* the first sample that has it */
    int64_t percentiles[OPLI_PERCENTILES];
} opli_statistics;

/* False when there is no memory; all is zero when there are no values. */
bool opli_statistics_of(const int64_t *values, size_t count, opli_statistics *out);

/* Of sorted values, at least one. */
int64_t opli_statistics_percentile(const int64_t *sorted, size_t count, unsigned thousandths);

/* The columns and cells every table of statistics has. */
#define OPLI_PERCENTILE_COLUMN(id, thousandths, title, key) \
    , { title, key, OPLI_COLUMN_NS }
#define OPLI_STATISTICS_COLUMNS                                                                                  \
    {"count", "count", OPLI_COLUMN_COUNT}, {"min", "min_ns", OPLI_COLUMN_NS}, {"max", "max_ns", OPLI_COLUMN_NS}, \
        {"mean", "mean_ns", OPLI_COLUMN_NS} OPLI_PERCENTILE_LIST(OPLI_PERCENTILE_COLUMN)
bool opli_statistics_add_cells(const opli_statistics *statistics, opli_table *table);

/* Samples of several groups, which are numbered from 0. A zeroed object is an empty one. */
typedef struct opli_samples {
    OPLI_VECTOR(int64_t) values;
    OPLI_VECTOR(uint32_t) groups;
} opli_samples;

bool opli_samples_add(opli_samples *samples, uint32_t group, int64_t value);

/* One statistics for each group, to be freed; NULL when there is no memory. */
opli_statistics *opli_samples_statistics(const opli_samples *samples, uint32_t group_count);
void opli_samples_free(opli_samples *samples);

#endif
