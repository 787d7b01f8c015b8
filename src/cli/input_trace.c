/* input_trace.c - the files and directories a user named, as one trace. */
#include "cli/input_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/input_files.h"
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

int opli_input_trace_open(const opli_given *given, opli_trace *trace)
{
    opli_input_files files = {0};
    opl_error err = {OPL_OK, ""};
    opl_status st = OPL_OK;
    memset(trace, 0, sizeof *trace);
    for (size_t i = 0; st == OPL_OK && i < given->operand_count; i++)
        st = opli_input_files_add_traces(&files, given->operands[i], &err);
    if (st == OPL_OK)
        st = opli_trace_open((const char *const *)files.items, files.count, trace, &err);
    if (st == OPL_OK)
        say_notes(given, trace);
    else
        opli_complain(given, "%s", err.message);
    opli_input_files_free(&files);
    return st == OPL_OK ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}
