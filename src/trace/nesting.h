/* nesting.h - who is inside whom: parents, depths and lanes of sorted spans. */
#ifndef OPLI_TRACE_NESTING_H
#define OPLI_TRACE_NESTING_H

#include "trace/trace.h"

/* Fills parent, depth and lane. A span belongs to the innermost one that contains it whole; one
 * that partly overlaps goes to a lane of its own, so that it is neither dropped nor counted inside
 * another. False when there is no memory. */
bool opli_trace_nest(opli_trace *trace);

/* Binds flows and memory events to the spans they happened in. */
void opli_trace_bind(opli_trace *trace);

/* The innermost span of the track that holds that moment, or OPLI_NO_ROW. */
uint32_t opli_trace_span_at(const opli_trace *trace, uint32_t track, int64_t time_ns);

#endif
