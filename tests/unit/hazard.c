/* hazard.c - a small trace with something the matter, written as a file and opened as users do. */
#define _GNU_SOURCE
#include "hazard.h"

#include "base/json_check.h"
#include "export/exporter.h"
#include "test.h"

static const char *write_file(const void *bytes, size_t size)
{
    const char *path = test_path("hazard.json");
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
    return path;
}

void hazard_open_bytes(opli_trace *trace, const void *bytes, size_t size)
{
    opl_error err = {OPL_OK, ""};
    const char *path = write_file(bytes, size);
    if (opli_trace_open(&path, 1, trace, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

static char *quote(const char *json)
{
    char *text = strdup(json);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    return text;
}

opl_status hazard_try(opli_trace *trace, const char *json, opl_error *err)
{
    char *text = quote(json);
    const char *path = write_file(text, strlen(text));
    free(text);
    return opli_trace_open(&path, 1, trace, err);
}

void hazard_open(opli_trace *trace, const char *json)
{
    opl_error err = {OPL_OK, ""};
    if (hazard_try(trace, json, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

void hazard_check(const opli_trace *trace, uint64_t kept, uint64_t lost)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < trace->notes.count; i++)
        counted += trace->notes.items[i].is_loss ? trace->notes.items[i].count : 0;
    CHECK_EQ(opli_trace_events(trace), kept);
    CHECK_EQ(counted, lost);
}

uint32_t hazard_span(const opli_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->spans.count; i++)
        if (strcmp(opli_trace_text(trace, trace->spans.name[i]), name) == 0)
            return i;
    fail_msg("there is no span '%s'", name);
    return OPLI_NO_ROW;
}

void hazard_check_export(const opli_trace *trace)
{
    char *bytes = NULL;
    size_t size = 0;
    opl_error err = {OPL_OK, ""};
    opli_trace again;
    FILE *file = open_memstream(&bytes, &size);
    CHECK_EQ(opli_exporter_chrome.write(trace, &(opli_export_options){0}, file, &err), OPL_OK);
    CHECK_EQ(fclose(file), 0);
    CHECK(opli_json_is_valid(bytes, size));
    hazard_open_bytes(&again, bytes, size);
    CHECK_EQ(again.spans.count, trace->spans.count);
    opli_trace_free(&again);
    free(bytes);
}
