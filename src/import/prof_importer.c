/* prof_importer.c - cProfile's .prof files: a marshalled dict of functions, each with who called it.
 *
 *     {(file, line, name): (primitive calls, calls, own seconds, total seconds, {caller: its part})}
 *
 * The numbers are kept exactly (trace/call_graph.h); the call tree we draw is estimated, and says so. */
#include <math.h>
#include <stdlib.h>

#include "base/failure.h"
#include "import/call_tree.h"
#include "import/importer.h"
#include "import/marshal.h"

#define ESTIMATED "the file holds no start times: the call tree is estimated from who called whom"

typedef struct importing {
    opli_builder *builder;
    const opli_marshal *marshal;
    opli_call_graph graph;
    uint64_t edges_left; /* a file cannot hold more than it has bytes; but references could claim so */
    uint64_t unreadable;
    bool out_of_memory;
} importing;

/* ---- recognising ---- */

/* A dict whose first key is a tuple of three, or an empty dict. */
static bool recognises(const opli_source *source)
{
    const unsigned char *b = (const unsigned char *)source->bytes;
    if (source->size < 2 || (b[0] & 0x7f) != '{')
        return false;
    if (b[1] == '0')
        return source->size == 2;
    int type = b[1] & 0x7f;
    return (type == ')' && source->size > 2 && b[2] == 3) ||
           (type == '(' && source->size > 5 && b[2] == 3 && !b[3] && !b[4] && !b[5]);
}

/* ---- numbers ---- */

static bool is_number(const opli_marshal_value *value)
{
    return value->kind == OPLI_MARSHAL_INT || (value->kind == OPLI_MARSHAL_REAL && isfinite(value->real));
}

static bool is_count(const opli_marshal_value *value) { return value->kind == OPLI_MARSHAL_INT && value->number >= 0; }

/* Seconds as nanoseconds; what is too long stays at three hundred years less a bit. */
static int64_t nanoseconds(const opli_marshal_value *value)
{
    double seconds = value->kind == OPLI_MARSHAL_INT ? (double)value->number : value->real;
    double limit = 9e9;
    return llround((seconds > limit ? limit : seconds < -limit ? -limit : seconds) * 1e9);
}

/* Four numbers in a row. cProfile writes (primitive, all) for a function but (all, primitive) for an
 * edge; since there are never fewer calls than primitive ones, the numbers tell which is which. */
static bool read_totals(const importing *im, const opli_marshal_value *tuple, opli_call_totals *totals)
{
    const opli_marshal_value *items[4];
    for (uint32_t i = 0; i < 4; i++)
        items[i] = opli_marshal_item(im->marshal, tuple, i);
    if (!is_count(items[0]) || !is_count(items[1]) || !is_number(items[2]) || !is_number(items[3]))
        return false;
    bool all_first = items[0]->number > items[1]->number;
    *totals = (opli_call_totals){.calls = items[all_first ? 0 : 1]->number,
                                 .primitive_calls = items[all_first ? 1 : 0]->number,
                                 .own_ns = nanoseconds(items[2]),
                                 .total_ns = nanoseconds(items[3])};
    return true;
}

/* ---- functions and edges ---- */

/* The row of (file, line, name), OPLI_NO_ROW if it is something else. */
static uint32_t read_function(importing *im, const opli_marshal_value *key)
{
    const opli_marshal_value *file = opli_marshal_item(im->marshal, key, 0);
    const opli_marshal_value *line = opli_marshal_item(im->marshal, key, 1);
    const opli_marshal_value *name = opli_marshal_item(im->marshal, key, 2);
    if (file->kind != OPLI_MARSHAL_TEXT || line->kind != OPLI_MARSHAL_INT || name->kind != OPLI_MARSHAL_TEXT)
        return OPLI_NO_ROW;
    uint32_t row = opli_call_graph_function(&im->graph, opli_builder_text(im->builder, file->text, file->length),
                                            line->number, opli_builder_text(im->builder, name->text, name->length));
    im->out_of_memory |= row == OPLI_NO_ROW;
    return row;
}

/* A caller's part: four numbers, or from Python's old `profile` only how often it called. */
static void read_edge(importing *im, uint32_t callee, const opli_marshal_value *key, const opli_marshal_value *part)
{
    opli_call_totals totals = {0};
    bool is_timed = part->kind == OPLI_MARSHAL_TUPLE && read_totals(im, part, &totals);
    if (is_count(part))
        totals.calls = totals.primitive_calls = part->number;
    uint32_t caller = is_timed || is_count(part) ? read_function(im, key) : OPLI_NO_ROW;
    if (caller == OPLI_NO_ROW || !im->edges_left) {
        im->unreadable++;
        return;
    }
    im->edges_left--;
    uint32_t row = opli_call_graph_edge(&im->graph, caller, callee);
    im->out_of_memory |= row == OPLI_NO_ROW;
    if (row == OPLI_NO_ROW)
        return;
    opli_call_edge *edge = &im->graph.edges.items[row];
    edge->is_timed &= is_timed;
    opli_call_totals_add(&edge->totals, &totals);
}

/* A function of the dict with its numbers, which the edges need to be complete. */
static uint32_t read_entry(importing *im, const opli_marshal_value *key, const opli_marshal_value *entry)
{
    opli_call_totals totals;
    bool fits = entry->kind == OPLI_MARSHAL_TUPLE && read_totals(im, entry, &totals);
    uint32_t function = fits ? read_function(im, key) : OPLI_NO_ROW;
    if (function == OPLI_NO_ROW)
        im->unreadable++;
    else
        opli_call_totals_add(&im->graph.functions.items[function].totals, &totals);
    return function;
}

static void read_callers(importing *im, uint32_t function, const opli_marshal_value *callers)
{
    if (callers->kind != OPLI_MARSHAL_DICT)
        return;
    for (uint32_t i = 0; im->edges_left && !im->out_of_memory && i + 1 < callers->item_count; i += 2)
        read_edge(im, function, opli_marshal_item(im->marshal, callers, i),
                  opli_marshal_item(im->marshal, callers, i + 1));
}

/* First all functions, then all edges: so functions keep the order of the file, as in pstats. */
static void read_entries(importing *im)
{
    const opli_marshal_value *root = opli_marshal_root(im->marshal);
    uint32_t count = root->kind == OPLI_MARSHAL_DICT ? root->item_count / 2 : 0;
    opli_marshal_rows functions = {0};
    for (uint32_t i = 0; !im->out_of_memory && i < count; i++) {
        uint32_t *row = opli_vector_add(&functions);
        if (row)
            *row = read_entry(im, opli_marshal_item(im->marshal, root, 2 * i),
                              opli_marshal_item(im->marshal, root, 2 * i + 1));
        im->out_of_memory |= !row;
    }
    for (uint32_t i = 0; !im->out_of_memory && i < count; i++)
        if (functions.items[i] != OPLI_NO_ROW)
            read_callers(im, functions.items[i],
                         opli_marshal_item(im->marshal, opli_marshal_item(im->marshal, root, 2 * i + 1), 4));
    im->unreadable += !im->edges_left;
    opli_vector_free(&functions);
}

/* ---- the file ---- */

/* A track of its own, since nothing says how the times of two files relate. */
static uint32_t new_track(importing *im, enum opli_track_kind kind, const char *name)
{
    opli_trace *trace = im->builder->trace;
    uint32_t process = opli_builder_process(im->builder, 0);
    uint32_t track = opli_builder_track(im->builder, kind, process, OPLI_NO_ROW, (int64_t)trace->tracks.count);
    if (!im->builder->out_of_memory)
        trace->tracks.items[track].name = opli_builder_word(im->builder, name);
    return track;
}

static void fill_trace(importing *im)
{
    uint64_t left_out = 0;
    opli_builder *builder = im->builder;
    uint32_t tree = new_track(im, OPLI_TRACK_THREAD, "estimated call tree");
    im->out_of_memory |= !opli_call_tree_lay_out(&im->graph, builder, tree, &left_out);
    opli_call_graph_store(&im->graph, builder, new_track(im, OPLI_TRACK_ASYNC, "function totals"));
    builder->trace->source = opli_builder_word(builder, "cProfile");
    opli_builder_note(builder, ESTIMATED, 1, false);
    opli_builder_note(builder, "branches too short to be drawn are not in the estimated call tree", left_out, false);
    opli_builder_note(builder, "entries that are no function's numbers were skipped", im->unreadable, true);
    opli_builder_note(builder, "the profile ends early or holds something unknown: the rest is missing",
                      !im->marshal->complete, true);
    opli_builder_note(builder, "something stands behind the profile: it was skipped",
                      im->marshal->complete && im->marshal->bytes_left, true);
}

static opl_status read_profile(const opli_source *source, opli_builder *builder, opl_error *err)
{
    opli_marshal marshal;
    importing im = {.builder = builder, .marshal = &marshal, .edges_left = source->size};
    opl_status st = opli_marshal_read(&marshal, source->bytes, source->size);
    if (st == OPL_OK)
        read_entries(&im);
    if (st == OPL_OK && !im.graph.functions.count && !marshal.complete)
        st = OPL_FORMAT;
    else if (st == OPL_OK)
        fill_trace(&im);
    if (im.out_of_memory)
        st = OPL_NOMEM;
    opli_call_graph_free(&im.graph);
    opli_marshal_free(&marshal);
    if (st == OPL_FORMAT)
        return opli_fail(err, st, "%s: begins like a cProfile file, but holds no function", source->path);
    return st == OPL_OK ? st : opli_fail(err, st, "%s: not enough memory for what is in it", source->path);
}

const opli_importer opli_importer_prof = {
    .name = "prof",
    .summary = "cProfile's .prof files",
    .recognises = recognises,
    .read = read_profile,
};
