/* call_graph.h - functions and who called whom: what a function profiler counts.
 *
 * A profiler without start times (cProfile) knows only this graph. In a trace it is kept exactly, as
 * one instant for each function and each edge, so that it survives merging and exporting. Functions
 * are told apart by file, line and name; adding one again adds its numbers, as pstats.add() does.
 * Texts are ids of one trace's string table. A zeroed graph is an empty one. */
#ifndef OPLI_TRACE_CALL_GRAPH_H
#define OPLI_TRACE_CALL_GRAPH_H

#include "base/key_map.h"
#include "trace/builder.h"

/* Calls and times. Primitive calls are those not made, directly or not, by the thing itself. */
typedef struct opli_call_totals {
    int64_t calls, primitive_calls;
    int64_t own_ns;   /* in the function itself, over all calls */
    int64_t total_ns; /* with all it called, over the primitive calls */
} opli_call_totals;

typedef struct opli_call_function {
    uint32_t file, name; /* texts */
    int64_t line;
    opli_call_totals totals;
} opli_call_function;

typedef struct opli_call_edge {
    uint32_t caller, callee; /* rows of functions */
    bool is_timed;           /* Python's old `profile` counts calls only */
    opli_call_totals totals;
} opli_call_edge;

typedef struct opli_call_graph {
    OPLI_VECTOR(opli_call_function) functions; /* in the order they were first mentioned */
    OPLI_VECTOR(opli_call_edge) edges;
    opli_key_map function_rows, edge_rows;
} opli_call_graph;

/* The row of the function or edge, made on first mention; OPLI_NO_ROW when there is no memory. */
uint32_t opli_call_graph_function(opli_call_graph *graph, uint32_t file, int64_t line, uint32_t name);
uint32_t opli_call_graph_edge(opli_call_graph *graph, uint32_t caller, uint32_t callee);

/* Adds to both; what would not fit stays at the largest number. */
void opli_call_totals_add(opli_call_totals *totals, const opli_call_totals *more);

/* Puts the graph into a trace, on the track; and adds what a trace holds to the graph (false: no memory). */
void opli_call_graph_store(const opli_call_graph *graph, opli_builder *builder, uint32_t track);
bool opli_call_graph_load(opli_call_graph *graph, const opli_trace *trace);

void opli_call_graph_free(opli_call_graph *graph);

#endif
