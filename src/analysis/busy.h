/* busy.h - when was any device at work? Time that several share counts once. */
#ifndef OPLI_ANALYSIS_BUSY_H
#define OPLI_ANALYSIS_BUSY_H

#include "trace/trace.h"

/* A stretch without a pause, and how much was worked before it. */
typedef struct opli_busy_stretch {
    int64_t start_ns, end_ns, before_ns;
} opli_busy_stretch;

/* Stretches in the order of time; they do not touch. A zeroed object is an empty one. */
typedef struct opli_busy {
    OPLI_VECTOR(opli_busy_stretch) stretches;
} opli_busy;

/* Kernels, copies and other work of all devices of the trace. False when there is no memory; free it either way. */
bool opli_busy_find(opli_busy *busy, const opli_trace *trace);
void opli_busy_free(opli_busy *busy);

/* How much of the time from `start_ns` to `end_ns` is covered. */
int64_t opli_busy_within(const opli_busy *busy, int64_t start_ns, int64_t end_ns);

#endif
