/* tree.c - where in the call tree does the time go? Calls with the same path are one row. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/failure.h"

/* A path: a name below another path. Roots hang below node 0, which is no row. */
typedef struct node {
    uint32_t name, outer;
    uint32_t first_inner, next_sibling; /* rows of nodes, 0: none */
    uint64_t count;
    int64_t total_ns, inner_ns;
    uint32_t depth;
} node;

typedef struct growing {
    const opli_trace *trace;
    OPLI_VECTOR(node) nodes;
    uint32_t *node_of; /* by span */
} growing;

/* The path's node below `outer`; the siblings are few, and the newest is asked first. */
static uint32_t find_node(growing *g, uint32_t outer, uint32_t name)
{
    for (uint32_t at = g->nodes.items[outer].first_inner; at; at = g->nodes.items[at].next_sibling)
        if (g->nodes.items[at].name == name)
            return at;
    node *added = opli_vector_add(&g->nodes);
    if (!added)
        return OPLI_NO_ROW;
    uint32_t row = (uint32_t)g->nodes.count - 1;
    node *parent = &g->nodes.items[outer];
    *added = (node){.name = name, .outer = outer, .next_sibling = parent->first_inner, .depth = parent->depth + 1};
    parent->first_inner = row;
    return row;
}

static bool add_span(growing *g, uint32_t span)
{
    const opli_spans *spans = &g->trace->spans;
    uint32_t parent = spans->parent[span];
    uint32_t row = find_node(g, parent == OPLI_NO_ROW ? 0 : g->node_of[parent], spans->name[span]);
    if (row == OPLI_NO_ROW)
        return false;
    g->node_of[span] = row;
    g->nodes.items[row].count++;
    g->nodes.items[row].total_ns += spans->duration_ns[span];
    if (parent != OPLI_NO_ROW)
        g->nodes.items[g->node_of[parent]].inner_ns += spans->duration_ns[span];
    return true;
}

/* ---- the order: the largest first, each followed by what is inside ---- */

typedef struct ranked {
    uint32_t row;
    int64_t total_ns;
} ranked;

static int by_total(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Re-links the children of a node so that the largest is first. */
static bool sort_inner(growing *g, uint32_t outer)
{
    OPLI_VECTOR(ranked) inner = {0};
    for (uint32_t at = g->nodes.items[outer].first_inner; at; at = g->nodes.items[at].next_sibling) {
        ranked *added = opli_vector_add(&inner);
        if (!added) {
            opli_vector_free(&inner);
            return false;
        }
        *added = (ranked){at, g->nodes.items[at].total_ns};
    }
    if (inner.count > 1)
        qsort(inner.items, inner.count, sizeof *inner.items, by_total);
    for (size_t i = 0; i < inner.count; i++)
        g->nodes.items[inner.items[i].row].next_sibling = i + 1 < inner.count ? inner.items[i + 1].row : 0;
    if (inner.count)
        g->nodes.items[outer].first_inner = inner.items[0].row;
    opli_vector_free(&inner);
    return true;
}

/* The row after `at` when the tree is walked from the top, 0 at the end. */
static uint32_t next_row(const growing *g, uint32_t at)
{
    if (g->nodes.items[at].first_inner)
        return g->nodes.items[at].first_inner;
    while (at && !g->nodes.items[at].next_sibling)
        at = g->nodes.items[at].outer;
    return at ? g->nodes.items[at].next_sibling : 0;
}

/* ---- the table ---- */

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"depth", "depth", OPLI_COLUMN_ID},
                                      {"calls", "count", OPLI_COLUMN_COUNT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      {"self", "self_ns", OPLI_COLUMN_NS}};

/* The name, two spaces further in for each level. */
static bool add_name(const growing *g, const node *n, opli_table *table)
{
    opli_text text = {0};
    for (uint32_t i = 1; i < n->depth && i < 64; i++)
        opli_text_add(&text, "  ", 2);
    opli_text_add(&text, opli_trace_text(g->trace, n->name), opli_string_length(&g->trace->strings, n->name));
    bool ok = opli_table_add_text(table, text.bytes ? text.bytes : "", text.length);
    opli_text_free(&text);
    return ok;
}

static bool add_row(const growing *g, uint32_t row, opli_table *table)
{
    const node *n = &g->nodes.items[row];
    return add_name(g, n, table) && opli_table_add_number(table, n->depth - 1) &&
           opli_table_add_number(table, (int64_t)n->count) && opli_table_add_number(table, n->total_ns) &&
           opli_table_add_number(table, n->total_ns - n->inner_ns);
}

static opl_status fill(growing *g, opli_table *table)
{
    node *root = opli_vector_add(&g->nodes);
    bool ok = root != NULL;
    for (size_t i = 0; ok && i < g->trace->spans.count; i++)
        ok = add_span(g, (uint32_t)i);
    for (size_t i = 0; ok && i < g->nodes.count; i++)
        ok = sort_inner(g, (uint32_t)i);
    for (uint32_t row = ok ? next_row(g, 0) : 0; ok && row; row = next_row(g, row))
        ok = add_row(g, row, table);
    return ok ? OPL_OK : OPL_NOMEM;
}

static opl_status run_tree(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    (void)question;
    growing g = {.trace = trace, .node_of = malloc((trace->spans.count + 1) * sizeof *g.node_of)};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    opl_status st = g.node_of ? fill(&g, table) : OPL_NOMEM;
    free(g.node_of);
    opli_vector_free(&g.nodes);
    return st == OPL_OK ? st : opli_fail(err, st, "not enough memory for the call tree");
}

const opli_analysis opli_analysis_tree = {
    .name = "tree",
    .summary = "the call tree: calls with the same path together, with total and self time",
    .run = run_tree,
};
