/* cmd_report.c - `oplens report`: a table about a trace. */
#include <stdlib.h>
#include <string.h>

#include "base/table_format.h"
#include "cli/asked_table.h"
#include "cli/command.h"
#include "cli/input_trace.h"
#include "cli/option_words.h"
#include "cli/output_file.h"

/* What was cut off is said where a person reads it, but never inside CSV or JSON. */
static void say_left_out(const opli_given *given, size_t left_out, bool as_text, opli_text *out)
{
    opli_text line = {0};
    if (!left_out)
        return;
    opli_text_add_counted(&line, left_out, "more row");
    if (as_text)
        opli_text_addf(out, "%s; a larger --limit shows them\n", line.bytes);
    else
        opli_complain(given, "%s left out by --limit", line.bytes);
    opli_text_free(&line);
}

static int print_table(const opli_given *given, const opli_table *table, const opli_table_format *format,
                       size_t left_out)
{
    const char *path = opli_given_value(given, "output");
    bool as_text = strcmp(format->name, "text") == 0;
    opli_text out = {0};
    FILE *file = opli_output_open(given, path);
    if (!file)
        return OPLI_EXIT_FAILED;
    format->print(table, file == stdout ? opli_terminal_width() : 0, &out);
    say_left_out(given, left_out, as_text, &out);
    if (out.length)
        fwrite(out.bytes, 1, out.length, file);
    if (out.cut)
        opli_complain(given, "there was not enough memory for the whole table");
    int status = out.cut ? OPLI_EXIT_FAILED : OPLI_EXIT_OK;
    opli_text_free(&out);
    int closed = opli_output_close(given, path, file);
    return status == OPLI_EXIT_OK ? closed : status;
}

static int print_list(const opli_given *given, const opli_table_format *format)
{
    opli_table table;
    int status = opli_asked_list(&table) ? print_table(given, &table, format, 0) : OPLI_EXIT_FAILED;
    opli_table_free(&table);
    return status;
}

static int print_analysis(const opli_given *given, const opli_analysis *analysis, const opli_table_format *format)
{
    opli_trace trace;
    opli_table table = {.column_count = 0};
    size_t left_out;
    bool sums_will_do =
        analysis->sums_will_do && !opli_given_value(given, "group-by") && !opli_given_value(given, "top-level");
    int status = sums_will_do ? opli_input_trace_open_sums(given, &trace) : opli_input_trace_open(given, &trace);
    if (status == OPLI_EXIT_OK)
        status = opli_asked_table(given, analysis, &trace, &table, &left_out);
    if (status == OPLI_EXIT_OK)
        status = print_table(given, &table, format, left_out);
    opli_table_free(&table);
    opli_trace_free(&trace);
    return status;
}

static int run_report(const opli_given *given)
{
    const char *name = opli_given_value(given, "table"), *format_name = opli_given_value(given, "format");
    const opli_table_format *format = opli_table_format_find(format_name ? format_name : "text");
    if (!format) {
        opli_complain(given, "there is no format '%s'; there are %s", format_name, opli_table_format_names());
        return OPLI_EXIT_USAGE;
    }
    if (!name)
        return print_list(given, format);
    const opli_analysis *analysis = opli_asked_analysis(given, name);
    if (!analysis)
        return OPLI_EXIT_USAGE;
    if (!given->operand_count) {
        opli_complain(given, "needs a trace to make the table '%s' of", name);
        return OPLI_EXIT_USAGE;
    }
    return print_analysis(given, analysis, format);
}

static void add_words(const char *option, opli_text *words)
{
    if (strcmp(option, "table") == 0)
        opli_words_add_tables(words);
    if (strcmp(option, "format") == 0)
        opli_words_add_table_formats(words);
    if (strcmp(option, "group-by") == 0)
        opli_text_addf(words, "shape stack:5");
}

static const opli_option report_options[] = {
    {"table", "NAME", "the table to make; without it the tables are listed"},
    {"sort", "KEY,...", "sort by these columns; a minus before one puts the largest first"},
    {"filter", "EXPR", "keep rows such as 'name ~ \"aten::\" and (count > 10 or cpu_total > 5ms)'"},
    {"limit", "N", "show N rows, and say how many more there are"},
    {"group-by", "HOW", "tell spans of one name apart by shape, overload, module or stack:N callers"},
    {"top-level", NULL, "only spans that are not inside another of their kind"},
    {"format", "NAME", "text, csv, json or markdown"},
    {"output", "FILE", "write to FILE; packed if its name ends in .gz"},
    {"stats", NULL, "say on stderr how fast it went and how much memory it took"},
    {NULL, NULL, NULL}};

static const opli_letter report_letters[] = {{'o', "output"}, {0, NULL}};

const opli_command opli_cmd_report = {
    .name = "report",
    .operands = "[TRACE...]",
    .summary = "make a table about a trace",
    .details = "TRACE is a file of any format we read, or a directory of them; several are taken as one.\n"
               "A filter compares columns by their keys with = != < <= > >= and ~ (contains a text, or\n"
               "matches a /regular expression/), joined by and, or, not and parentheses. Numbers may have\n"
               "a unit: 10us, 5ms, 1MB. CSV and JSON have exact numbers; their keys are the columns' keys.\n"
               "What had to be mended in the trace, and what is missing from it, is said on stderr.",
    .examples = "  oplens report\n"
                "  oplens report run.opl --table averages --limit 20\n"
                "  oplens report run.opl --table averages --sort -count,name --format csv -o ops.csv",
    .options = report_options,
    .letters = report_letters,
    .run = run_report,
    .add_words = add_words,
};
