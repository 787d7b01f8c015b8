/* invariants_test.c - parts sum to wholes, in every table and for every trace at hand. */
#include <math.h>

#include "analysis/launch.h"
#include "analysis/span_role.h"
#include "inquiry.h"
#include "test.h"

static const char *const traces[] = {
    TEST_DATA "/resnet18_cpu.pt.trace.json.gz", TEST_DATA "/resnet18_h200.pt.trace.json.gz",
    TEST_DATA "/ort_bert_tiny.json.gz",         TEST_DATA "/ort_mnist.json.gz",
    TEST_DATA "/furiosa_mobilenet.csv",         TEST_DATA "/resnet18.prof",
};
#define TRACE_COUNT (sizeof traces / sizeof *traces)

static int64_t sum(const opli_table *table, const char *key)
{
    int64_t total = 0;
    for (size_t row = 0; row < opli_table_rows(table); row++)
        total += inquiry_cell(table, row, key)->number;
    return total;
}

/* Of the rows on that side that have a share. */
static double sum_percent(const opli_table *table, const char *side, const char *key, size_t *rows)
{
    double total = 0;
    *rows = 0;
    for (size_t row = 0; row < opli_table_rows(table); row++) {
        const opli_cell *cell = inquiry_cell(table, row, key);
        if (cell->empty || strcmp(inquiry_text(table, row, "side"), side) != 0)
            continue;
        total += cell->real;
        ++*rows;
    }
    return total;
}

/* Half a hundredth is lost or won in each row. */
static void check_sums_to_100(const opli_table *table, const char *side, const char *key)
{
    size_t rows;
    double total = sum_percent(table, side, key, &rows);
    CHECK(!rows || fabs(total - 100) <= 0.005 * (double)rows + 1e-6);
}

TEST(averages, have_all_time_of_the_roots_once_as_somebodys_own)
{
    for (size_t i = 0; i < TRACE_COUNT; i++) {
        opli_trace trace;
        int64_t roots = 0;
        inquiry_open(&trace, traces[i]);
        for (uint32_t span = 0; span < trace.spans.count; span++)
            if (trace.spans.parent[span] == OPLI_NO_ROW && !opli_span_is_on_device(&trace, span) &&
                !opli_span_is_window(&trace, span))
                roots += trace.spans.duration_ns[span];
        opli_table table = inquiry_ask(&trace, &opli_analysis_averages);
        CHECK_EQ(sum(&table, "cpu_self_ns"), roots);
        opli_table_free(&table);
        opli_trace_free(&trace);
    }
}

TEST(averages, have_percentages_that_sum_to_100_on_either_side)
{
    for (size_t i = 0; i < TRACE_COUNT; i++) {
        opli_trace trace;
        inquiry_open(&trace, traces[i]);
        opli_table table = inquiry_ask(&trace, &opli_analysis_averages);
        check_sums_to_100(&table, "host", "cpu_self_percent");
        check_sums_to_100(&table, "device", "device_self_percent");
        opli_table_free(&table);
        opli_trace_free(&trace);
    }
}

/* Host rows have what they launched, device rows what ran: here all that ran was launched by somebody. */
TEST(averages, have_each_kernels_time_once_where_it_was_launched_and_once_where_it_ran)
{
    opli_trace trace;
    int64_t launched = 0, ran = 0;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table averages = inquiry_ask(&trace, &opli_analysis_averages);
    opli_table kernels = inquiry_ask(&trace, &opli_analysis_kernels);
    opli_table copies = inquiry_ask(&trace, &opli_analysis_copies);
    for (size_t row = 0; row < opli_table_rows(&averages); row++) {
        bool on_device = strcmp(inquiry_text(&averages, row, "side"), "device") == 0;
        bool is_label = strcmp(inquiry_text(&averages, row, "name"), "model_inference") == 0;
        int64_t self_ns = inquiry_number(&averages, row, "device_self_ns");
        *(on_device ? &ran : &launched) += on_device && is_label ? 0 : self_ns;
    }
    CHECK_EQ(launched, 2874414);
    CHECK_EQ(ran, launched);
    CHECK_EQ(sum(&kernels, "total_ns") + sum(&copies, "total_ns"), ran);
    opli_table_free(&averages);
    opli_table_free(&kernels);
    opli_table_free(&copies);
    opli_trace_free(&trace);
}

TEST(averages, have_the_same_sums_however_they_are_grouped)
{
    static const char *const ways[] = {"shape", "overload", "module", "stack:1", "stack:5", "shape,module,stack:2"};
    static const char *const keys[] = {"count",           "cpu_self_ns",      "cpu_total_ns",        "device_self_ns",
                                       "device_total_ns", "cpu_memory_bytes", "device_memory_bytes", "flops"};
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table whole = inquiry_ask(&trace, &opli_analysis_averages);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        opli_table parts = {0};
        CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){.group_by = ways[w]}, &parts, NULL), OPL_OK);
        CHECK(opli_table_rows(&parts) >= opli_table_rows(&whole));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            CHECK_EQ(sum(&parts, keys[k]), sum(&whole, keys[k]));
        opli_table_free(&parts);
    }
    opli_table_free(&whole);
    opli_trace_free(&trace);
}

TEST(operators, are_counted_as_often_as_the_device_ran_them)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table operators = inquiry_ask(&trace, &opli_analysis_operators);
    opli_table kernels = inquiry_ask(&trace, &opli_analysis_kernels);
    CHECK_EQ(sum(&operators, "count"), sum(&kernels, "count"));
    CHECK_EQ(sum(&operators, "total_ns"), sum(&kernels, "total_ns"));
    opli_table_free(&operators);
    opli_table_free(&kernels);
    opli_trace_free(&trace);
}

/* The trace is opened anew for each reading: what importers and analyses do must not depend on the run. */
TEST(tables, are_the_same_bytes_when_a_trace_is_read_twice)
{
#define ADDRESS(name) &opli_analysis_##name,
    static const opli_analysis *const all[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS
    for (size_t i = 0; i < TRACE_COUNT; i++) {
        opli_trace first, second;
        inquiry_open(&first, traces[i]);
        inquiry_open(&second, traces[i]);
        for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
            opli_table one = inquiry_ask(&first, all[a]), two = inquiry_ask(&second, all[a]);
            opli_text one_text = {0}, two_text = {0};
            opli_table_print_json(&one, &one_text);
            opli_table_print_json(&two, &two_text);
            CHECK_TEXT(one_text.bytes, two_text.bytes);
            opli_text_free(&one_text);
            opli_text_free(&two_text);
            opli_table_free(&one);
            opli_table_free(&two);
        }
        opli_trace_free(&first);
        opli_trace_free(&second);
    }
}
