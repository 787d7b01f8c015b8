/* span_role.c - what part a span plays among others. */
#include "analysis/span_role.h"

#include <string.h>

bool opli_span_is_top_level(const opli_trace *trace, uint32_t span)
{
    const opli_spans *spans = &trace->spans;
    uint32_t outer = spans->parent[span];
    while (outer != OPLI_NO_ROW && spans->kind[outer] != spans->kind[span])
        outer = spans->parent[outer];
    return outer == OPLI_NO_ROW;
}

static bool has_category(const opli_trace *trace, uint32_t span, const char *category)
{
    return strcmp(opli_trace_text(trace, trace->spans.category[span]), category) == 0;
}

bool opli_span_is_window(const opli_trace *trace, uint32_t span)
{
    return trace->spans.kind[span] == OPL_CAT_LABEL && has_category(trace, span, "Trace");
}

bool opli_span_is_overhead(const opli_trace *trace, uint32_t span)
{
    return trace->spans.kind[span] == OPL_CAT_VM && has_category(trace, span, "overhead");
}
