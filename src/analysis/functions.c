/* functions.c - which functions take the time? pstats' table, for any trace that knows functions. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/call_counts.h"
#include "analysis/call_table.h"
#include "base/failure.h"

static const opli_column columns[] = {
    {"ncalls", "ncalls", OPLI_COLUMN_TEXT},
    {"calls", "calls", OPLI_COLUMN_COUNT},
    {"primitive", "primitive_calls", OPLI_COLUMN_COUNT},
    {"tottime", "tottime_ns", OPLI_COLUMN_NS},
    {"per call", "tottime_percall_ns", OPLI_COLUMN_NS}, /* of all calls */
    {"cumtime", "cumtime_ns", OPLI_COLUMN_NS},
    {"per call", "cumtime_percall_ns", OPLI_COLUMN_NS}, /* of the primitive calls */
    {"file", "file", OPLI_COLUMN_TEXT},
    {"line", "line", OPLI_COLUMN_ID},
    {"function", "function", OPLI_COLUMN_TEXT},
};

/* The time a call takes, rounded half up; empty when there was none. */
static bool add_percall(opli_table *table, int64_t time_ns, int64_t calls)
{
    if (calls <= 0)
        return opli_table_add_empty(table);
    int64_t whole = time_ns / calls, rest = time_ns % calls;
    if (rest < 0) {
        whole--;
        rest += calls;
    }
    return opli_table_add_number(table, whole + (rest >= calls - rest));
}

static bool add_row(opli_table *table, const opli_trace *trace, const opli_call_function *function)
{
    const opli_call_totals *totals = &function->totals;
    return opli_call_table_add_calls(table, totals) && opli_table_add_number(table, totals->own_ns) &&
           add_percall(table, totals->own_ns, totals->calls) && opli_table_add_number(table, totals->total_ns) &&
           add_percall(table, totals->total_ns, totals->primitive_calls) &&
           opli_call_table_add_function(table, trace, function);
}

static opl_status run_functions(const opli_trace *trace, const opli_question *question, opli_table *table,
                                opl_error *err)
{
    (void)question;
    opli_call_graph graph = {0};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = opli_call_counts_add(&graph, trace);
    for (size_t i = 0; ok && i < graph.functions.count; i++)
        if (graph.functions.items[i].totals.calls) /* else it is known as a caller only */
            ok = add_row(table, trace, &graph.functions.items[i]);
    opli_call_graph_free(&graph);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the functions");
}

/* What pstats can sort by, other than by our own keys. */
static const opli_sort_word sort_words[] = {{"cumulative", "-cumtime_ns"},
                                            {"cumtime", "-cumtime_ns"},
                                            {"time", "-tottime_ns"},
                                            {"tottime", "-tottime_ns"},
                                            {"pcalls", "-primitive_calls"},
                                            {"filename", "file"},
                                            {"module", "file"},
                                            {"name", "function"},
                                            {"nfl", "function,file,line"},
                                            {"stdname", "file,line,function"},
                                            {NULL, NULL}};

const opli_analysis opli_analysis_functions = {
    .name = "functions",
    .summary = "calls, own time and total time of each function, as in pstats",
    .sorted_by = "-cumtime_ns",
    .sort_words = sort_words,
    .run = run_functions,
};
