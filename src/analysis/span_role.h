/* span_role.h - what part a span plays among others. */
#ifndef OPLI_ANALYSIS_SPAN_ROLE_H
#define OPLI_ANALYSIS_SPAN_ROLE_H

#include "trace/trace.h"

/* Whether no span around it is of its kind. */
bool opli_span_is_top_level(const opli_trace *trace, uint32_t span);

/* Whether it only says from when to when was recorded, as PyTorch's profiler notes: nothing ran in it. */
bool opli_span_is_window(const opli_trace *trace, uint32_t span);

/* Whether it is work of a profiler, which PyTorch's writes apart although it also passed in the spans it interrupted.
 */
bool opli_span_is_overhead(const opli_trace *trace, uint32_t span);

#endif
