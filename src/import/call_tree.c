/* call_tree.c - a call tree estimated from a call graph.
 *
 * A function's time goes to the edges that leave it, in proportion. A recursive function has edges that hold more than
 * its own time, since they are nested in each other: there the largest goes outermost. An edge's time is used up as it
 * is laid out; an edge that is itself recursive was only timed outermost, so there the calls are used up on the way
 * in. Either way the tree ends, also where functions call each other in circles. */
#include "import/call_tree.h"

#include <stdlib.h>

#define DEPTH_MAX 200
#define PARTS_MAX 20000   /* a branch shorter than this part of the whole is left out */
#define WORK_MAX 4000000u /* edges looked at; a real profile needs thousands */

/* A function that gets a stretch of time, from an edge or as a root. */
typedef struct branch {
    uint32_t function, edge;
    int64_t time_ns, calls;
    int64_t rank_ns; /* the largest is served first */
} branch;

typedef struct layout {
    const opli_call_graph *graph;
    opli_builder *builder;
    uint32_t track, file_key, line_key;
    uint32_t *first_edge; /* of each function, in `edges`; one more at the end */
    uint32_t *edges;      /* by caller */
    int64_t *edge_ns;     /* what each edge measured, */
    int64_t *left;        /* and what of its time is not laid out yet; if it is recursive, of its calls */
    uint32_t *open;       /* of each function: how often it is around the branch being laid out */
    OPLI_VECTOR(branch) branches;
    int64_t shortest_ns;
    uint64_t work, left_out;
    bool out_of_memory;
} layout;

/* value * part / whole, without overflow; nothing when there is no whole. */
static int64_t scale(int64_t value, int64_t part, int64_t whole)
{
    if (value <= 0 || part <= 0 || whole <= 0)
        return 0;
    __int128 scaled = (__int128)value * part / whole;
    return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- edges by caller ---- */

/* Edges that were counted but not timed get their calls' share of what they call. */
static int64_t time_of_edge(const opli_call_graph *graph, const opli_call_edge *edge)
{
    const opli_call_totals *callee = &graph->functions.items[edge->callee].totals;
    return edge->is_timed ? edge->totals.total_ns : scale(callee->total_ns, edge->totals.calls, callee->calls);
}

static bool is_recursive(const opli_call_totals *totals) { return totals->calls > totals->primitive_calls; }

static void sort_edges(layout *l)
{
    const opli_call_graph *graph = l->graph;
    for (size_t i = 0; i < graph->edges.count; i++)
        l->first_edge[graph->edges.items[i].caller + 1]++;
    for (size_t i = 0; i < graph->functions.count; i++)
        l->first_edge[i + 1] += l->first_edge[i];
    for (size_t i = graph->edges.count; i-- > 0;)
        l->edges[--l->first_edge[graph->edges.items[i].caller + 1]] = (uint32_t)i;
    /* Each caller's start now stands one place too far: its end is its neighbour's start. */
    for (size_t i = 0; i < graph->functions.count; i++)
        l->first_edge[i] = l->first_edge[i + 1];
    l->first_edge[graph->functions.count] = (uint32_t)graph->edges.count;
    for (size_t i = 0; i < graph->edges.count; i++) {
        const opli_call_totals *totals = &graph->edges.items[i].totals;
        l->edge_ns[i] = time_of_edge(graph, &graph->edges.items[i]);
        l->left[i] = is_recursive(totals) ? totals->calls : l->edge_ns[i];
    }
}

static bool prepare(layout *l)
{
    size_t functions = l->graph->functions.count, edges = l->graph->edges.count;
    l->first_edge = calloc(functions + 2, sizeof *l->first_edge);
    l->edges = calloc(edges + 1, sizeof *l->edges);
    l->edge_ns = calloc(edges + 1, sizeof *l->edge_ns);
    l->left = calloc(edges + 1, sizeof *l->left);
    l->open = calloc(functions, sizeof *l->open);
    if (!l->first_edge || !l->edges || !l->edge_ns || !l->left || !l->open)
        return false;
    sort_edges(l);
    return true;
}

/* ---- branches ---- */

static void add_branch(layout *l, branch b)
{
    branch *added = opli_vector_add(&l->branches);
    if (added)
        *added = b;
    l->out_of_memory |= !added;
}

static int first_served(const void *a, const void *b)
{
    const branch *x = a, *y = b;
    if (x->rank_ns != y->rank_ns)
        return x->rank_ns > y->rank_ns ? -1 : 1;
    if (x->edge != y->edge)
        return x->edge < y->edge ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static void sort_branches(layout *l, size_t from)
{
    if (l->branches.count - from > 1)
        qsort(l->branches.items + from, l->branches.count - from, sizeof(branch), first_served);
}

/* What the edge would like to have of a stretch of its caller's time. A function that is known never to recurse cannot
 * be inside itself; an edge that recurses becomes less likely with each level. */
static branch wish_of(const layout *l, uint32_t edge, int64_t time_ns)
{
    const opli_call_edge *e = &l->graph->edges.items[edge];
    const opli_call_totals *caller = &l->graph->functions.items[e->caller].totals;
    const opli_call_totals *callee = &l->graph->functions.items[e->callee].totals;
    branch wish = {.function = e->callee, .edge = edge};
    if (l->left[edge] <= 0 || (l->open[e->callee] && !is_recursive(callee)))
        return wish;
    if (is_recursive(&e->totals)) {
        wish.time_ns = l->edge_ns[edge];
        wish.rank_ns = scale(l->edge_ns[edge], l->left[edge], e->totals.calls);
        return wish;
    }
    int64_t share = is_recursive(caller) ? l->left[edge] : scale(l->edge_ns[edge], time_ns, caller->total_ns);
    wish.time_ns = wish.rank_ns = smaller(share, l->left[edge]);
    return wish;
}

static void add_children(layout *l, uint32_t function, int64_t time_ns)
{
    l->work += 1 + l->first_edge[function + 1] - l->first_edge[function];
    if (l->work > WORK_MAX) {
        l->left_out++;
        return;
    }
    for (uint32_t i = l->first_edge[function]; i < l->first_edge[function + 1]; i++) {
        branch wish = wish_of(l, l->edges[i], time_ns);
        if (wish.time_ns > 0)
            add_branch(l, wish);
    }
}

/* How many calls the branch stands for. Recursion begins with the primitive calls, and each further level gets half of
 * what is left: how deep it really went nobody counted. */
static int64_t calls_of(const layout *l, const branch *b)
{
    const opli_call_totals *totals = &l->graph->edges.items[b->edge].totals;
    int64_t calls = scale(totals->calls, b->time_ns, l->edge_ns[b->edge]);
    if (is_recursive(totals))
        calls = l->left[b->edge] == totals->calls ? totals->primitive_calls : (l->left[b->edge] + 1) / 2;
    return calls + (calls == 0);
}

/* Gives the branches from `from` on what fits into `room_ns`, and drops those that get too little. */
static void share_out(layout *l, size_t from, int64_t room_ns)
{
    size_t kept = from;
    for (size_t i = from; i < l->branches.count; i++) {
        branch b = l->branches.items[i];
        b.time_ns = smaller(b.time_ns, room_ns);
        if (b.time_ns < l->shortest_ns) {
            l->left_out++;
            continue;
        }
        b.calls = calls_of(l, &b);
        if (!is_recursive(&l->graph->edges.items[b.edge].totals))
            l->left[b.edge] -= b.time_ns;
        room_ns -= b.time_ns;
        l->branches.items[kept++] = b;
    }
    l->branches.count = kept;
}

static void add_span(layout *l, const branch *b, int64_t start_ns)
{
    const opli_call_function *function = &l->graph->functions.items[b->function];
    opli_builder_arg(l->builder, l->file_key, OPLI_ARG_TEXT, function->file);
    opli_builder_arg(l->builder, l->line_key, OPLI_ARG_INT, (uint64_t)function->line);
    opli_builder_span(l->builder, &(opli_span_draft){.start_ns = start_ns,
                                                     .duration_ns = b->time_ns,
                                                     .name = function->name,
                                                     .track = l->track,
                                                     .kind = OPL_CAT_FUNCTION,
                                                     .flags = OPLI_SPAN_SYNTHETIC});
}

/* The branch and all it leads to. Its own time comes last, after what it calls. */
static void lay_out(layout *l, branch b, int64_t start_ns, int depth)
{
    const opli_call_totals *totals = &l->graph->functions.items[b.function].totals;
    size_t from = l->branches.count;
    add_span(l, &b, start_ns);
    l->open[b.function]++;
    if (depth < DEPTH_MAX)
        add_children(l, b.function, b.time_ns);
    else
        l->left_out++;
    sort_branches(l, from);
    int64_t own_ns = scale(totals->own_ns, b.calls, totals->calls);
    share_out(l, from, b.time_ns - smaller(b.time_ns, own_ns));
    for (size_t i = from, end = l->branches.count; !l->out_of_memory && i < end; i++) {
        branch child = l->branches.items[i];
        int64_t used = is_recursive(&l->graph->edges.items[child.edge].totals) ? child.calls : 0;
        l->left[child.edge] -= used;
        lay_out(l, child, start_ns, depth + 1);
        l->left[child.edge] += used;
        start_ns += child.time_ns;
    }
    l->open[b.function]--;
    l->branches.count = from;
}

/* ---- roots ---- */

/* Calls that no edge explains came from outside the profile; they can only be outermost. */
static void add_roots(layout *l, const int64_t *explained)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < l->graph->functions.count; i++) {
        const opli_call_totals *totals = &l->graph->functions.items[i].totals;
        int64_t outside = smaller(totals->calls - smaller(explained[i], totals->calls), totals->primitive_calls);
        int64_t time_ns = scale(totals->total_ns, outside, totals->primitive_calls);
        if (time_ns > 0)
            add_branch(l, (branch){i, 0, time_ns, outside, time_ns});
        if (totals->total_ns > l->graph->functions.items[largest].totals.total_ns)
            largest = i;
    }
    const opli_call_totals *totals = &l->graph->functions.items[largest].totals;
    if (!l->branches.count && totals->total_ns > 0)
        add_branch(l, (branch){largest, 0, totals->total_ns, totals->primitive_calls, totals->total_ns});
}

static bool find_roots(layout *l)
{
    int64_t *explained = calloc(l->graph->functions.count, sizeof *explained);
    if (!explained)
        return false;
    for (size_t i = 0; i < l->graph->edges.count; i++) {
        const opli_call_edge *edge = &l->graph->edges.items[i];
        if (__builtin_add_overflow(explained[edge->callee], edge->totals.calls, &explained[edge->callee]))
            explained[edge->callee] = INT64_MAX;
    }
    add_roots(l, explained);
    free(explained);
    sort_branches(l, 0);
    return !l->out_of_memory;
}

/* One root after the other, as long as time lasts. */
static void lay_out_roots(layout *l)
{
    int64_t start_ns = 0, room_ns = INT64_MAX / 4;
    for (size_t i = 0; i < l->branches.count; i++)
        start_ns += l->branches.items[i].time_ns = smaller(l->branches.items[i].time_ns, room_ns - start_ns);
    l->shortest_ns = start_ns / PARTS_MAX + (start_ns < PARTS_MAX);
    start_ns = 0;
    for (size_t i = 0, end = l->branches.count; !l->out_of_memory && i < end; i++) {
        branch root = l->branches.items[i];
        lay_out(l, root, start_ns, 0);
        start_ns += root.time_ns;
    }
}

bool opli_call_tree_lay_out(const opli_call_graph *graph, opli_builder *builder, uint32_t track, uint64_t *left_out)
{
    layout l = {.graph = graph, .builder = builder, .track = track};
    *left_out = 0;
    if (!graph->functions.count)
        return true;
    l.file_key = opli_builder_word(builder, "file");
    l.line_key = opli_builder_word(builder, "line");
    bool ok = prepare(&l) && find_roots(&l);
    if (ok)
        lay_out_roots(&l);
    *left_out = l.left_out;
    free(l.first_edge);
    free(l.edges);
    free(l.edge_ns);
    free(l.left);
    free(l.open);
    opli_vector_free(&l.branches);
    return ok && !l.out_of_memory;
}
