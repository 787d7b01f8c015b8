/* kernels_test.c - kernels of a real trace, and of small ones where all can be counted by hand. */
#include <math.h>

#include "inquiry.h"
#include "test.h"

static opli_table ask(opli_trace *trace, const char *json)
{
    CHECK_EQ(inquiry_read(trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    return inquiry_ask(trace, &opli_analysis_kernels);
}

static void done(opli_trace *trace, opli_table *table)
{
    opli_table_free(table);
    opli_trace_free(trace);
}

/* The figures were added up from the trace's text by a program that shares nothing with ours. */
TEST(kernels, of_resnet18_have_the_figures_in_the_trace)
{
    opli_trace trace;
    int64_t count = 0, total_ns = 0;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table table = inquiry_ask(&trace, &opli_analysis_kernels);
    CHECK_EQ(opli_table_rows(&table), 17);
    for (size_t row = 0; row < 17; row++) {
        count += inquiry_number(&table, row, "count");
        total_ns += inquiry_number(&table, row, "total_ns");
        CHECK_TEXT(inquiry_text(&table, row, "device"), "gpu 0");
        CHECK_EQ(inquiry_number(&table, row, "other_operators"), 0);
    }
    CHECK_EQ(count, 575);
    CHECK_EQ(total_ns, 2858061);
    CHECK(strstr(inquiry_text(&table, 0, "name"), "nchwToNhwcKernel") != NULL);
    CHECK_EQ(inquiry_number(&table, 0, "count"), 100);
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 487969);
    CHECK_EQ(inquiry_number(&table, 0, "mean_ns"), 4880);
    CHECK_EQ(inquiry_number(&table, 0, "median_ns"), 2912);
    CHECK_EQ(inquiry_number(&table, 0, "p90_ns"), 13315);
    CHECK_EQ(inquiry_number(&table, 0, "p99_ns"), 13796);
    CHECK_TEXT(inquiry_text(&table, 0, "grid"), "[98, 2, 5]");
    CHECK_TEXT(inquiry_text(&table, 0, "block"), "[256, 1, 1]");
    CHECK_EQ(inquiry_number(&table, 0, "registers_per_thread"), 32);
    CHECK_EQ(inquiry_number(&table, 0, "shared_memory_bytes"), 4224);
    CHECK_EQ(inquiry_number(&table, 0, "launch_shapes"), 9);
    CHECK(fabs(inquiry_cell(&table, 0, "occupancy_percent")->real - 80.43) < 1e-9);
    CHECK_TEXT(inquiry_text(&table, 0, "operator"), "aten::cudnn_convolution");
    done(&trace, &table);
}

#define OPERATOR(name, id, ts)                                                                                       \
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 1, \"ts\": " ts ", \"dur\": " \
    "9, \"args\": {\"External id\": " id "}}"
#define KERNEL(device, id, ts, dur, more)                                                                   \
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": " device ", \"tid\": 7, \"ts\": " ts \
    ", \"dur\": " dur ", \"args\": {\"device\": " device ", \"stream\": 7, \"External id\": " id more "}}"
#define SHAPE(grid, percent) \
    ", \"grid\": [" grid ", 1, 1], \"block\": [32, 1, 1], \"est. achieved occupancy %\": " percent

TEST(kernels, show_the_most_frequent_launch_and_operator_and_how_many_others_there_are)
{
    opli_trace trace;
    opli_table table = ask(
        &trace,
        "[" OPERATOR("mm", "1", "0") "," OPERATOR("bmm", "2", "10") "," OPERATOR("bmm", "3", "20") "," KERNEL(
            "0", "1", "100", "10", SHAPE("8", "100")) "," KERNEL("0", "2", "200", "30",
                                                                 SHAPE("9", "20")) "," KERNEL("0", "3", "300", "10",
                                                                                              SHAPE("9", "20")) "]");
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_TEXT(inquiry_text(&table, 0, "grid"), "[9, 1, 1]");
    CHECK_EQ(inquiry_number(&table, 0, "launch_shapes"), 2);
    CHECK_TEXT(inquiry_text(&table, 0, "operator"), "bmm");
    CHECK_EQ(inquiry_number(&table, 0, "other_operators"), 1);
    /* Weighted by time: (100 * 10 + 20 * 40) / 50. */
    CHECK(fabs(inquiry_cell(&table, 0, "occupancy_percent")->real - 36) < 1e-9);
    CHECK(inquiry_cell(&table, 0, "registers_per_thread")->empty);
    done(&trace, &table);
}

TEST(kernels, of_one_name_on_two_devices_are_two_rows)
{
    opli_trace trace;
    opli_table table = ask(&trace, "[" KERNEL("0", "1", "100", "10", "") "," KERNEL("1", "2", "200", "30", "") "]");
    CHECK_EQ(opli_table_rows(&table), 2);
    CHECK_TEXT(inquiry_text(&table, 0, "device"), "gpu 1");
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 30000);
    CHECK_TEXT(inquiry_text(&table, 1, "device"), "gpu 0");
    done(&trace, &table);
}

TEST(kernels, that_say_nothing_of_their_launch_leave_those_cells_empty)
{
    opli_trace trace;
    opli_table table = ask(&trace, "[" KERNEL("0", "1", "100", "10", "") "]");
    static const char *const keys[] = {
        "grid", "block", "registers_per_thread", "shared_memory_bytes", "operator", "occupancy_percent"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        CHECK(inquiry_cell(&table, 0, keys[i])->empty);
    CHECK_EQ(inquiry_number(&table, 0, "launch_shapes"), 0);
    done(&trace, &table);
}
