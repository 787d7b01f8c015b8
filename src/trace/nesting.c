/* nesting.c - who is inside whom. */
#include "trace/nesting.h"

#include <stdlib.h>

#define LANES_MAX 4096u

/* The innermost open span of each lane of a track. Parents lead further out. */
typedef struct lanes {
    uint32_t *innermost;
    uint32_t count, capacity;
} lanes;

static int64_t end_of(const opli_spans *spans, uint32_t row) { return spans->start_ns[row] + spans->duration_ns[row]; }

/* Leaves what has ended before `row` begins; the innermost that is left. */
static uint32_t leave_ended(const opli_spans *spans, uint32_t innermost, uint32_t row)
{
    while (innermost != OPLI_NO_ROW && end_of(spans, innermost) <= spans->start_ns[row])
        innermost = spans->parent[innermost];
    return innermost;
}

static bool add_lane(lanes *l)
{
    if (l->count == l->capacity) {
        uint32_t larger = l->capacity ? l->capacity * 2 : 8;
        uint32_t *moved = realloc(l->innermost, larger * sizeof *moved);
        if (!moved)
            return false;
        l->innermost = moved;
        l->capacity = larger;
    }
    l->innermost[l->count++] = OPLI_NO_ROW;
    return true;
}

/* Puts the span into the first lane where it fits whole. */
static bool place(opli_spans *spans, lanes *l, uint32_t row)
{
    for (uint32_t lane = 0;; lane++) {
        if (lane == l->count && !add_lane(l))
            return false;
        uint32_t outer = leave_ended(spans, l->innermost[lane], row);
        l->innermost[lane] = outer;
        bool fits = outer == OPLI_NO_ROW || end_of(spans, row) <= end_of(spans, outer);
        if (!fits && lane + 1 < LANES_MAX)
            continue;
        uint16_t above = outer == OPLI_NO_ROW ? 0 : spans->depth[outer];
        uint16_t depth = outer == OPLI_NO_ROW || !fits ? 0 : above < UINT16_MAX ? above + 1 : above;
        spans->parent[row] = fits ? outer : OPLI_NO_ROW;
        spans->depth[row] = depth;
        spans->lane[row] = (uint16_t)lane;
        spans->flags[row] |= lane ? OPLI_SPAN_OVERLAPS : 0;
        l->innermost[lane] = row;
        return true;
    }
}

bool opli_trace_nest(opli_trace *trace)
{
    lanes l = {NULL, 0, 0};
    bool ok = true;
    for (size_t t = 0; ok && t < trace->tracks.count; t++) {
        l.count = 0;
        for (size_t row = trace->tracks.items[t].first; ok && row < trace->tracks.items[t].end; row++)
            ok = place(&trace->spans, &l, (uint32_t)row);
    }
    free(l.innermost);
    return ok;
}

/* ---- binding ---- */

uint32_t opli_trace_span_at(const opli_trace *trace, uint32_t track, int64_t time_ns)
{
    const opli_spans *spans = &trace->spans;
    size_t low = trace->tracks.items[track].first, first = low, high = trace->tracks.items[track].end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->start_ns[middle] <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t row = low > first ? (uint32_t)low - 1 : OPLI_NO_ROW;
    while (row != OPLI_NO_ROW && end_of(spans, row) < time_ns)
        row = spans->parent[row];
    return row;
}

void opli_trace_bind(opli_trace *trace)
{
    for (size_t i = 0; i < trace->flows.count; i++) {
        opli_flow_row *flow = &trace->flows.items[i];
        flow->span = opli_trace_span_at(trace, flow->track, flow->time_ns);
    }
    for (size_t i = 0; i < trace->memory.count; i++) {
        opli_memory_row *event = &trace->memory.items[i];
        event->span = opli_trace_span_at(trace, event->track, event->time_ns);
    }
}
