/* prof.c - a trace as cProfile's .prof, for pstats and snakeviz: a marshalled dict.
 *
 *     {(file, line, name): (primitive calls, calls, own seconds, total seconds, {caller: its part})}
 *
 * A caller's part is (calls, primitive calls, own seconds, total seconds): the first two the other way round, as
 * cProfile has it. A function is written out where it is first mentioned and referred to from then on. Where nothing is
 * known of a file it is ~ and the line 0, which pstats leaves out. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/utf8.h"
#include "export/exporter.h"
#include "export/span_calls.h"

#define REMEMBER 0x80
#define NOT_WRITTEN UINT32_MAX
#define NO_EDGE UINT32_MAX

typedef struct writing {
    FILE *file;
    const opli_trace *trace;
    opli_call_graph graph;
    size_t profiled_count; /* of functions, the first: those that a profiler counted */
    uint32_t *written;     /* of functions: the number to refer to, or NOT_WRITTEN */
    uint32_t *first_of;    /* of functions: the first edge to it, or NO_EDGE */
    uint32_t *next_of;     /* of edges: the next one to the same function */
    uint32_t written_count;
    opli_text mended;
} writing;

/* ---- values ---- */

static void put_number(writing *w, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        putc((int)(number >> 8 * i & 0xff), w->file);
}

/* Four bytes where they suffice, else digits of 15 bits, whose count carries the sign. */
static void put_integer(writing *w, int64_t number)
{
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int32_t digits = 0;
    if (number == (int32_t)number) {
        putc('i', w->file);
        put_number(w, (uint32_t)number, 4);
        return;
    }
    for (uint64_t rest = left; rest; rest >>= 15)
        digits++;
    putc('l', w->file);
    put_number(w, (uint32_t)(number < 0 ? -digits : digits), 4);
    for (; left; left >>= 15)
        put_number(w, left & 0x7fff, 2);
}

/* cProfile multiplies its nanoseconds in the same way: what it wrote comes back to the bit. */
static void put_seconds(writing *w, int64_t ns)
{
    double seconds = (double)ns * 1e-9;
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    putc('g', w->file);
    put_number(w, bits, sizeof bits);
}

/* Python refuses a file with a text that is no UTF-8. */
static void put_text(writing *w, const char *text, size_t length)
{
    opli_text_reset(&w->mended);
    for (size_t at = 0, step; at < length; at += step ? step : 1) {
        step = opli_utf8_length(text + at, length - at);
        opli_text_add(&w->mended, step ? text + at : "\xef\xbf\xbd", step ? step : 3);
    }
    putc('u', w->file);
    put_number(w, w->mended.length, 4);
    if (w->mended.length)
        fwrite(w->mended.bytes, 1, w->mended.length, w->file);
}

static void put_tuple(writing *w, unsigned items) { fprintf(w->file, ")%c", (int)items); }

/* ---- functions ---- */

/* PyTorch names a Python function "file.py(12): name"; false when this is no such name. */
static bool split_name(const char *text, size_t length, size_t *file_length, int64_t *line, size_t *name_from)
{
    const char *mark = memmem(text, length, "): ", 3), *digit = mark;
    while (digit && digit > text && isdigit((unsigned char)digit[-1]))
        digit--;
    if (!mark || mark == digit || mark - digit > 9 || digit - text < 2 || digit[-1] != '(')
        return false;
    *file_length = (size_t)(digit - 1 - text);
    *line = strtoll(digit, NULL, 10);
    *name_from = (size_t)(mark + 3 - text);
    return *name_from < length;
}

/* What a profiler said is kept as it is; of a span's file nothing may be known. */
static void put_key(writing *w, uint32_t row)
{
    const opli_call_function *function = &w->graph.functions.items[row];
    const opli_string_table *strings = &w->trace->strings;
    const char *name = opli_string_get(strings, function->name), *file = opli_string_get(strings, function->file);
    size_t name_length = opli_string_length(strings, function->name), name_from = 0;
    size_t file_length = opli_string_length(strings, function->file);
    bool is_known = row < w->profiled_count || file_length;
    int64_t line = function->line;
    if (!is_known && split_name(name, name_length, &file_length, &line, &name_from))
        file = name;
    else if (!is_known) {
        file = "~";
        file_length = 1;
    }
    put_text(w, file, file_length);
    put_integer(w, line);
    put_text(w, name + name_from, name_length - name_from);
}

static void put_function(writing *w, uint32_t row)
{
    if (w->written[row] != NOT_WRITTEN) {
        putc('r', w->file);
        put_number(w, w->written[row], 4);
        return;
    }
    w->written[row] = w->written_count++;
    fprintf(w->file, "%c%c", ')' | REMEMBER, 3);
    put_key(w, row);
}

/* ---- calls ---- */

/* Python's old `profile` knows of a caller only how often it called. */
static void put_part(writing *w, const opli_call_edge *edge)
{
    put_function(w, edge->caller);
    if (edge->is_timed) {
        put_tuple(w, 4);
        put_integer(w, edge->totals.calls);
        put_integer(w, edge->totals.primitive_calls);
        put_seconds(w, edge->totals.own_ns);
        put_seconds(w, edge->totals.total_ns);
    } else
        put_integer(w, edge->totals.calls);
}

static void put_entry(writing *w, uint32_t row)
{
    const opli_call_totals *totals = &w->graph.functions.items[row].totals;
    put_function(w, row);
    put_tuple(w, 5);
    put_integer(w, totals->primitive_calls);
    put_integer(w, totals->calls);
    put_seconds(w, totals->own_ns);
    put_seconds(w, totals->total_ns);
    putc('{', w->file);
    for (uint32_t edge = w->first_of[row]; edge != NO_EDGE; edge = w->next_of[edge])
        put_part(w, &w->graph.edges.items[edge]);
    putc('0', w->file);
}

/* Chains the edges of each function, in the order they are in. */
static bool chain_edges(writing *w)
{
    size_t functions = w->graph.functions.count, edges = w->graph.edges.count;
    w->written = malloc((functions + 1) * sizeof *w->written);
    w->first_of = malloc((functions + 1) * sizeof *w->first_of);
    w->next_of = malloc((edges + 1) * sizeof *w->next_of);
    if (!w->written || !w->first_of || !w->next_of)
        return false;
    for (size_t i = 0; i < functions; i++) {
        w->written[i] = NOT_WRITTEN;
        w->first_of[i] = NO_EDGE;
    }
    for (size_t i = edges; i-- > 0;) {
        uint32_t callee = w->graph.edges.items[i].callee;
        w->next_of[i] = w->first_of[callee];
        w->first_of[callee] = (uint32_t)i;
    }
    return true;
}

/* A function that never ran is known as a caller; readers want to find callers in the dict, too. */
static void put_all(writing *w)
{
    putc('{', w->file);
    for (size_t i = 0; i < w->graph.functions.count; i++)
        put_entry(w, (uint32_t)i);
    putc('0', w->file);
}

static opl_status write_prof(const opli_trace *trace, const opli_export_options *options, FILE *file, opl_error *err)
{
    writing w = {.file = file, .trace = trace};
    (void)options;
    bool ok = opli_call_graph_load(&w.graph, trace);
    w.profiled_count = w.graph.functions.count;
    ok = ok && opli_span_calls_add(&w.graph, trace) && chain_edges(&w);
    if (ok)
        put_all(&w);
    ok = ok && !w.mended.cut;
    opli_text_free(&w.mended);
    free(w.written);
    free(w.first_of);
    free(w.next_of);
    opli_call_graph_free(&w.graph);
    if (!ok)
        return opli_fail(err, OPL_NOMEM, "there was not enough memory to count the calls");
    if (fflush(file) != 0 || ferror(file))
        return opli_fail(err, OPL_IO, "the profile could not be written: %s", strerror(errno));
    return OPL_OK;
}

const opli_exporter opli_exporter_prof = {
    .name = "prof",
    .suffix = ".prof",
    .summary = "calls and times of each function, for Python's pstats and for snakeviz",
    .write = write_prof,
};
