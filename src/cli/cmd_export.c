/* cmd_export.c - `oplens export`: a trace, or a part of it, in another format. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quantity.h"
#include "base/table_format.h"
#include "cli/asked_table.h"
#include "cli/command.h"
#include "cli/input_trace.h"
#include "cli/option_words.h"
#include "cli/output_file.h"
#include "cli/parquet_folder.h"
#include "cli/progress_bar.h"
#include "cli/sql_table.h"
#include "export/exporter.h"
#include "query/duckdb_library.h"
#include "trace/trim.h"

/* What is to be written: a trace by an exporter, a table, or a folder of Parquet. */
typedef struct errand {
    const opli_given *given;
    char *path; /* owned; "-" is stdout */
    const opli_exporter *exporter;
    const opli_analysis *analysis;
    const opli_table_format *table_format;
    const char *sql_table; /* the table is SQL's to write */
    opli_trim trim;
    bool trims;
} errand;

/* ---- reading what was asked ---- */

static int refuse_format(const opli_given *given, const char *what)
{
    opli_text names = {0};
    for (size_t i = 0; opli_exporters[i]; i++)
        opli_text_addf(&names, "%s%s (%s)", i ? ", " : "", opli_exporters[i]->name, opli_exporters[i]->suffix);
    opli_complain(given, "%s; there are %s, parquet (.parquet), and csv, json and markdown with --table", what,
                  names.bytes);
    opli_text_free(&names);
    return OPLI_EXIT_USAGE;
}

/* Before a long trace is read. */
static int need_duckdb(const opli_given *given)
{
    const opli_duckdb *duckdb;
    opl_error err;
    if (opli_duckdb_get(&duckdb, &err) == OPL_OK)
        return OPLI_EXIT_OK;
    opli_complain(given, "%s", err.message);
    return OPLI_EXIT_FAILED;
}

/* Whether it is to be Parquet, which only DuckDB can write. */
static bool wants_parquet(const char *path, const char *format)
{
    size_t length = strlen(path);
    while (length && path[length - 1] == '/')
        length--;
    return format ? strcmp(format, "parquet") == 0 : length > 8 && memcmp(path + length - 8, ".parquet", 8) == 0;
}

/* An analysis, or a table of the store. */
static bool find_table(errand *e, const char *name)
{
    opli_text names = {0};
    if (opli_sql_table_is_stored(name)) {
        e->sql_table = name;
        return true;
    }
    e->analysis = opli_asked_analysis(e->given, name);
    if (!e->analysis) {
        opli_sql_table_add_names(&names);
        opli_complain(e->given, "the trace's own tables are %s", names.bytes ? names.bytes : "not known");
        opli_text_free(&names);
    }
    return e->analysis != NULL;
}

static int choose_table_format(errand *e, const char *name, const char *format, const char *path)
{
    char bare[4096];
    bool parquet = wants_parquet(path, format);
    if (!find_table(e, name))
        return OPLI_EXIT_USAGE;
    snprintf(bare, sizeof bare, "%s", path);
    size_t length = strlen(bare);
    if (length > 3 && strcmp(bare + length - 3, ".gz") == 0)
        bare[length - 3] = '\0';
    e->table_format = parquet ? NULL : format ? opli_table_format_find(format) : opli_table_format_of_path(bare);
    if (parquet)
        e->sql_table = name;
    if (parquet || e->table_format)
        return e->sql_table ? need_duckdb(e->given) : OPLI_EXIT_OK;
    opli_complain(e->given, "%s '%s'; a table is written as parquet, %s",
                  format ? "there is no format" : "the format does not show from the name", format ? format : path,
                  opli_table_format_names());
    return OPLI_EXIT_USAGE;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return path[strlen(path) - 1] == '/' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* A name in a folder: the trace's own up to its first dot, and the suffix of the format. What TensorBoard shall find
 * is called .pt.trace.json. */
static char *name_in_folder(const opli_given *given, const char *folder, const char *suffix)
{
    const char *slash = strrchr(given->operands[0], '/');
    const char *name = slash && slash[1] ? slash + 1 : given->operands[0];
    size_t length = strcspn(name, "./");
    opli_text path = {0};
    opli_text_addf(&path, "%s%s%.*s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                   (int)(length ? length : 5), length ? name : "trace", suffix);
    return path.bytes;
}

static int choose_trace_format(errand *e, const char *format, const char *path)
{
    if (wants_parquet(path, format))
        return need_duckdb(e->given);
    bool in_folder = is_folder(path);
    e->exporter = format ? opli_exporter_find(format) : in_folder ? &opli_exporter_chrome : opli_exporter_of_path(path);
    if (!e->exporter)
        return refuse_format(e->given,
                             format ? "there is no such format" : "--format is missing, and the name does not tell");
    if (in_folder) {
        free(e->path);
        e->path = name_in_folder(e->given, path,
                                 e->exporter == &opli_exporter_chrome ? ".pt.trace.json" : e->exporter->suffix);
    }
    return OPLI_EXIT_OK;
}

static int choose_format(errand *e)
{
    const char *path = opli_given_value(e->given, "output"), *format = opli_given_value(e->given, "format");
    const char *table = opli_given_value(e->given, "table");
    if (!path || !*path) {
        opli_complain(e->given, "needs -o FILE to write to; -o - is stdout");
        return OPLI_EXIT_USAGE;
    }
    e->path = strdup(path);
    return table ? choose_table_format(e, table, format, path) : choose_trace_format(e, format, path);
}

static bool read_time(const opli_given *given, const char *option, bool *has, int64_t *ns)
{
    const char *text = opli_given_value(given, option);
    long double value;
    *has = text != NULL;
    if (!text)
        return true;
    if (!opli_quantity_read(text, strlen(text), OPLI_QUANTITY_TIME, &value) || value < 0 || value > 9e18L) {
        opli_complain(given, "--%s takes a time since the trace's beginning, as in 1.5s or 200ms, not '%s'", option,
                      text);
        return false;
    }
    *ns = (int64_t)value;
    return true;
}

/* "7" or "3-5". */
static bool read_steps(const opli_given *given, opli_trim *trim)
{
    const char *text = opli_given_value(given, "step");
    char *end;
    if (!text)
        return true;
    trim->has_steps = true;
    trim->first_step = trim->last_step = strtoll(text, &end, 10);
    bool ok = end != text && *text >= '0' && *text <= '9';
    if (ok && *end == '-') {
        const char *second = end + 1;
        ok = *second >= '0' && *second <= '9';
        trim->last_step = strtoll(second, &end, 10);
    }
    if (ok && !*end && trim->first_step <= trim->last_step)
        return true;
    opli_complain(given, "--step takes a number or two, as in 7 or 3-5, not '%s'", text);
    return false;
}

static int read_trim(errand *e)
{
    opli_trim *trim = &e->trim;
    bool ok = read_time(e->given, "from", &trim->has_from, &trim->from_ns) &&
              read_time(e->given, "to", &trim->has_to, &trim->to_ns) && read_steps(e->given, trim);
    trim->thread = opli_given_value(e->given, "thread");
    trim->categories = opli_given_value(e->given, "category");
    e->trims = trim->has_from || trim->has_to || trim->has_steps || trim->thread || trim->categories;
    return ok ? OPLI_EXIT_OK : OPLI_EXIT_USAGE;
}

/* ---- doing it ---- */

static int write_table(const errand *e, const opli_trace *trace)
{
    opli_table table;
    opli_text out = {0};
    size_t left_out;
    int status = opli_asked_table(e->given, e->analysis, trace, &table, &left_out);
    if (status != OPLI_EXIT_OK)
        return status;
    e->table_format->print(&table, 0, &out);
    FILE *file = opli_output_open(e->given, e->path);
    if (file && out.length)
        fwrite(out.bytes, 1, out.length, file);
    if (out.cut)
        opli_complain(e->given, "there was not enough memory for the whole table");
    status = !file ? OPLI_EXIT_FAILED : opli_output_close(e->given, e->path, file);
    status = out.cut ? OPLI_EXIT_FAILED : status;
    opli_text_free(&out);
    opli_table_free(&table);
    return status;
}

static int write_trace(const errand *e, const opli_trace *trace)
{
    opli_export_options options = {.begin_end = opli_given_value(e->given, "begin-end") != NULL};
    opl_error err = {OPL_OK, ""};
    opli_progress_bar bar = {.runs = false};
    FILE *file = opli_output_open(e->given, e->path);
    if (!file)
        return OPLI_EXIT_FAILED;
    if (file != stdout)
        opli_progress_bar_begin_writing(&bar, e->path);
    opl_status st = e->exporter->write(trace, &options, file, &err);
    opli_progress_bar_end(&bar);
    if (st != OPL_OK)
        opli_complain(e->given, "%s: %s", e->path, err.message);
    int status = opli_output_close(e->given, e->path, file);
    return st == OPL_OK ? status : OPLI_EXIT_FAILED;
}

static int write_parquet(const errand *e, const opli_trace *trace)
{
    opl_error err = {OPL_OK, ""};
    opli_progress_bar bar;
    opli_progress_bar_begin_writing(&bar, e->path);
    opl_status st = opli_parquet_folder_write(trace, e->path, &err);
    opli_progress_bar_end(&bar);
    if (st != OPL_OK)
        opli_complain(e->given, "%s", err.message);
    return st == OPL_OK ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}

static int write_any(const errand *e, const opli_trace *trace)
{
    if (e->sql_table)
        return opli_sql_table_write(e->given, trace, e->sql_table, e->table_format, e->path);
    return e->analysis ? write_table(e, trace) : e->exporter ? write_trace(e, trace) : write_parquet(e, trace);
}

static int write_trimmed(const errand *e, const opli_trace *trace)
{
    opli_trace smaller;
    opl_error err = {OPL_OK, ""};
    opl_status st = opli_trace_trim(trace, &e->trim, &smaller, &err);
    if (st != OPL_OK) {
        opli_complain(e->given, "%s", err.message);
        return st == OPL_INVALID ? OPLI_EXIT_USAGE : OPLI_EXIT_FAILED;
    }
    int status = write_any(e, &smaller);
    opli_trace_free(&smaller);
    return status;
}

static int run_export(const opli_given *given)
{
    errand e = {.given = given};
    opli_trace trace;
    int status = choose_format(&e);
    if (status == OPLI_EXIT_OK)
        status = read_trim(&e);
    if (status == OPLI_EXIT_OK && !e.path)
        status = OPLI_EXIT_FAILED;
    if (status == OPLI_EXIT_OK)
        status = opli_input_trace_open(given, &trace);
    if (status == OPLI_EXIT_OK) {
        status = e.trims ? write_trimmed(&e, &trace) : write_any(&e, &trace);
        opli_trace_free(&trace);
    }
    free(e.path);
    return status;
}

static void add_words(const char *option, opli_text *words)
{
    if (strcmp(option, "table") == 0) {
        opli_words_add_tables(words);
        opli_words_add_stored_tables(words);
    }
    if (strcmp(option, "category") == 0)
        opli_words_add_kinds(words);
    if (strcmp(option, "format") == 0) {
        opli_words_add_trace_formats(words);
        opli_words_add_table_formats(words);
    }
}

static const opli_option export_options[] = {
    {"output", "FILE", "where to write; packed if its name ends in .gz; - is stdout"},
    {"format", "NAME", "chrome, folded, speedscope, prof or parquet; without it the name of FILE tells"},
    {"table", "NAME", "write a table of 'oplens report' or 'query' instead: .csv, .json, .md, .parquet"},
    {"begin-end", NULL, "chrome: write two events a span, B and E, instead of one X"},
    {"from", "TIME", "leave out what ended before, counted from the first event: 1.5s, 200ms"},
    {"to", "TIME", "leave out what began then or later"},
    {"step", "N[-M]", "keep what happened during these steps"},
    {"thread", "TID|NAME", "keep one thread, or one queue of a device"},
    {"category", "LIST", "keep spans of these kinds: op,kernel,copy or the source's own words"},
    {"stats", NULL, "say on stderr how fast it went and how much memory it took"},
    {NULL, NULL, NULL}};

static const opli_letter export_letters[] = {{'o', "output"}, {0, NULL}};

const opli_command opli_cmd_export = {
    .name = "export",
    .operands = "TRACE...",
    .summary = "write a trace, or a part of it, in another format",
    .details = "TRACE is a file of any format we read, or a directory of them; several are taken as one.\n"
               "  chrome      .json             for Perfetto, chrome://tracing and TensorBoard\n"
               "  speedscope  .speedscope.json  for speedscope.app\n"
               "  folded      .folded           stacks with their own time in us, for flame graphs\n"
               "  prof        .prof             calls of each function, for pstats and snakeviz\n"
               "  parquet     .parquet          a folder with a file for each table of 'oplens query'; by DuckDB\n"
               "If FILE is a folder, a Chrome trace gets a name that TensorBoard finds in it: run.pt.trace.json.\n"
               "A span that reaches into the part that is kept stays whole.",
    .examples = "  oplens export run.opl -o run.json.gz\n"
                "  oplens export run.opl -o step7.json --step 7\n"
                "  oplens export run.opl -o run.prof && snakeviz run.prof\n"
                "  oplens export run.opl -o tables.parquet/\n"
                "  oplens export run.opl -o ops.csv --table averages",
    .options = export_options,
    .letters = export_letters,
    .least_operands = 1,
    .run = run_export,
    .add_words = add_words,
};
