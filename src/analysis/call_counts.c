/* call_counts.c - the call graph of a trace, counted from its function spans.
 *
 * A call is primitive when the function is not already open around it; an edge's call when the same caller has not
 * already called the same function around it. Only primitive calls add to a total, so recursion counts once. */
#include "analysis/call_counts.h"

#include <stdlib.h>
#include <string.h>

typedef struct counting {
    const opli_trace *trace;
    opli_call_graph *graph;
    uint32_t file_key, line_key;
    uint32_t *function; /* of each span: row of the graph, OPLI_NO_ROW: no function */
    uint32_t *caller;   /* of each span: the innermost function span around it, or OPLI_NO_ROW */
    int64_t *own_ns;    /* of each span: without the functions it called */
} counting;

static bool is_counted(const opli_trace *trace, uint32_t span)
{
    return trace->spans.kind[span] == OPL_CAT_FUNCTION && !(trace->spans.flags[span] & OPLI_SPAN_SYNTHETIC);
}

static uint64_t arg_of(const counting *c, uint32_t span, uint32_t key, enum opli_arg_type type)
{
    uint32_t arg = key == OPLI_STRING_NONE ? OPLI_NO_ROW : opli_trace_arg(c->trace, span, key);
    bool is_there = arg != OPLI_NO_ROW && opli_args_type(&c->trace->args, arg) == type;
    return is_there ? opli_args_value(&c->trace->args, arg) : 0;
}

/* Which function each span is, who called it, and what time is left for itself. */
static bool find_callers(counting *c)
{
    const opli_spans *spans = &c->trace->spans;
    for (uint32_t i = 0; i < spans->count; i++) {
        uint32_t parent = spans->parent[i];
        bool parent_is = parent != OPLI_NO_ROW && c->function[parent] != OPLI_NO_ROW;
        c->caller[i] = parent == OPLI_NO_ROW ? OPLI_NO_ROW : parent_is ? parent : c->caller[parent];
        c->function[i] = OPLI_NO_ROW;
        if (!is_counted(c->trace, i))
            continue;
        c->function[i] = opli_call_graph_function(c->graph, (uint32_t)arg_of(c, i, c->file_key, OPLI_ARG_TEXT),
                                                  (int64_t)arg_of(c, i, c->line_key, OPLI_ARG_INT), spans->name[i]);
        if (c->function[i] == OPLI_NO_ROW)
            return false;
        c->own_ns[i] = spans->duration_ns[i];
        if (c->caller[i] != OPLI_NO_ROW)
            c->own_ns[c->caller[i]] -= spans->duration_ns[i];
    }
    return true;
}

/* Looks outward for the same function, and for the same function called by the same caller. */
static void find_recursion(const counting *c, uint32_t span, bool *function_is_open, bool *edge_is_open)
{
    uint32_t function = c->function[span];
    uint32_t caller = c->caller[span] == OPLI_NO_ROW ? OPLI_NO_ROW : c->function[c->caller[span]];
    *function_is_open = *edge_is_open = false;
    for (uint32_t outer = c->caller[span]; outer != OPLI_NO_ROW && !*edge_is_open; outer = c->caller[outer]) {
        if (c->function[outer] != function)
            continue;
        *function_is_open = true;
        *edge_is_open = c->caller[outer] != OPLI_NO_ROW && c->function[c->caller[outer]] == caller;
    }
}

static opli_call_totals one_call(const counting *c, uint32_t span, bool is_open)
{
    return (opli_call_totals){.calls = 1,
                              .primitive_calls = !is_open,
                              .own_ns = c->own_ns[span],
                              .total_ns = is_open ? 0 : c->trace->spans.duration_ns[span]};
}

static bool count_span(counting *c, uint32_t span)
{
    bool function_is_open, edge_is_open;
    find_recursion(c, span, &function_is_open, &edge_is_open);
    opli_call_totals call = one_call(c, span, function_is_open);
    opli_call_totals_add(&c->graph->functions.items[c->function[span]].totals, &call);
    if (c->caller[span] == OPLI_NO_ROW)
        return true;
    uint32_t edge = opli_call_graph_edge(c->graph, c->function[c->caller[span]], c->function[span]);
    if (edge == OPLI_NO_ROW)
        return false;
    call = one_call(c, span, edge_is_open);
    opli_call_totals_add(&c->graph->edges.items[edge].totals, &call);
    return true;
}

bool opli_call_counts_add(opli_call_graph *graph, const opli_trace *trace)
{
    size_t count = trace->spans.count;
    counting c = {.trace = trace, .graph = graph};
    c.file_key = opli_string_find(&trace->strings, "file", strlen("file"));
    c.line_key = opli_string_find(&trace->strings, "line", strlen("line"));
    c.function = malloc((count + 1) * sizeof *c.function);
    c.caller = malloc((count + 1) * sizeof *c.caller);
    c.own_ns = calloc(count + 1, sizeof *c.own_ns);
    bool ok = c.function && c.caller && c.own_ns && opli_call_graph_load(graph, trace) && find_callers(&c);
    for (uint32_t i = 0; ok && i < count; i++)
        if (c.function[i] != OPLI_NO_ROW)
            ok = count_span(&c, i);
    free(c.function);
    free(c.caller);
    free(c.own_ns);
    return ok;
}
