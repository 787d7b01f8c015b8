/* call_table.c - who called whom as rows, and the cells such tables share. */
#include "analysis/call_table.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/call_counts.h"
#include "base/failure.h"

/* ---- cells ---- */

bool opli_call_table_add_calls(opli_table *table, const opli_call_totals *totals)
{
    opli_text text = {0};
    opli_text_addf(&text, "%lld", (long long)totals->calls);
    if (totals->primitive_calls != totals->calls)
        opli_text_addf(&text, "/%lld", (long long)totals->primitive_calls);
    bool ok = !text.cut && opli_table_add_text(table, text.bytes, text.length);
    opli_text_free(&text);
    return ok && opli_table_add_number(table, totals->calls) && opli_table_add_number(table, totals->primitive_calls);
}

static bool add_string(opli_table *table, const opli_trace *trace, uint32_t id)
{
    return opli_table_add_text(table, opli_trace_text(trace, id), opli_string_length(&trace->strings, id));
}

bool opli_call_table_add_function(opli_table *table, const opli_trace *trace, const opli_call_function *function)
{
    return add_string(table, trace, function->file) && opli_table_add_number(table, function->line) &&
           add_string(table, trace, function->name);
}

/* ---- order ---- */

/* An edge with all that its place in the table depends on. */
typedef struct placed_edge {
    const opli_trace *trace;
    const opli_call_edge *edge;
    const opli_call_function *function, *other;
} placed_edge;

static int compare_numbers(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int compare_texts(const opli_trace *trace, uint32_t a, uint32_t b)
{
    size_t a_length = opli_string_length(&trace->strings, a), b_length = opli_string_length(&trace->strings, b);
    int order = memcmp(opli_trace_text(trace, a), opli_trace_text(trace, b), a_length < b_length ? a_length : b_length);
    return order ? order : compare_numbers((int64_t)a_length, (int64_t)b_length);
}

static int in_order(const void *a, const void *b)
{
    const placed_edge *x = a, *y = b;
    int order = compare_numbers(y->function->totals.total_ns, x->function->totals.total_ns);
    if (!order && x->function != y->function)
        order = x->function < y->function ? -1 : 1; /* in the order they were first mentioned */
    if (!order)
        order = compare_texts(x->trace, x->other->file, y->other->file);
    if (!order)
        order = compare_numbers(x->other->line, y->other->line);
    return order ? order : compare_texts(x->trace, x->other->name, y->other->name);
}

/* ---- rows ---- */

static bool add_row(opli_table *table, const placed_edge *row)
{
    const opli_call_edge *edge = row->edge;
    bool ok = opli_call_table_add_function(table, row->trace, row->function) &&
              opli_call_table_add_function(table, row->trace, row->other) &&
              opli_call_table_add_calls(table, &edge->totals);
    if (!edge->is_timed)
        return ok && opli_table_add_empty(table) && opli_table_add_empty(table);
    return ok && opli_table_add_number(table, edge->totals.own_ns) &&
           opli_table_add_number(table, edge->totals.total_ns);
}

static bool fill(const opli_trace *trace, const opli_call_graph *graph, enum opli_call_side side, opli_table *table)
{
    size_t count = graph->edges.count;
    placed_edge *rows = malloc((count + 1) * sizeof *rows);
    bool ok = rows != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const opli_call_edge *edge = &graph->edges.items[i];
        const opli_call_function *caller = &graph->functions.items[edge->caller];
        const opli_call_function *callee = &graph->functions.items[edge->callee];
        bool callers = side == OPLI_CALL_CALLERS;
        rows[i] = (placed_edge){trace, edge, callers ? callee : caller, callers ? caller : callee};
    }
    if (ok)
        qsort(rows, count, sizeof *rows, in_order);
    for (size_t i = 0; ok && i < count; i++)
        ok = add_row(table, &rows[i]);
    free(rows);
    return ok;
}

opl_status opli_call_table_fill(const opli_trace *trace, enum opli_call_side side, opli_table *table, opl_error *err)
{
    opli_call_graph graph = {0};
    bool ok = opli_call_counts_add(&graph, trace) && fill(trace, &graph, side, table);
    opli_call_graph_free(&graph);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for who called whom");
}
