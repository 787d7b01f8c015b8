/* call_counts.h - the call graph of a trace: exact where a profiler kept one, else counted from its spans. */
#ifndef OPLI_ANALYSIS_CALL_COUNTS_H
#define OPLI_ANALYSIS_CALL_COUNTS_H

#include "trace/call_graph.h"

/* Adds all that the trace knows of functions, counted as cProfile counts. Spans we laid out ourselves do not count.
 * False when there is no memory. */
bool opli_call_counts_add(opli_call_graph *graph, const opli_trace *trace);

#endif
