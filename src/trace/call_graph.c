/* call_graph.c - functions and who called whom, and how a trace keeps them. */
#include "trace/call_graph.h"

#include <stdlib.h>
#include <string.h>

/* The words a trace keeps the graph in; docs/design/importers.md explains them. */
#define FUNCTION_CATEGORY "profile.function"
#define EDGE_CATEGORY "profile.call"

enum word {
    FILE_KEY,
    LINE_KEY,
    FUNCTION_KEY,
    CALLER_FILE_KEY,
    CALLER_LINE_KEY,
    CALLER_FUNCTION_KEY,
    CALLS_KEY,
    PRIMITIVE_KEY,
    OWN_KEY,
    TOTAL_KEY,
    WORDS
};

static const char *const words[WORDS] = {
    "file",       "line",      "function", "caller_file", "caller_line", "caller_function", "ncalls", "primitive_calls",
    "tottime_ns", "cumtime_ns"};

/* ---- the graph ---- */

uint32_t opli_call_graph_function(opli_call_graph *graph, uint32_t file, int64_t line, uint32_t name)
{
    uint32_t row = opli_key_map_add(&graph->function_rows, (opli_key){{file, (uint64_t)line, name}});
    if (row == OPLI_KEY_NONE || row < graph->functions.count)
        return row;
    opli_call_function *added = opli_vector_add(&graph->functions);
    if (!added)
        return OPLI_NO_ROW;
    *added = (opli_call_function){.file = file, .line = line, .name = name};
    return row;
}

uint32_t opli_call_graph_edge(opli_call_graph *graph, uint32_t caller, uint32_t callee)
{
    uint32_t row = opli_key_map_add(&graph->edge_rows, (opli_key){{caller, callee, 0}});
    if (row == OPLI_KEY_NONE || row < graph->edges.count)
        return row;
    opli_call_edge *added = opli_vector_add(&graph->edges);
    if (!added)
        return OPLI_NO_ROW;
    *added = (opli_call_edge){.caller = caller, .callee = callee, .is_timed = true};
    return row;
}

static void add_number(int64_t *to, int64_t more)
{
    if (__builtin_add_overflow(*to, more, to))
        *to = more < 0 ? INT64_MIN : INT64_MAX;
}

void opli_call_totals_add(opli_call_totals *totals, const opli_call_totals *more)
{
    add_number(&totals->calls, more->calls);
    add_number(&totals->primitive_calls, more->primitive_calls);
    add_number(&totals->own_ns, more->own_ns);
    add_number(&totals->total_ns, more->total_ns);
}

void opli_call_graph_free(opli_call_graph *graph)
{
    opli_vector_free(&graph->functions);
    opli_vector_free(&graph->edges);
    opli_key_map_free(&graph->function_rows);
    opli_key_map_free(&graph->edge_rows);
}

/* ---- into a trace ---- */

static void store_who(opli_builder *builder, const uint32_t *keys, enum word first, const opli_call_function *who)
{
    opli_builder_arg(builder, keys[first], OPLI_ARG_TEXT, who->file);
    opli_builder_arg(builder, keys[first + 1], OPLI_ARG_INT, (uint64_t)who->line);
    opli_builder_arg(builder, keys[first + 2], OPLI_ARG_TEXT, who->name);
}

static void store_totals(opli_builder *builder, const uint32_t *keys, const opli_call_totals *totals, bool is_timed)
{
    opli_builder_arg(builder, keys[CALLS_KEY], OPLI_ARG_INT, (uint64_t)totals->calls);
    opli_builder_arg(builder, keys[PRIMITIVE_KEY], OPLI_ARG_INT, (uint64_t)totals->primitive_calls);
    if (is_timed) {
        opli_builder_arg(builder, keys[OWN_KEY], OPLI_ARG_INT, (uint64_t)totals->own_ns);
        opli_builder_arg(builder, keys[TOTAL_KEY], OPLI_ARG_INT, (uint64_t)totals->total_ns);
    }
}

void opli_call_graph_store(const opli_call_graph *graph, opli_builder *builder, uint32_t track)
{
    uint32_t keys[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        keys[i] = opli_builder_word(builder, words[i]);
    opli_instant_row row = {.track = track, .kind = OPL_CAT_FUNCTION};
    row.category = opli_builder_word(builder, FUNCTION_CATEGORY);
    for (size_t i = 0; i < graph->functions.count; i++) {
        const opli_call_function *function = &graph->functions.items[i];
        row.name = function->name;
        store_who(builder, keys, FILE_KEY, function);
        store_totals(builder, keys, &function->totals, true);
        opli_builder_instant(builder, row);
    }
    row.category = opli_builder_word(builder, EDGE_CATEGORY);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const opli_call_edge *edge = &graph->edges.items[i];
        row.name = graph->functions.items[edge->callee].name;
        store_who(builder, keys, FILE_KEY, &graph->functions.items[edge->callee]);
        store_who(builder, keys, CALLER_FILE_KEY, &graph->functions.items[edge->caller]);
        store_totals(builder, keys, &edge->totals, edge->is_timed);
        opli_builder_instant(builder, row);
    }
}

/* ---- out of a trace ---- */

/* The values of an instant's arguments by word; which of them there are. */
static unsigned read_args(const opli_trace *trace, const uint32_t *keys, const opli_instant_row *row, uint64_t *values)
{
    unsigned found = 0;
    memset(values, 0, WORDS * sizeof *values);
    for (uint32_t i = row->first_arg; i < row->first_arg + row->arg_count; i++) {
        for (unsigned w = 0; w < WORDS; w++) {
            bool is_text = opli_args_type(&trace->args, i) == OPLI_ARG_TEXT;
            bool wants_text = w == FILE_KEY || w == FUNCTION_KEY || w == CALLER_FILE_KEY || w == CALLER_FUNCTION_KEY;
            if (opli_args_key(&trace->args, i) != keys[w] || is_text != wants_text)
                continue;
            values[w] = opli_args_value(&trace->args, i);
            found |= 1u << w;
        }
    }
    return found;
}

static uint32_t load_who(opli_call_graph *graph, const uint64_t *values, enum word first)
{
    return opli_call_graph_function(graph, (uint32_t)values[first], (int64_t)values[first + 1],
                                    (uint32_t)values[first + 2]);
}

static bool load_instant(opli_call_graph *graph, const uint64_t *values, bool is_edge, bool is_timed)
{
    opli_call_totals totals = {(int64_t)values[CALLS_KEY], (int64_t)values[PRIMITIVE_KEY], (int64_t)values[OWN_KEY],
                               (int64_t)values[TOTAL_KEY]};
    uint32_t callee = load_who(graph, values, FILE_KEY);
    if (callee == OPLI_NO_ROW)
        return false;
    if (!is_edge) {
        opli_call_totals_add(&graph->functions.items[callee].totals, &totals);
        return true;
    }
    uint32_t caller = load_who(graph, values, CALLER_FILE_KEY);
    uint32_t edge = caller == OPLI_NO_ROW ? OPLI_NO_ROW : opli_call_graph_edge(graph, caller, callee);
    if (edge == OPLI_NO_ROW)
        return false;
    graph->edges.items[edge].is_timed &= is_timed;
    opli_call_totals_add(&graph->edges.items[edge].totals, &totals);
    return true;
}

bool opli_call_graph_load(opli_call_graph *graph, const opli_trace *trace)
{
    uint32_t keys[WORDS];
    uint64_t values[WORDS];
    bool ok = true;
    for (size_t i = 0; i < WORDS; i++)
        keys[i] = opli_string_find(&trace->strings, words[i], strlen(words[i]));
    uint32_t function = opli_string_find(&trace->strings, FUNCTION_CATEGORY, strlen(FUNCTION_CATEGORY));
    uint32_t edge = opli_string_find(&trace->strings, EDGE_CATEGORY, strlen(EDGE_CATEGORY));
    for (size_t i = 0; ok && i < trace->instants.count; i++) {
        const opli_instant_row *row = &trace->instants.items[i];
        if (row->category != function && row->category != edge)
            continue;
        unsigned found = read_args(trace, keys, row, values);
        ok = load_instant(graph, values, row->category == edge, found & 1u << TOTAL_KEY);
    }
    return ok;
}
