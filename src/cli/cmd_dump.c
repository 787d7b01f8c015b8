/* cmd_dump.c - `oplens dump`: every record of a recording, one per line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/input_files.h"
#include "export/event_line.h"

typedef struct dumping {
    const opli_recording *recording;
    opli_text line;
    bool json;
} dumping;

static bool print_event(void *context, const opli_event *event)
{
    dumping *d = context;
    opli_text_reset(&d->line);
    (d->json ? opli_event_line_json : opli_event_line)(d->recording, event, &d->line);
    return fwrite(d->line.bytes, 1, d->line.length, stdout) == d->line.length;
}

static int dump_file(const opli_given *given, const char *path)
{
    opli_recording recording;
    opl_error err;
    if (opli_recording_open(&recording, path, &err) != OPL_OK) {
        opli_complain(given, "%s", err.message);
        return OPLI_EXIT_FAILED;
    }
    dumping d = {.recording = &recording, .json = opli_given_value(given, "json") != NULL};
    opl_status st = opli_events_visit(&recording, print_event, &d);
    if (st != OPL_OK)
        opli_complain(given, "%s: %s", path, opl_status_sentence(st));
    if (recording.damage_count)
        opli_complain(given, "%s is damaged, and what is whole is shown: %s", path, recording.damage);
    bool well = st == OPL_OK && !recording.damage_count;
    opli_text_free(&d.line);
    opli_recording_close(&recording);
    return well ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}

static int run_dump(const opli_given *given)
{
    opli_input_files files = {0};
    opl_error err;
    int status = OPLI_EXIT_OK;
    for (size_t i = 0; i < given->operand_count; i++) {
        if (opli_input_files_add(&files, given->operands[i], &err) != OPL_OK) {
            opli_complain(given, "%s", err.message);
            status = OPLI_EXIT_FAILED;
        }
    }
    for (size_t i = 0; i < files.count; i++)
        if (dump_file(given, files.items[i]) != OPLI_EXIT_OK)
            status = OPLI_EXIT_FAILED;
    opli_input_files_free(&files);
    return status;
}

static const opli_option dump_options[] = {{"json", NULL, "print one JSON object per line"}, {NULL, NULL, NULL}};

const opli_command opli_cmd_dump = {
    .name = "dump",
    .operands = "FILE...",
    .summary = "print every record, one per line",
    .details = "Thread by thread, in the order the records began, each with its arguments. Times are\n"
               "nanoseconds of CLOCK_MONOTONIC. FILE may be a directory.",
    .examples = "  oplens dump run.opl | less\n  oplens dump --json run.opl | jq 'select(.kind == \"op\") | .name'",
    .options = dump_options,
    .least_operands = 1,
    .run = run_dump,
};
