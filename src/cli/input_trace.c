/* input_trace.c - the files and directories a user named, as one trace. */
#include "cli/input_trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failure.h"
#include "cli/input_files.h"
#include "cli/progress_bar.h"
#include "cli/run_stats.h"
#include "cli/stopwatch.h"
#include "import/importer.h"

/* One line for each: what, and how often. */
static void say_notes(const opli_given *given, const opli_trace *trace)
{
    opli_text line = {0};
    for (size_t i = 0; i < trace->notes.count; i++) {
        const opli_note *note = &trace->notes.items[i];
        opli_text_reset(&line);
        opli_text_addf(&line, "%s: ", note->is_loss ? "lost" : "note");
        opli_text_add_printable(&line, opli_trace_text(trace, note->sentence),
                                opli_string_length(&trace->strings, note->sentence));
        opli_text_addf(&line, " (");
        opli_text_add_count(&line, note->count);
        opli_complain(given, "%s)", line.bytes);
    }
    opli_text_free(&line);
}

/* ---- opening ---- */

typedef struct opening {
    const opli_given *given;
    bool sums_will_do;
    opli_input_files files;
    OPLI_VECTOR(bool) found;         /* of each file: we found it in a directory, nobody named it */
    OPLI_VECTOR(uint64_t) end_bytes; /* of each file: its size and those before it */
    OPLI_VECTOR(opl_error) skipped;
    opli_progress_bar bar;
} opening;

/* Adds an operand's files. Only what somebody named has to be readable. */
static opl_status add_operand(opening *o, const char *operand, opl_error *err)
{
    size_t first = o->files.count;
    opl_status st = opli_input_files_add_traces(&o->files, operand, err);
    for (size_t i = first; st == OPL_OK && i < o->files.count; i++) {
        struct stat info;
        bool *found = opli_vector_add(&o->found);
        uint64_t *end = found ? opli_vector_add(&o->end_bytes) : NULL;
        if (!end)
            return opli_fail(err, OPL_NOMEM, "no memory for the list of files");
        *found = strcmp(o->files.items[i], operand) != 0;
        *end = i ? o->end_bytes.items[i - 1] : 0;
        *end += stat(o->files.items[i], &info) == 0 ? (uint64_t)info.st_size : 0;
    }
    return st;
}

static uint64_t all_bytes(const opening *o)
{
    return o->end_bytes.count ? o->end_bytes.items[o->end_bytes.count - 1] : 0;
}

static bool skip_file(void *context, size_t file, const opl_error *why)
{
    opening *o = context;
    opl_error *skipped = o->found.items[file] ? opli_vector_add(&o->skipped) : NULL;
    if (skipped)
        *skipped = *why;
    return skipped != NULL;
}

/* A packed file is unpacked and then read: both count from its first byte to its last. */
static void move_bar(void *context, const char *path, size_t done_bytes, size_t total_bytes)
{
    opening *o = context;
    for (size_t i = 0; i < o->files.count; i++) {
        if (o->files.items[i] != path)
            continue;
        uint64_t before = i ? o->end_bytes.items[i - 1] : 0, size = o->end_bytes.items[i] - before;
        double part = total_bytes ? (double)done_bytes / (double)total_bytes : 0;
        opli_progress_bar_move(&o->bar, path, before + (uint64_t)((double)size * part));
    }
}

static opl_status read_files(opening *o, opli_trace *trace, opl_error *err)
{
    opli_progress progress = {move_bar, o};
    opli_open_options options = {&progress, skip_file, o, o->sums_will_do};
    opli_progress_bar_begin(&o->bar, "reading", all_bytes(o));
    opli_progress_bar_move(&o->bar, o->files.count ? o->files.items[0] : NULL, 0);
    opl_status st = opli_trace_open_with((const char *const *)o->files.items, o->files.count, &options, trace, err);
    opli_progress_bar_end(&o->bar);
    for (size_t i = 0; i < o->skipped.count; i++)
        opli_complain(o->given, "skipped: %s", o->skipped.items[i].message);
    if (st != OPL_OK || !o->files.count || o->skipped.count < o->files.count)
        return st;
    opli_trace_free(trace);
    return opli_fail(err, OPL_FORMAT, "none of the files could be read");
}

static int open_trace(const opli_given *given, bool sums_will_do, opli_trace *trace)
{
    opening o = {.given = given, .sums_will_do = sums_will_do};
    opl_error err = {OPL_OK, ""};
    opl_status st = OPL_OK;
    int64_t start_ns = opli_stopwatch_ns();
    memset(trace, 0, sizeof *trace);
    for (size_t i = 0; st == OPL_OK && i < given->operand_count; i++)
        st = add_operand(&o, given->operands[i], &err);
    if (st == OPL_OK)
        st = read_files(&o, trace, &err);
    if (st == OPL_OK)
        say_notes(given, trace);
    else
        opli_complain(given, "%s", err.message);
    if (st == OPL_OK && opli_given_value(given, "stats"))
        opli_run_stats_say_reading(given, all_bytes(&o), opli_trace_events(trace), opli_stopwatch_ns() - start_ns);
    opli_input_files_free(&o.files);
    opli_vector_free(&o.found);
    opli_vector_free(&o.end_bytes);
    opli_vector_free(&o.skipped);
    return st == OPL_OK ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}

int opli_input_trace_open(const opli_given *given, opli_trace *trace) { return open_trace(given, false, trace); }

int opli_input_trace_open_sums(const opli_given *given, opli_trace *trace) { return open_trace(given, true, trace); }
