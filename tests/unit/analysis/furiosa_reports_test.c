/* furiosa_reports_test.c - Furiosa's five reports, digit for digit, from our tables; and what it had wrong. */
#include "inquiry.h"
#include "test.h"

#define MOBILENET TEST_DATA "/furiosa_mobilenet"

/* ---- Furiosa's way of printing ---- */

typedef struct printed_column {
    const char *title;
    const char *key;
} printed_column;

/* A mean with the digits pandas shows: at most six, at least one. */
static void add_average(opli_text *out, int64_t total_ns, int64_t count)
{
    char digits[64];
    int length = snprintf(digits, sizeof digits, "%.6f", (double)total_ns / (double)count);
    while (digits[length - 1] == '0' && digits[length - 2] != '.')
        length--;
    opli_text_add(out, digits, (size_t)length);
}

static void add_cell(opli_text *out, const opli_table *table, size_t row, const char *key)
{
    if (strcmp(key, "average") == 0) {
        add_average(out, inquiry_number(table, row, "total_ns"), inquiry_number(table, row, "count"));
        return;
    }
    const opli_cell *cell = inquiry_cell(table, row, key);
    if (cell->text)
        opli_text_add(out, cell->text, cell->length);
    else
        opli_text_addf(out, "%lld", (long long)cell->number);
}

static void add_padded(opli_text *out, const char *text, size_t width)
{
    opli_text_addf(out, "%s", text);
    for (size_t i = strlen(text); i < width; i++)
        opli_text_addf(out, " ");
}

static void add_rule(opli_text *out, const size_t *widths, size_t count, const char *const glyphs[4])
{
    for (size_t c = 0; c < count; c++) {
        opli_text_addf(out, "%s", c ? glyphs[2] : glyphs[0]);
        for (size_t i = 0; i < widths[c] + 2; i++)
            opli_text_addf(out, "%s", glyphs[1]);
    }
    opli_text_addf(out, "%s\n", glyphs[3]);
}

/* A line of the box; the titles when there is no table. */
static void add_line(opli_text *out, const opli_table *table, size_t row, const printed_column *columns, size_t *widths,
                     size_t count)
{
    opli_text cell = {0};
    for (size_t c = 0; c < count; c++) {
        opli_text_reset(&cell);
        if (table)
            add_cell(&cell, table, row, columns[c].key);
        else
            opli_text_addf(&cell, "%s", columns[c].title);
        widths[c] = widths[c] > cell.length ? widths[c] : cell.length;
        opli_text_addf(out, c ? "┆ " : "│ ");
        add_padded(out, cell.bytes, widths[c]);
        opli_text_addf(out, " ");
    }
    opli_text_addf(out, "│\n");
    opli_text_free(&cell);
}

static void add_box(opli_text *out, const opli_table *table, const printed_column *columns, size_t count)
{
    static const char *const top[] = {"┌", "─", "┬", "┐"}, *const middle[] = {"╞", "═", "╪", "╡"},
                             *const bottom[] = {"└", "─", "┴", "┘"};
    size_t widths[8] = {0};
    opli_text unused = {0};
    add_line(&unused, NULL, 0, columns, widths, count); /* only to find the widths */
    for (size_t row = 0; row < opli_table_rows(table); row++)
        add_line(&unused, table, row, columns, widths, count);
    opli_text_free(&unused);
    add_rule(out, widths, count, top);
    add_line(out, NULL, 0, columns, widths, count);
    add_rule(out, widths, count, middle);
    for (size_t row = 0; row < opli_table_rows(table); row++)
        add_line(out, table, row, columns, widths, count);
    add_rule(out, widths, count, bottom);
}

static void add_summary(opli_text *out, const opli_trace *trace)
{
    static const printed_column lines[] = {{"Inference counts", "count"},
                                           {"Min latency (ns)", "min_ns"},
                                           {"Max latency (ns)", "max_ns"},
                                           {"Mean latency (ns)", "mean_ns"},
                                           {"Median latency (ns)", "median_ns"},
                                           {"90.0 percentile Latency (ns)", "p90_ns"},
                                           {"95.0 percentile Latency (ns)", "p95_ns"},
                                           {"97.0 percentile Latency (ns)", "p97_ns"},
                                           {"99.0 percentile Latency (ns)", "p99_ns"},
                                           {"99.9 percentile Latency (ns)", "p99_9_ns"}};
    opli_table table = inquiry_ask(trace, &opli_analysis_summary);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        opli_text_addf(out, "%-30s  : %lld\n", lines[i].title, (long long)inquiry_number(&table, 0, lines[i].key));
    opli_table_free(&table);
}

static void add_report(opli_text *out, const opli_trace *trace, const opli_analysis *analysis,
                       const printed_column *columns, size_t count)
{
    opli_table table = inquiry_ask(trace, analysis);
    add_box(out, &table, columns, count);
    opli_table_free(&table);
}
#define REPORT(out, trace, analysis, columns) \
    add_report(out, trace, &opli_analysis_##analysis, columns, sizeof(columns) / sizeof *(columns))

TEST(furiosa_reports, are_the_same_digit_for_digit)
{
    static const printed_column inferences[] = {
        {"trace_id", "trace_id"}, {"span_id", "span_id"}, {"thread.id", "thread"}, {"dur", "duration_ns"}};
    static const printed_column executions[] = {{"trace_id", "trace_id"},  {"span_id", "span_id"},
                                                {"pe_index", "queue"},     {"execution_index", "execution_index"},
                                                {"NPU Total", "total_ns"}, {"NPU Run", "run_ns"},
                                                {"NPU IoWait", "wait_ns"}};
    static const printed_column operators[] = {
        {"name", "name"}, {"average_elapsed (ns)", "average"}, {"count", "count"}};
    static const printed_column host[] = {{"trace_id", "trace_id"},
                                          {"span_id", "span_id"},
                                          {"thread.id", "thread"},
                                          {"name", "name"},
                                          {"operator_index", "operator_index"},
                                          {"dur", "duration_ns"}};
    opli_trace trace;
    size_t size;
    char *expected = inquiry_load(MOBILENET ".reports.txt", &size);
    opli_text out = {0};
    inquiry_open(&trace, MOBILENET ".csv");
    add_summary(&out, &trace);
    REPORT(&out, &trace, inferences, inferences);
    REPORT(&out, &trace, executions, executions);
    REPORT(&out, &trace, operators, operators);
    REPORT(&out, &trace, host_operators, host);
    CHECK_TEXT(out.bytes, expected);
    opli_text_free(&out);
    free(expected);
    opli_trace_free(&trace);
}

TEST(summary, has_a_row_for_all_and_one_for_each_label)
{
    opli_trace trace;
    inquiry_open(&trace, MOBILENET ".csv");
    opli_table table = inquiry_ask(&trace, &opli_analysis_summary);
    CHECK_EQ(opli_table_rows(&table), 2);
    CHECK_TEXT(inquiry_text(&table, 0, "label"), "all");
    CHECK_TEXT(inquiry_text(&table, 1, "label"), "trace");
    CHECK_EQ(inquiry_number(&table, 1, "count"), 4);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* ---- what the originals had wrong ---- */

static opli_table ask_text(opli_trace *trace, const char *csv, const opli_analysis *analysis)
{
    CHECK_EQ(inquiry_read(trace, &opli_importer_furiosa, csv, strlen(csv)), OPL_OK);
    return inquiry_ask(trace, analysis);
}

/* Defect 1 of the originals: a wait computed without a sign, 18446744073709540605. */
TEST(executions, wait_less_than_nothing_where_clocks_disagree_and_say_so)
{
    static const char csv[] = "parent_span_id,span_id,start,end,cat,name,pe_index,execution_index,instruction_index\n"
                              "0,a,100,200,NPU,Task,0,7,\n"
                              "a,b,100,150,NPU,Conv,0,7,0\n"
                              "a,c,150,220,NPU,Conv,0,7,1\n";
    opli_trace trace;
    opli_table table = ask_text(&trace, csv, &opli_analysis_executions);
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 100);
    CHECK_EQ(inquiry_number(&table, 0, "run_ns"), 120);
    CHECK_EQ(inquiry_number(&table, 0, "wait_ns"), -20);
    CHECK_TEXT(inquiry_text(&table, 0, "note"), "runs longer than it lasts: clocks disagree");
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(executions, count_time_that_operators_share_once_and_copies_as_waiting)
{
    static const char csv[] = "parent_span_id,span_id,start,end,cat,name,pe_index,execution_index,instruction_index\n"
                              "0,a,100,200,NPU,Task,0,7,\n"
                              "a,b,110,150,NPU,Conv,0,7,0\n"
                              "a,c,130,160,NPU,Conv,0,7,1\n"
                              "a,d,170,190,NPU,Store,0,7,2\n";
    opli_trace trace;
    opli_table table = ask_text(&trace, csv, &opli_analysis_executions);
    CHECK_EQ(inquiry_number(&table, 0, "run_ns"), 50);
    CHECK_EQ(inquiry_number(&table, 0, "wait_ns"), 50);
    CHECK_TEXT(inquiry_text(&table, 0, "note"), "");
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* Defect 3 of the originals, in the table where it was. */
TEST(operators, have_a_mean_that_is_not_the_last_sample)
{
    static const char csv[] = "span_id,start,end,cat,name,pe_index,instruction_index\n"
                              "a,0,100,NPU,Conv,0,0\nb,100,400,NPU,Conv,0,1\nc,400,401,NPU,Conv,0,2\n";
    opli_trace trace;
    opli_table table = ask_text(&trace, csv, &opli_analysis_operators);
    CHECK_EQ(inquiry_number(&table, 0, "count"), 3);
    CHECK_EQ(inquiry_number(&table, 0, "mean_ns"), 134); /* 401 / 3 = 133.67 */
    CHECK_EQ(inquiry_number(&table, 0, "min_ns"), 1);
    CHECK_EQ(inquiry_number(&table, 0, "max_ns"), 300);
    CHECK_EQ(inquiry_number(&table, 0, "median_ns"), 100);
    opli_table_free(&table);
    opli_trace_free(&trace);
}
