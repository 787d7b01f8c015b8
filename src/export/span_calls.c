/* span_calls.c - the call graph of a trace's spans, counted on one walk over those of the host's threads.
 *
 * A call is primitive when its function is not open around it, and as a part of its caller's when no call of the same
 * function by the same caller is. Only primitive calls add to a total, so recursion counts once. */
#include "export/span_calls.h"

#include <stdlib.h>
#include <string.h>

#include "export/span_walk.h"

/* A span that has begun and not ended. */
typedef struct frame {
    uint32_t function, edge; /* rows; no edge at the root */
    int64_t inner_ns;        /* of the spans directly inside */
} frame;

typedef OPLI_VECTOR(uint32_t) open_counts; /* by row: how many are open */

typedef struct counting {
    const opli_trace *trace;
    opli_call_graph *graph;
    uint32_t file_key, line_key;
    OPLI_VECTOR(frame) stack;
    open_counts functions, edges;
    bool out_of_memory;
} counting;

/* The argument's value, when it is there and of that type. */
static bool find_arg(const counting *c, uint32_t span, uint32_t key, enum opli_arg_type type, uint64_t *value)
{
    uint32_t arg = key == OPLI_STRING_NONE ? OPLI_NO_ROW : opli_trace_arg(c->trace, span, key);
    if (arg == OPLI_NO_ROW || opli_args_type(&c->trace->args, arg) != type)
        return false;
    *value = opli_args_value(&c->trace->args, arg);
    return true;
}

/* A file without a line is what a span works on, not where it is written. */
static uint32_t function_of(const counting *c, uint32_t span)
{
    uint64_t file, line;
    bool is_placed =
        find_arg(c, span, c->file_key, OPLI_ARG_TEXT, &file) && find_arg(c, span, c->line_key, OPLI_ARG_INT, &line);
    return opli_call_graph_function(c->graph, is_placed ? (uint32_t)file : 0, is_placed ? (int64_t)line : 0,
                                    c->trace->spans.name[span]);
}

static bool open_row(open_counts *counts, uint32_t row)
{
    while (row != OPLI_NO_ROW && counts->count <= row) {
        const uint32_t *added = opli_vector_add(counts);
        if (!added)
            return false;
    }
    if (row != OPLI_NO_ROW)
        counts->items[row]++;
    return row != OPLI_NO_ROW;
}

static bool begin_call(counting *c, uint32_t span)
{
    bool is_root = !c->stack.count;
    frame new = {.function = function_of(c, span), .edge = OPLI_NO_ROW};
    if (!open_row(&c->functions, new.function))
        return false;
    if (!is_root) {
        new.edge = opli_call_graph_edge(c->graph, c->stack.items[c->stack.count - 1].function, new.function);
        if (!open_row(&c->edges, new.edge))
            return false;
    }
    frame *top = opli_vector_add(&c->stack);
    if (top)
        *top = new;
    return top != NULL;
}

static void end_call(counting *c, uint32_t span)
{
    frame ended = c->stack.items[--c->stack.count];
    int64_t duration_ns = c->trace->spans.duration_ns[span];
    bool is_primitive = --c->functions.items[ended.function] == 0;
    opli_call_totals call = {1, is_primitive, duration_ns - ended.inner_ns, is_primitive ? duration_ns : 0};
    opli_call_totals_add(&c->graph->functions.items[ended.function].totals, &call);
    if (ended.edge == OPLI_NO_ROW)
        return;
    is_primitive = --c->edges.items[ended.edge] == 0;
    call.primitive_calls = is_primitive;
    call.total_ns = is_primitive ? duration_ns : 0;
    opli_call_totals_add(&c->graph->edges.items[ended.edge].totals, &call);
    c->stack.items[c->stack.count - 1].inner_ns += duration_ns;
}

static bool visit(void *context, uint32_t span, bool begins)
{
    counting *c = context;
    if (c->trace->spans.flags[span] & OPLI_SPAN_SYNTHETIC)
        return true;
    if (begins)
        c->out_of_memory = !begin_call(c, span);
    else
        end_call(c, span);
    return !c->out_of_memory;
}

static void count_track(counting *c, uint32_t row)
{
    const opli_track *track = &c->trace->tracks.items[row];
    uint32_t lanes = 0;
    if (track->kind != OPLI_TRACK_THREAD || track->device != OPLI_NO_ROW)
        return;
    for (size_t span = track->first; span < track->end; span++)
        lanes = c->trace->spans.lane[span] >= lanes ? c->trace->spans.lane[span] + 1u : lanes;
    for (uint32_t lane = 0; lane < lanes && !c->out_of_memory; lane++)
        opli_span_walk(c->trace, row, lane, visit, c);
}

bool opli_span_calls_add(opli_call_graph *graph, const opli_trace *trace)
{
    counting c = {.trace = trace, .graph = graph};
    c.file_key = opli_string_find(&trace->strings, "file", strlen("file"));
    c.line_key = opli_string_find(&trace->strings, "line", strlen("line"));
    for (size_t track = 0; track < trace->tracks.count && !c.out_of_memory; track++)
        count_track(&c, (uint32_t)track);
    opli_vector_free(&c.stack);
    opli_vector_free(&c.functions);
    opli_vector_free(&c.edges);
    return !c.out_of_memory;
}
