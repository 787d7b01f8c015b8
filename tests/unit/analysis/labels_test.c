/* labels_test.c - stretches that users named. */
#include "inquiry.h"
#include "test.h"

TEST(labels, of_resnet18_have_the_figures_in_the_trace)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table table = inquiry_ask(&trace, &opli_analysis_labels);
    CHECK_EQ(opli_table_rows(&table), 1); /* the profiler's own window is none */
    CHECK_TEXT(inquiry_text(&table, 0, "name"), "model_inference");
    CHECK(inquiry_cell(&table, 0, "warm_up")->empty);
    CHECK_EQ(inquiry_number(&table, 0, "count"), 5);
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 32427444);
    CHECK_EQ(inquiry_number(&table, 0, "mean_ns"), 6485489);
    CHECK_EQ(inquiry_number(&table, 0, "median_ns"), 5874602);
    CHECK_EQ(inquiry_number(&table, 0, "p90_ns"), 7956454);
    CHECK_EQ(inquiry_number(&table, 0, "p99_ns"), 9061978);
    CHECK_EQ(inquiry_number(&table, 0, "device_total_ns"), 2874414);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

#define LABEL(name, ts, dur, args)                                                                              \
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 1, \"ts\": " ts \
    ", \"dur\": " dur ", \"args\": {" args "}}"

TEST(labels, inside_themselves_count_device_time_once)
{
    static const char json[] = "[" LABEL("outer", "0", "100", "") "," LABEL("again", "10", "50", "") "," LABEL(
        "again", "20", "30", "\"External id\": 5") ","
                                                   "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, "
                                                   "\"tid\": 7, \"ts\": 500, \"dur\": 8, "
                                                   "\"args\": {\"device\": 0, \"External id\": 5}}]";
    opli_trace trace;
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_labels);
    size_t again = inquiry_row(&table, "name", "again");
    CHECK_EQ(inquiry_number(&table, again, "count"), 2);
    CHECK_EQ(inquiry_number(&table, again, "device_total_ns"), 8000);
    CHECK_EQ(inquiry_number(&table, inquiry_row(&table, "name", "outer"), "device_total_ns"), 8000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(labels, keep_warm_ups_apart_where_they_are_known)
{
    static const char json[] = "[" LABEL("run", "0", "90", "\"warm_up\": true") "," LABEL(
        "run", "100", "10", "\"warm_up\": false") "," LABEL("run", "200", "20", "\"warm_up\": false") "]";
    opli_trace trace;
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_labels);
    CHECK_EQ(opli_table_rows(&table), 2);
    CHECK_EQ(inquiry_number(&table, inquiry_row(&table, "warm_up", "yes"), "count"), 1);
    CHECK_EQ(inquiry_number(&table, inquiry_row(&table, "warm_up", "no"), "mean_ns"), 15000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}
