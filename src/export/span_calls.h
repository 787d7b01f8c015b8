/* span_calls.h - the call graph of a trace's spans, for formats that know calls but no times of day. */
#ifndef OPLI_EXPORT_SPAN_CALLS_H
#define OPLI_EXPORT_SPAN_CALLS_H

#include "trace/call_graph.h"

/* Adds every span of the host's threads as a call of a function with the span's name, counted as cProfile counts. Spans
 * we laid out ourselves do not count. False when there is no memory. */
bool opli_span_calls_add(opli_call_graph *graph, const opli_trace *trace);

#endif
