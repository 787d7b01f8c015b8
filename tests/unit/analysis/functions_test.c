/* functions_test.c - our function tables beside pstats', for the same profile; and counted from spans. */
#include "base/table_order.h"
#include "inquiry.h"
#include "test.h"

#define RESNET TEST_DATA "/resnet18.prof"

/* ---- beside what pstats printed ---- */

/* pstats' own line, with directories stripped. */
static void pstats_line(const opli_table *table, size_t row, char *line, size_t size)
{
    const char *file = inquiry_text(table, row, "file"), *function = inquiry_text(table, row, "function");
    const char *slash = strrchr(file, '/');
    char where[512];
    int length = (int)strlen(function);
    if (strcmp(file, "~") == 0 && function[0] == '<')
        snprintf(where, sizeof where, "{%.*s}", length - 2, function + 1);
    else
        snprintf(where, sizeof where, "%s:%lld(%s)", slash ? slash + 1 : file,
                 (long long)inquiry_number(table, row, "line"), function);
    snprintf(line, size, "%9s %8.3f %8.3f %8.3f %8.3f %s", inquiry_text(table, row, "ncalls"),
             (double)inquiry_number(table, row, "tottime_ns") / 1e9,
             (double)inquiry_number(table, row, "tottime_percall_ns") / 1e9,
             (double)inquiry_number(table, row, "cumtime_ns") / 1e9,
             (double)inquiry_number(table, row, "cumtime_percall_ns") / 1e9, where);
}

static void check_printed(const opli_table *table, const char *printed, const char *order)
{
    char line[1024];
    const char *at = strstr(printed, order);
    CHECK(at != NULL);
    at = strstr(at, "(function)\n") + strlen("(function)\n");
    for (size_t row = 0; row < 30; row++) {
        pstats_line(table, row, line, sizeof line);
        const char *end = strchr(at, '\n');
        CHECK_EQ((size_t)(end - at), strlen(line));
        CHECK(strncmp(at, line, strlen(line)) == 0);
        at = end + 1;
    }
}

TEST(functions, print_what_pstats_prints)
{
    size_t size;
    char *printed = inquiry_load(RESNET ".txt", &size);
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    CHECK_EQ(opli_table_rows(&table), 51);
    check_printed(&table, printed, "Ordered by: cumulative time");
    opli_table_free(&table);
    opli_analysis by_own_time = opli_analysis_functions;
    by_own_time.sorted_by = "-tottime_ns";
    table = inquiry_ask(&trace, &by_own_time);
    check_printed(&table, printed, "Ordered by: internal time");
    opli_table_free(&table);
    opli_trace_free(&trace);
    free(printed);
}

/* ---- beside what Python's pstats says now ---- */

static const char functions_script[] =
    "import pstats, sys; s = pstats.Stats(sys.argv[1]); s.sort_stats('cumulative')\n"
    "for f in s.fcn_list:\n"
    "    cc, nc, tt, ct, callers = s.stats[f]\n"
    "    print(f[0], f[1], f[2], nc, cc, round(tt * 1e9), round(ct * 1e9), sep='|')\n";

static const char callers_script[] = "import pstats, sys; s = pstats.Stats(sys.argv[1]); s.sort_stats('cumulative')\n"
                                     "for f in s.fcn_list:\n"
                                     "    for o, (nc, cc, tt, ct) in sorted(s.stats[f][4].items()):\n"
                                     "        print(*f, *o, nc, cc, round(tt * 1e9), round(ct * 1e9), sep='|')\n";

static const char callees_script[] =
    "import pstats, sys; s = pstats.Stats(sys.argv[1]); s.sort_stats('cumulative'); s.calc_callees()\n"
    "for f in s.fcn_list:\n"
    "    for o, (nc, cc, tt, ct) in sorted(s.all_callees[f].items()):\n"
    "        print(*f, *o, nc, cc, round(tt * 1e9), round(ct * 1e9), sep='|')\n";

/* The cells of the table's columns named in `keys`, a line for each row. */
static void write_lines(const opli_table *table, const char *const *keys, opli_text *out)
{
    for (size_t row = 0; row < opli_table_rows(table); row++) {
        for (size_t k = 0; keys[k]; k++) {
            const opli_cell *cell = inquiry_cell(table, row, keys[k]);
            opli_text_addf(out, k ? "|" : "");
            if (cell->text)
                opli_text_add(out, cell->text, cell->length);
            else
                opli_text_addf(out, "%lld", (long long)cell->number);
        }
        opli_text_addf(out, "\n");
    }
}

/* What Python prints; nothing when there is no Python. */
static opli_text ask_python(const char *script)
{
    const char *path = test_path("ask.py");
    FILE *file = fopen(path, "w");
    fputs(script, file);
    fclose(file);
    opli_text command = {0}, said = {0};
    opli_text_addf(&command, "python3 '%s' '%s' 2>/dev/null", path, RESNET);
    FILE *python = popen(command.bytes, "r");
    char part[4096];
    for (size_t got; python && (got = fread(part, 1, sizeof part, python)) > 0;)
        opli_text_add(&said, part, got);
    if (python)
        pclose(python);
    opli_text_free(&command);
    return said;
}

static void check_beside_python(const opli_analysis *analysis, const char *script, const char *const *keys)
{
    opli_text said = ask_python(script), ours = {0};
    if (!said.length)
        SKIP("there is no python3 with pstats");
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    opli_table table = inquiry_ask(&trace, analysis);
    write_lines(&table, keys, &ours);
    CHECK_TEXT(ours.bytes, said.bytes);
    opli_table_free(&table);
    opli_trace_free(&trace);
    opli_text_free(&said);
    opli_text_free(&ours);
}

TEST(functions, equal_those_of_pstats_to_the_nanosecond)
{
    static const char *const keys[] = {"file",       "line",       "function", "calls", "primitive_calls",
                                       "tottime_ns", "cumtime_ns", NULL};
    check_beside_python(&opli_analysis_functions, functions_script, keys);
}

TEST(callers, equal_those_of_pstats_to_the_nanosecond)
{
    static const char *const keys[] = {"file",        "line",
                                       "function",    "caller_file",
                                       "caller_line", "caller_function",
                                       "calls",       "primitive_calls",
                                       "tottime_ns",  "cumtime_ns",
                                       NULL};
    check_beside_python(&opli_analysis_callers, callers_script, keys);
}

TEST(callees, equal_those_of_pstats_to_the_nanosecond)
{
    static const char *const keys[] = {"file",        "line",
                                       "function",    "callee_file",
                                       "callee_line", "callee_function",
                                       "calls",       "primitive_calls",
                                       "tottime_ns",  "cumtime_ns",
                                       NULL};
    check_beside_python(&opli_analysis_callees, callees_script, keys);
}

/* ---- counted from spans ---- */

typedef struct call {
    const char *name;
    int64_t start_ns, duration_ns;
    opl_category kind;
} call;

static void build(opli_trace *trace, const call *calls, size_t count)
{
    opli_builder builder;
    opli_builder_init(&builder, trace);
    uint32_t process = opli_builder_process(&builder, 1);
    uint32_t track = opli_builder_track(&builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 1);
    for (size_t i = 0; i < count; i++) {
        opli_builder_arg(&builder, opli_builder_word(&builder, "file"), OPLI_ARG_TEXT,
                         opli_builder_word(&builder, "a.py"));
        opli_builder_arg(&builder, opli_builder_word(&builder, "line"), OPLI_ARG_INT, (uint64_t)calls[i].name[0]);
        opli_builder_span(&builder, &(opli_span_draft){.start_ns = calls[i].start_ns,
                                                       .duration_ns = calls[i].duration_ns,
                                                       .name = opli_builder_word(&builder, calls[i].name),
                                                       .track = track,
                                                       .kind = (uint8_t)calls[i].kind});
    }
    CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
}

/* main calls fib, which calls itself twice, once through an operator; then main calls fib again. */
static const call recursion[] = {
    {"main", 0, 1000, OPL_CAT_FUNCTION}, {"fib", 100, 500, OPL_CAT_FUNCTION}, {"fib", 110, 100, OPL_CAT_FUNCTION},
    {"op", 300, 200, OPL_CAT_OP},        {"fib", 310, 150, OPL_CAT_FUNCTION}, {"fib", 700, 100, OPL_CAT_FUNCTION},
};
#define RECURSION recursion, sizeof recursion / sizeof *recursion

TEST(functions, count_recursion_once_in_the_total_and_always_in_the_calls)
{
    opli_trace trace;
    build(&trace, RECURSION);
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    CHECK_EQ(opli_table_rows(&table), 2);
    size_t main_row = inquiry_row(&table, "function", "main"), fib = inquiry_row(&table, "function", "fib");
    CHECK_EQ(inquiry_number(&table, main_row, "tottime_ns"), 400);
    CHECK_EQ(inquiry_number(&table, main_row, "cumtime_ns"), 1000);
    CHECK_TEXT(inquiry_text(&table, fib, "ncalls"), "4/2");
    CHECK_EQ(inquiry_number(&table, fib, "tottime_ns"), 600);
    CHECK_EQ(inquiry_number(&table, fib, "cumtime_ns"), 600);
    CHECK_EQ(inquiry_number(&table, fib, "line"), 'f');
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* Defect 15 of the originals: own time was divided by the primitive calls. */
TEST(functions, divide_own_time_by_all_calls_and_total_time_by_primitive_ones)
{
    opli_trace trace;
    build(&trace, RECURSION);
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    size_t fib = inquiry_row(&table, "function", "fib");
    CHECK_EQ(inquiry_number(&table, fib, "tottime_percall_ns"), 600 / 4);
    CHECK_EQ(inquiry_number(&table, fib, "cumtime_percall_ns"), 600 / 2);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(callers, see_through_spans_that_are_no_functions)
{
    opli_trace trace;
    build(&trace, RECURSION);
    opli_table table = inquiry_ask(&trace, &opli_analysis_callers);
    CHECK_EQ(opli_table_rows(&table), 2);
    size_t by_fib = inquiry_row(&table, "caller_function", "fib"),
           by_main = inquiry_row(&table, "caller_function", "main");
    CHECK_EQ(inquiry_number(&table, by_fib, "calls"), 2);
    CHECK_EQ(inquiry_number(&table, by_fib, "cumtime_ns"), 250);
    CHECK_EQ(inquiry_number(&table, by_main, "calls"), 2);
    CHECK_EQ(inquiry_number(&table, by_main, "cumtime_ns"), 600);
    CHECK_EQ(inquiry_number(&table, by_main, "tottime_ns"), 350);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(functions, of_a_trace_without_any_are_an_empty_table)
{
    opli_trace trace;
    build(&trace, NULL, 0);
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    CHECK_EQ(opli_table_rows(&table), 0);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(functions, can_be_sorted_by_the_words_of_pstats)
{
    static const char *const words[] = {"calls", "ncalls", "cumulative", "cumtime", "filename", "module", "line",
                                        "name",  "nfl",    "pcalls",     "stdname", "time",     "tottime"};
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        opli_text keys = {0};
        opl_error err;
        opli_sort_words_replace(opli_analysis_functions.sort_words, words[i], &keys);
        if (opli_table_sort(&table, keys.bytes, &err) != OPL_OK)
            fail_msg("%s: %s", words[i], err.message);
        opli_text_free(&keys);
    }
    CHECK(inquiry_number(&table, 0, "tottime_ns") >= inquiry_number(&table, 1, "tottime_ns"));
    opli_table_free(&table);
    opli_trace_free(&trace);
}
