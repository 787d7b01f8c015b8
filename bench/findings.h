/* findings.h - all that span_cost measured, and how it is shown. */
#ifndef OPLI_BENCH_FINDINGS_H
#define OPLI_BENCH_FINDINGS_H

#include <stdint.h>

#include "cost_table.h"
#include "span_case.h"
#include "trial.h"

#define OPLI_FINDINGS_RUNS 99

/* What a recount found; 0 spans recorded means that it was not tried. */
typedef struct opli_tally {
    int64_t recorded;
    int64_t found; /* -1: could not be counted */
} opli_tally;

typedef struct opli_footprint {
    uint64_t spans; /* 0: not measured */
    char name[40];
    double mib;
    opli_tally tally;
} opli_footprint;

typedef struct opli_findings {
    uint32_t runs;
    opli_sample samples[OPLI_SPAN_CASES][OPLI_TRIAL_THREADS][OPLI_FINDINGS_RUNS];
    opli_tally tallies[OPLI_SPAN_CASES][OPLI_TRIAL_THREADS];
    opli_footprint footprints[2]; /* a short recording and a long one */
} opli_findings;

void opli_findings_print(const opli_findings *findings, opli_cost_table *table);

#endif
