/* copies_test.c - copies and fills: how much, how long, how fast. */
#include <math.h>

#include "inquiry.h"
#include "test.h"

static opli_table ask(opli_trace *trace, const char *json)
{
    CHECK_EQ(inquiry_read(trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    return inquiry_ask(trace, &opli_analysis_copies);
}

static void done(opli_trace *trace, opli_table *table)
{
    opli_table_free(table);
    opli_trace_free(trace);
}

static double bandwidth(const opli_table *table, size_t row)
{
    const opli_cell *cell = inquiry_cell(table, row, "bandwidth_gb_per_s");
    CHECK(!cell->empty);
    return cell->real;
}

#define COPY(category, name, ts, dur, args)                                                                  \
    "{\"ph\": \"X\", \"cat\": \"" category "\", \"name\": \"" name "\", \"pid\": 0, \"tid\": 7, \"ts\": " ts \
    ", \"dur\": " dur ", \"args\": {\"device\": 0, \"stream\": 7" args "}}"

TEST(copies, of_resnet18_have_the_figures_in_the_trace)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_table table = inquiry_ask(&trace, &opli_analysis_copies);
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_TEXT(inquiry_text(&table, 0, "kind"), "memset");
    CHECK_TEXT(inquiry_text(&table, 0, "name"), "Memset (Device)");
    CHECK_EQ(inquiry_number(&table, 0, "count"), 20);
    CHECK_EQ(inquiry_number(&table, 0, "size_bytes"), 10240);
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 16353);
    CHECK(fabs(bandwidth(&table, 0) - 0.626) < 1e-9);
    done(&trace, &table);
}

TEST(copies, are_told_apart_by_direction_and_by_pinned_or_pageable_memory)
{
    opli_trace trace;
    opli_table table = ask(
        &trace, "[" COPY("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", "0", "1", ", \"bytes\": 500") "," COPY(
                    "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "10", "2",
                    ", \"bytes\": 50000") "," COPY("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "20", "4",
                                                   ", \"bytes\": 70000") "," COPY("gpu_memcpy",
                                                                                  "Memcpy DtoH (Device -> Pageable)",
                                                                                  "30", "0.5", ", \"bytes\": 8") "]");
    CHECK_EQ(opli_table_rows(&table), 3);
    size_t pinned = inquiry_row(&table, "name", "Memcpy HtoD (Pinned -> Device)");
    CHECK_TEXT(inquiry_text(&table, pinned, "kind"), "HtoD");
    CHECK_EQ(inquiry_number(&table, pinned, "count"), 2);
    CHECK_EQ(inquiry_number(&table, pinned, "size_bytes"), 120000);
    CHECK_EQ(inquiry_number(&table, pinned, "total_ns"), 6000);
    CHECK_EQ(inquiry_number(&table, pinned, "mean_ns"), 3000);
    CHECK(fabs(bandwidth(&table, pinned) - 20) < 1e-9); /* 120,000 B in 6 us */
    CHECK_TEXT(inquiry_text(&table, 2, "kind"), "DtoH");
    CHECK(fabs(bandwidth(&table, 2) - 0.016) < 1e-9);
    done(&trace, &table);
}

TEST(copies, that_do_not_say_their_size_slow_no_bandwidth_down)
{
    opli_trace trace;
    opli_table table = ask(
        &trace, "[" COPY("gpu_memcpy", "Memcpy DtoD", "0", "1", ", \"bytes\": 3000") "," COPY(
                    "gpu_memcpy", "Memcpy DtoD", "10", "99", "") "," COPY("gpu_memset", "Memset", "200", "1", "") "]");
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 100000);
    CHECK(fabs(bandwidth(&table, 0) - 3) < 1e-9);
    CHECK(inquiry_cell(&table, 1, "size_bytes")->empty);
    CHECK(inquiry_cell(&table, 1, "bandwidth_gb_per_s")->empty);
    done(&trace, &table);
}
