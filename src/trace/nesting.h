/* nesting.h - who is inside whom: parents, depths and lanes of sorted spans. */
#ifndef OPLI_TRACE_NESTING_H
#define OPLI_TRACE_NESTING_H

#include "trace/trace.h"

/* Fills parent, depth and lane. A span belongs to the innermost one that contains it whole; one
 * that partly overlaps goes to a lane of its own, so that it is neither dropped nor counted inside
 * another. `crowded` says for how many there was no lane left. False when there is no memory. */
bool opli_trace_nest(opli_trace *trace, uint64_t *crowded);

/* Binds flows and memory events to the spans they happened in. False when there is no memory. */
bool opli_trace_bind(opli_trace *trace);

#endif
