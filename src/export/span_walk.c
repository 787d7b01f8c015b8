/* span_walk.c - the spans of a lane as beginnings and ends. */
#include "export/span_walk.h"

/* Ends what is open, from the innermost outwards, until `outer` is the innermost. */
static bool leave(const opli_trace *trace, uint32_t *innermost, uint32_t outer, opli_span_visit *visit, void *context)
{
    while (*innermost != outer && *innermost != OPLI_NO_ROW) {
        if (!visit(context, *innermost, false))
            return false;
        *innermost = trace->spans.parent[*innermost];
    }
    return true;
}

bool opli_span_walk(const opli_trace *trace, uint32_t track, uint32_t lane, opli_span_visit *visit, void *context)
{
    uint32_t innermost = OPLI_NO_ROW;
    for (size_t row = trace->tracks.items[track].first; row < trace->tracks.items[track].end; row++) {
        if (trace->spans.lane[row] != lane)
            continue;
        if (!leave(trace, &innermost, trace->spans.parent[row], visit, context) || !visit(context, (uint32_t)row, true))
            return false;
        innermost = (uint32_t)row;
    }
    return leave(trace, &innermost, OPLI_NO_ROW, visit, context);
}
