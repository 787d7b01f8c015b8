/* cmd_query.c - `oplens query`: ask a trace in SQL. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/table_format.h"
#include "cli/command.h"
#include "cli/input_trace.h"
#include "cli/option_words.h"
#include "cli/output_file.h"
#include "cli/progress_bar.h"
#include "cli/prompt.h"
#include "query/query.h"
#include "query/statement.h"

/* All that a statement needs to be asked and shown. */
typedef struct asking {
    const opli_given *given;
    opli_query *query;
    OPLI_VECTOR(opli_query_param) params; /* names are owned */
    const opli_table_format *format;
    const char *path; /* behind -o; NULL: stdout */
    FILE *file;       /* NULL when Parquet is written */
    size_t width;
} asking;

/* ---- one statement after the other ---- */

static void show(asking *a, const opli_table *table)
{
    opli_text out = {0};
    a->format->print(table, a->width, &out);
    if (out.length)
        fwrite(out.bytes, 1, out.length, a->file);
    opli_text_free(&out);
}

/* `create view` and the like answer with nothing, or with a count of no interest. */
static bool says_something(const opli_table *table)
{
    bool only_count = table->column_count == 1 && strcmp(table->columns[0].title, "Count") == 0;
    return table->column_count && !(only_count && opli_table_rows(table) == 0);
}

static opl_status ask_one(asking *a, const char *sql, opl_error *err)
{
    opli_answer answer = {.columns = NULL};
    opli_progress_bar bar;
    opl_status st;
    opli_progress_bar_begin(&bar, "asking", 0);
    if (a->file)
        st = opli_query_run(a->query, sql, a->params.items, a->params.count, &answer, err);
    else
        st = opli_query_write(a->query, sql, a->params.items, a->params.count, err);
    opli_progress_bar_end(&bar);
    if (a->file && st == OPL_OK && says_something(&answer.table))
        show(a, &answer.table);
    opli_answer_free(&answer);
    return st;
}

static int ask_all(asking *a, const char *text)
{
    opli_statement statement;
    int status = OPLI_EXIT_OK;
    while (status == OPLI_EXIT_OK && opli_statement_next(&text, &statement)) {
        opl_error err;
        char *sql = strndup(statement.sql, statement.length);
        if (!sql || ask_one(a, sql, &err) != OPL_OK) {
            opli_complain(a->given, "%s", sql ? err.message : "there is no memory for the query");
            status = OPLI_EXIT_FAILED;
        }
        free(sql);
    }
    return status;
}

/* ---- at a terminal ---- */

/* Words that are no SQL; false for those that are none of ours. */
static bool obey_word(asking *a, opli_prompt *prompt, const char *word)
{
    opli_text tables = {0};
    if (strcasecmp(word, "history") == 0)
        opli_prompt_show_history(prompt);
    else if (strcasecmp(word, "tables") == 0 || strcasecmp(word, "help") == 0) {
        opli_query_add_tables(a->query, &tables);
        fprintf(prompt->to, "The tables are %s.\n'describe TABLE;' shows its columns; 'quit' ends.\n", tables.bytes);
    } else
        return false;
    opli_text_free(&tables);
    return true;
}

static int ask_at_terminal(asking *a)
{
    opli_prompt prompt;
    opli_text statement = {0};
    opli_prompt_init(&prompt, stdin, stdout);
    printf("SQL over the trace; a semicolon ends a statement. 'tables', 'history' and 'quit' are words of ours.\n");
    while (opli_prompt_read(&prompt, &statement)) {
        const char *said = statement.bytes ? statement.bytes : "";
        if (strcasecmp(said, "quit") == 0 || strcasecmp(said, "exit") == 0)
            break;
        if (!obey_word(a, &prompt, said))
            ask_all(a, said); /* a mistake is no reason to leave */
    }
    opli_text_free(&statement);
    opli_prompt_fini(&prompt);
    return OPLI_EXIT_OK;
}

/* ---- what to ask ---- */

/* SQL has a space in it, and no file has its name. */
static bool is_sql(const char *word)
{
    struct stat info;
    return strpbrk(word, " \t\n") && stat(word, &info) != 0;
}

static bool read_stdin(opli_text *sql)
{
    char bytes[4096];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stdin)) > 0;)
        opli_text_add(sql, bytes, got);
    return !sql->cut && !ferror(stdin);
}

static int ask(asking *a, const char *sql)
{
    opli_text text = {0};
    if (sql)
        return ask_all(a, sql);
    if (isatty(STDIN_FILENO) && a->file)
        return ask_at_terminal(a);
    int status = OPLI_EXIT_FAILED;
    if (read_stdin(&text))
        status = ask_all(a, text.bytes ? text.bytes : "");
    else
        opli_complain(a->given, "the query cannot be read from stdin");
    opli_text_free(&text);
    return status;
}

/* ---- options ---- */

static int read_params(asking *a)
{
    const char *text;
    for (size_t at = 0; (text = opli_given_next(a->given, "param", &at));) {
        const char *equals = strchr(text, '=');
        if (!equals || equals == text) {
            opli_complain(a->given, "--param is NAME=VALUE, not '%s'", text);
            return OPLI_EXIT_USAGE;
        }
        opli_query_param *param = opli_vector_add(&a->params);
        char *name = param ? strndup(text, (size_t)(equals - text)) : NULL;
        if (!name)
            return OPLI_EXIT_FAILED;
        *param = (opli_query_param){name, equals + 1};
    }
    return OPLI_EXIT_OK;
}

static int read_format(asking *a)
{
    const char *name = opli_given_value(a->given, "format");
    const opli_table_format *by_path = a->path ? opli_table_format_of_path(a->path) : NULL;
    a->format = name ? opli_table_format_find(name) : by_path ? by_path : opli_table_format_find("text");
    if (a->format)
        return OPLI_EXIT_OK;
    opli_complain(a->given, "there is no format '%s'; there are %s", name, opli_table_format_names());
    return OPLI_EXIT_USAGE;
}

static bool is_parquet(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    return length > 8 && strcmp(path + length - 8, ".parquet") == 0;
}

static int read_options(asking *a, opli_query_options *options)
{
    const char *threads = opli_given_value(a->given, "threads");
    a->path = opli_given_value(a->given, "output");
    *options = (opli_query_options){.threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 1,
                                    .allow_files = opli_given_value(a->given, "allow-files") != NULL,
                                    .writes = is_parquet(a->path) ? a->path : NULL};
    if (!options->threads || options->threads > 1024) {
        opli_complain(a->given, "--threads is a number from 1 to 1024, not '%s'", threads);
        return OPLI_EXIT_USAGE;
    }
    int status = read_format(a);
    return status == OPLI_EXIT_OK ? read_params(a) : status;
}

/* ---- the command ---- */

/* Where answers go; Parquet is written by DuckDB. */
static int ask_into_file(asking *a, const opli_query_options *options, const char *sql)
{
    if (!options->writes) {
        a->file = opli_output_open(a->given, a->path);
        if (!a->file)
            return OPLI_EXIT_FAILED;
        a->width = a->file == stdout ? opli_terminal_width() : 0;
    }
    int status = ask(a, sql);
    int closed = a->file ? opli_output_close(a->given, a->path, a->file) : OPLI_EXIT_OK;
    return status == OPLI_EXIT_OK ? closed : status;
}

static int ask_trace(asking *a, const opli_query_options *options, const opli_given *files, const char *sql)
{
    opli_trace trace;
    opl_error err;
    int status = opli_input_trace_open(files, &trace);
    if (status == OPLI_EXIT_OK && opli_query_open(&trace, options, &a->query, &err) != OPL_OK) {
        opli_complain(a->given, "%s", err.message);
        status = OPLI_EXIT_FAILED;
    }
    if (status == OPLI_EXIT_OK)
        status = ask_into_file(a, options, sql);
    opli_query_close(a->query);
    opli_trace_free(&trace);
    return status;
}

static int run_query(const opli_given *given)
{
    const char *last = given->operands[given->operand_count - 1], *sql = is_sql(last) ? last : NULL;
    opli_given files = *given;
    asking a = {.given = given};
    opli_query_options options;
    const opli_duckdb *duckdb;
    opl_error err;
    files.operand_count -= sql ? 1 : 0;
    int status = read_options(&a, &options);
    if (status == OPLI_EXIT_OK && !files.operand_count) {
        opli_complain(given, "needs a trace to ask, before the SQL");
        status = OPLI_EXIT_USAGE;
    }
    if (status == OPLI_EXIT_OK && opli_duckdb_get(&duckdb, &err) != OPL_OK) { /* before a long trace is read */
        opli_complain(given, "%s", err.message);
        status = OPLI_EXIT_FAILED;
    }
    if (status == OPLI_EXIT_OK)
        status = ask_trace(&a, &options, &files, sql);
    for (size_t i = 0; i < a.params.count; i++)
        free((char *)a.params.items[i].name);
    opli_vector_free(&a.params);
    return status;
}

static void add_words(const char *option, opli_text *words)
{
    if (strcmp(option, "format") == 0)
        opli_words_add_table_formats(words);
}

static const opli_option query_options[] = {
    {"param", "NAME=VALUE", "the value of $NAME in the SQL; may be given again"},
    {"format", "NAME", "text, csv, json or markdown; by default what -o's suffix says, or text"},
    {"output", "FILE", "write to FILE; as Parquet if its name ends in .parquet"},
    {"threads", "N", "work with N threads; rows without an order may then come in any"},
    {"stats", NULL, "say on stderr how fast it went and how much memory it took"},
    {"allow-files", NULL, "let SQL read and write files and load extensions"},
    {NULL, NULL, NULL}};

static const opli_letter query_letters[] = {{'o', "output"}, {0, NULL}};

const opli_command opli_cmd_query = {
    .name = "query",
    .operands = "TRACE... [SQL]",
    .summary = "ask a trace in SQL",
    .details = "The tables are those of the trace (span, arg, track, ...) and every table of 'oplens report';\n"
               "'show tables' and 'describe span' say more. Times are nanoseconds. The SQL is DuckDB's, which\n"
               "'tools/setup query' installs. Without SQL, it is read from stdin, with a prompt at a terminal.\n"
               "SQL reaches no file and no network, but for the file behind -o.",
    .examples = "  oplens query run.opl \"select name, count(*), sum(dur) from span group by 1 order by 3 desc\"\n"
                "  oplens query run.opl 'select * from span where dur > $least' --param least=1000000\n"
                "  oplens query run.opl 'from span' -o spans.parquet",
    .options = query_options,
    .letters = query_letters,
    .least_operands = 1,
    .run = run_query,
    .add_words = add_words,
};
