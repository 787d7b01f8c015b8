/* span_walk.h - the spans of a lane as beginnings and ends, in the order of time and well nested. */
#ifndef OPLI_EXPORT_SPAN_WALK_H
#define OPLI_EXPORT_SPAN_WALK_H

#include "trace/trace.h"

/* Called at the beginning and at the end of each span; false stops the walk. */
typedef bool opli_span_visit(void *context, uint32_t span, bool begins);

/* False when the visitor stopped it. */
bool opli_span_walk(const opli_trace *trace, uint32_t track, uint32_t lane, opli_span_visit *visit, void *context);

#endif
