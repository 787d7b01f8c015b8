/* manual.c - the manual page, in man's own language. */
#include "cli/manual.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"

/* ---- text ---- */

/* Hyphens, quotes and backslashes as they are; a dot at a line's beginning is no request. */
static void add_escaped(opli_text *out, const char *text, size_t length)
{
    if (length && (*text == '.' || *text == '\''))
        opli_text_addf(out, "\\&");
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '\\': opli_text_addf(out, "\\e"); break;
        case '-': opli_text_addf(out, "\\-"); break;
        case '\'': opli_text_addf(out, "\\(aq"); break;
        case '`': opli_text_addf(out, "\\(ga"); break;
        case '~': opli_text_addf(out, "\\(ti"); break;
        case '^': opli_text_addf(out, "\\(ha"); break;
        default: opli_text_add(out, text + i, 1);
        }
}

static void add_text(opli_text *out, const char *text) { add_escaped(out, text, strlen(text)); }

/* Lines that begin with a space stay lines; the others flow. */
static void add_paragraph(opli_text *out, const char *text)
{
    bool kept = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool keep = *text == ' ';
        if (keep != kept)
            opli_text_addf(out, keep ? ".PP\n.nf\n" : ".fi\n.PP\n");
        kept = keep;
        add_escaped(out, text, length);
        opli_text_addf(out, "\n");
        text += length + (text[length] == '\n');
    }
    if (kept)
        opli_text_addf(out, ".fi\n");
}

/* ---- commands ---- */

static void add_option(opli_text *out, const opli_command *command, const opli_option *option)
{
    char letter = opli_option_letter(command, option->name);
    opli_text_addf(out, ".TP\n");
    if (letter)
        opli_text_addf(out, "\\fB\\-%c\\fR, ", letter);
    opli_text_addf(out, "\\fB\\-\\-");
    add_text(out, option->name);
    opli_text_addf(out, "\\fR");
    if (option->value) {
        opli_text_addf(out, " \\fI");
        add_text(out, option->value);
        opli_text_addf(out, "\\fR");
    }
    opli_text_addf(out, "\n");
    add_text(out, option->help);
    opli_text_addf(out, "\n");
}

static void add_synopsis(opli_text *out, const opli_command *command)
{
    opli_text_addf(out, "\\fBoplens %s\\fR%s \\fI", command->name, command->options[0].name ? " [OPTIONS]" : "");
    add_text(out, command->operands);
    opli_text_addf(out, "\\fR\n");
}

static void add_command(opli_text *out, const opli_command *command)
{
    opli_text_addf(out, ".SS oplens %s\n", command->name);
    add_synopsis(out, command);
    opli_text_addf(out, ".PP\n");
    add_text(out, command->summary);
    opli_text_addf(out, ".\n");
    if (command->details) {
        opli_text_addf(out, "%s", *command->details == ' ' ? "" : ".PP\n");
        add_paragraph(out, command->details);
    }
    for (const opli_option *option = command->options; option->name; option++)
        add_option(out, command, option);
    opli_text_addf(out, ".PP\nExamples:\n");
    add_paragraph(out, command->examples);
}

/* ---- the rest ---- */

static void add_statuses(opli_text *out)
{
#define ROW(name, number, sentence) {number, sentence},
    static const struct {
        int number;
        const char *sentence;
    } statuses[] = {OPLI_EXIT_LIST(ROW)};
#undef ROW
    opli_text_addf(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        opli_text_addf(out, ".TP\n.B %d\n", statuses[i].number);
        add_text(out, statuses[i].sentence);
        opli_text_addf(out, "\n");
    }
}

static void add_environment(opli_text *out)
{
    static const char *const variables[][2] = {
        {"COLUMNS", "how wide tables may be, instead of asking the terminal"},
        {"NO_COLOR", "if it is set to anything, nothing is coloured or bold"},
        {"TERM", "\"dumb\" or nothing: no colours and no progress bar"},
        {"OPLENS_DUCKDB", "where libduckdb.so is, for SQL and Parquet"},
        {"OPLENS_OUTPUT",
         "where a program that uses the library records to; docs/reference/environment.md has the rest"},
    };
    opli_text_addf(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        opli_text_addf(out, ".TP\n.B %s\n", variables[i][0]);
        add_text(out, variables[i][1]);
        opli_text_addf(out, "\n");
    }
}

void opli_manual_add(opli_text *out)
{
    opli_text_addf(out, ".\\\" Made from the table of options by 'oplens help --man'.\n"
                        ".TH OPLENS 1 \"\" \"oplens " OPLI_VERSION "\" \"User Commands\"\n"
                        ".SH NAME\noplens \\- show where a machine\\-learning model spends its time and its memory\n"
                        ".SH SYNOPSIS\n");
    for (size_t i = 0; opli_commands[i]; i++) {
        opli_text_addf(out, "%s", i ? ".br\n" : "");
        add_synopsis(out, opli_commands[i]);
    }
    opli_text_addf(out,
                   ".br\n\\fBoplens \\-\\-version\\fR\n.SH DESCRIPTION\n"
                   "Reads traces of any format it knows, plain or packed with gzip or zstd: its own recordings, "
                   "Chrome trace JSON by PyTorch, ONNX Runtime, TensorFlow and others, profiles of Python, and "
                   "vendors' tables. Answers go to stdout; what had to be mended in a trace, what is missing from "
                   "it, and mistakes are said on stderr. What takes more than a second shows a progress bar there, "
                   "if it is a terminal.\n.PP\nAn option's value follows it or stands behind an equals sign; "
                   "\\fB\\-\\-\\fR ends the options.\n.SH COMMANDS\n");
    for (size_t i = 0; opli_commands[i]; i++)
        add_command(out, opli_commands[i]);
    add_statuses(out);
    add_environment(out);
    opli_text_addf(out, ".SH SEE ALSO\n.BR jq (1),\n.BR gzip (1)\n");
}
