/* reading.c - bytes read by an importer, and all that must be true of what comes out. */
#define _GNU_SOURCE
#include "reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/json_check.h"
#include "export/exporter.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS

static void must(bool truth)
{
    if (!truth)
        abort();
}

/* ---- spans ---- */

static void check_span(const opli_trace *trace, uint32_t row)
{
    const opli_spans *spans = &trace->spans;
    uint32_t parent = spans->parent[row];
    must(spans->duration_ns[row] >= 0 && spans->track[row] < trace->tracks.count);
    must((size_t)spans->first_arg[row] + spans->arg_count[row] <= trace->args.count);
    if (parent == OPLI_NO_ROW)
        return;
    must(parent < row && spans->track[parent] == spans->track[row] && spans->lane[parent] == spans->lane[row]);
    must(spans->start_ns[parent] <= spans->start_ns[row]);
    must(spans->start_ns[row] + spans->duration_ns[row] <= spans->start_ns[parent] + spans->duration_ns[parent]);
}

static void check_spans(const opli_trace *trace)
{
    size_t next = 0;
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const opli_track *track = &trace->tracks.items[t];
        must(track->first == next && track->end >= next && track->process < trace->processes.count);
        must(track->device == OPLI_NO_ROW || track->device < trace->devices.count);
        next = track->end;
    }
    must(next == trace->spans.count);
    for (uint32_t row = 0; row < trace->spans.count; row++)
        check_span(trace, row);
}

/* ---- the others ---- */

static void check_events(const opli_trace *trace)
{
    for (size_t i = 0; i < trace->instants.count; i++)
        must(trace->instants.items[i].track < trace->tracks.count);
    for (size_t i = 0; i < trace->counters.count; i++)
        must(trace->counters.items[i].process < trace->processes.count);
    for (size_t i = 0; i < trace->memory.count; i++)
        must(trace->memory.items[i].track < trace->tracks.count &&
             (trace->memory.items[i].span == OPLI_NO_ROW || trace->memory.items[i].span < trace->spans.count));
    for (size_t i = 0; i < trace->flows.count; i++)
        must(trace->flows.items[i].track < trace->tracks.count &&
             (trace->flows.items[i].span == OPLI_NO_ROW || trace->flows.items[i].span < trace->spans.count));
    for (size_t i = 0; i < trace->notes.count; i++)
        must(trace->notes.items[i].count > 0 && opli_trace_text(trace, trace->notes.items[i].sentence)[0]);
}

/* ---- questions ---- */

static opli_text answer(const opli_trace *trace, const opli_analysis *analysis)
{
    opli_table table = {.column_count = 0};
    opli_text json = {0};
    opl_error err = {OPL_OK, ""};
    if (analysis->run(trace, &(opli_question){0}, &table, &err) == OPL_OK)
        opli_table_print_json(&table, &json);
    opli_table_free(&table);
    return json;
}

static void check_analysis(const opli_trace *trace, const opli_analysis *analysis)
{
    opli_text once = answer(trace, analysis), twice = answer(trace, analysis);
    must(once.length == twice.length && (!once.length || memcmp(once.bytes, twice.bytes, once.length) == 0));
    must(!once.length || once.cut || opli_json_is_valid(once.bytes, once.length));
    opli_text_free(&once);
    opli_text_free(&twice);
}

static void check_export(const opli_trace *trace)
{
    char *bytes = NULL;
    size_t length = 0;
    opl_error err = {OPL_OK, ""};
    FILE *file = open_memstream(&bytes, &length);
    must(file && opli_exporter_chrome.write(trace, &(opli_export_options){0}, file, &err) == OPL_OK);
    must(fclose(file) == 0 && opli_json_is_valid(bytes, length));
    free(bytes);
}

void reading_check_trace(const opli_trace *trace)
{
    check_spans(trace);
    check_events(trace);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
        check_analysis(trace, analyses[i]);
    check_export(trace);
}

/* ---- reading ---- */

static void read_source(const opli_importer *importer, const opli_source *source)
{
    opli_trace trace;
    opli_builder builder;
    opl_error err = {OPL_OK, ""};
    opli_builder_init(&builder, &trace);
    opl_status st = importer->read(source, &builder, &err);
    must(st == OPL_OK || strncmp(err.message, "fuzz: ", 6) == 0);
    if (opli_builder_finish(&builder) == OPL_OK && st == OPL_OK)
        reading_check_trace(&trace);
    opli_trace_free(&trace);
}

void reading_check(const opli_importer *importer, const uint8_t *bytes, size_t size)
{
    char *copy = malloc(size ? size : 1); /* of just that size, so that one byte too many is noticed */
    if (!copy || !size) {
        free(copy);
        return;
    }
    memcpy(copy, bytes, size);
    opli_source source = {.path = "fuzz", .bytes = copy, .size = size, .file_size = size};
    if (importer->recognises(&source))
        read_source(importer, &source);
    free(copy);
}
