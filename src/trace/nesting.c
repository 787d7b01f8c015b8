/* nesting.c - who is inside whom. */
#include "trace/nesting.h"

#include "trace/lanes.h"
#include "trace/span_index.h"

static int64_t end_of(const opli_spans *spans, uint32_t row) { return spans->start_ns[row] + spans->duration_ns[row]; }

/* What has ended before `row` begins is left, in every lane; what was around it is the innermost again. */
static void leave_ended(const opli_spans *spans, opli_lanes *lanes, uint32_t row)
{
    uint32_t lane;
    while ((lane = opli_lanes_find_ended(lanes, spans->start_ns[row])) != OPLI_LANE_NONE) {
        uint32_t outer = spans->parent[lanes->innermost[lane]];
        opli_lanes_set(lanes, lane, outer, outer == OPLI_NO_ROW ? INT64_MAX : end_of(spans, outer));
    }
}

/* Inside `outer`, which may be nothing. */
static void put_inside(opli_spans *spans, uint32_t row, uint32_t outer, uint32_t lane)
{
    uint16_t above = outer == OPLI_NO_ROW ? 0 : spans->depth[outer];
    spans->parent[row] = outer;
    spans->depth[row] = outer == OPLI_NO_ROW ? 0 : above < UINT16_MAX ? above + 1 : above;
    spans->lane[row] = (uint16_t)lane;
    spans->flags[row] |= lane ? OPLI_SPAN_OVERLAPS : 0;
}

/* Puts the span into the first lane where it fits whole. Where there are too many lanes it stands in the
 * last one without a parent or children, so that it is never counted inside what does not hold it. */
static bool place(opli_spans *spans, opli_lanes *lanes, uint32_t row, uint64_t *crowded)
{
    leave_ended(spans, lanes, row);
    uint32_t lane = opli_lanes_find_room(lanes, end_of(spans, row));
    if (lane == OPLI_LANE_NONE && lanes->count == OPLI_LANES_MAX) {
        put_inside(spans, row, OPLI_NO_ROW, OPLI_LANES_MAX);
        ++*crowded;
        return true;
    }
    if (lane == OPLI_LANE_NONE) {
        lane = lanes->count;
        if (!opli_lanes_add(lanes))
            return false;
    }
    put_inside(spans, row, lanes->innermost[lane], lane);
    opli_lanes_set(lanes, lane, row, end_of(spans, row));
    return true;
}

bool opli_trace_nest(opli_trace *trace, uint64_t *crowded)
{
    opli_lanes lanes = {0};
    bool ok = true;
    *crowded = 0;
    for (size_t t = 0; ok && t < trace->tracks.count; t++) {
        opli_lanes_reset(&lanes);
        for (size_t row = trace->tracks.items[t].first; ok && row < trace->tracks.items[t].end; row++)
            ok = place(&trace->spans, &lanes, (uint32_t)row, crowded);
    }
    opli_lanes_free(&lanes);
    return ok;
}

/* ---- binding ---- */

bool opli_trace_bind(opli_trace *trace)
{
    opli_span_index index = {0};
    if (!trace->flows.count && !trace->memory.count)
        return true;
    bool ok = opli_span_index_init(&index, trace);
    for (size_t i = 0; ok && i < trace->flows.count; i++) {
        opli_flow_row *flow = &trace->flows.items[i];
        flow->span = opli_span_index_find(&index, flow->track, flow->time_ns);
    }
    for (size_t i = 0; ok && i < trace->memory.count; i++) {
        opli_memory_row *event = &trace->memory.items[i];
        event->span = opli_span_index_find(&index, event->track, event->time_ns);
    }
    opli_span_index_fini(&index);
    return ok;
}
