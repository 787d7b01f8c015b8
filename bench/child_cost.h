/* child_cost.h - what a piece of work costs in time and memory, done in a process of its own. */
#ifndef OPLI_BENCH_CHILD_COST_H
#define OPLI_BENCH_CHILD_COST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct opli_child_cost {
    double seconds, cpu_seconds;
    uint64_t peak_bytes; /* beyond what the process had before */
} opli_child_cost;

/* The fastest of `turns`; the memory is the largest of them. False when the work fails. */
bool opli_child_cost_take(bool (*work)(void *context), void *context, unsigned turns, opli_child_cost *cost);

#endif
