/* nesting_test.c - who is inside whom. */
#include "trace/nesting.h"

#include "test.h"
#include "trace/builder.h"

typedef struct sample {
    int64_t start, end;
} sample;

/* A trace with these spans on one track, in this order of the file. */
static void build(opli_trace *trace, const sample *samples, size_t count)
{
    opli_builder builder;
    opli_builder_init(&builder, trace);
    uint32_t process = opli_builder_process(&builder, 1);
    uint32_t track = opli_builder_track(&builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 1);
    for (size_t i = 0; i < count; i++) {
        opli_span_draft draft = {.start_ns = samples[i].start,
                                 .duration_ns = samples[i].end - samples[i].start,
                                 .track = track,
                                 .name = opli_builder_word(&builder, "s")};
        opli_builder_span(&builder, &draft);
    }
    CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
}

TEST(nesting, gives_each_span_the_innermost_one_that_holds_it_whole)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 100}, {10, 50}, {20, 30}, {60, 90}}, 4);
    CHECK_EQ(trace.spans.parent[0], OPLI_NO_ROW);
    CHECK_EQ(trace.spans.parent[1], 0);
    CHECK_EQ(trace.spans.parent[2], 1);
    CHECK_EQ(trace.spans.parent[3], 0);
    CHECK_EQ(trace.spans.depth[2], 2);
    opli_trace_free(&trace);
}

TEST(nesting, does_not_mind_the_order_of_the_file)
{
    opli_trace trace;
    build(&trace, (sample[]){{20, 30}, {60, 90}, {0, 100}, {10, 50}}, 4);
    CHECK_EQ(trace.spans.start_ns[0], 0);
    CHECK_EQ(trace.spans.start_ns[2], 20);
    CHECK_EQ(trace.spans.parent[2], 1);
    opli_trace_free(&trace);
}

TEST(nesting, keeps_spans_that_partly_overlap_on_lanes_of_their_own)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 10}, {5, 15}, {8, 20}, {12, 14}}, 4);
    CHECK_EQ(trace.spans.count, 4);
    CHECK_EQ(trace.spans.lane[0], 0);
    CHECK_EQ(trace.spans.lane[1], 1);
    CHECK_EQ(trace.spans.lane[2], 2);
    CHECK(trace.spans.flags[1] & OPLI_SPAN_OVERLAPS);
    CHECK_EQ(trace.spans.parent[1], OPLI_NO_ROW);
    opli_trace_free(&trace);
}

TEST(nesting, takes_the_longer_of_two_that_begin_together_as_the_outer_one)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 10}, {0, 30}, {30, 30}}, 3);
    CHECK_EQ(trace.spans.duration_ns[0], 30);
    CHECK_EQ(trace.spans.parent[1], 0);
    CHECK_EQ(trace.spans.parent[2], OPLI_NO_ROW);
    opli_trace_free(&trace);
}

TEST(nesting, copes_with_a_tower_of_ten_thousand_spans)
{
    static sample tower[10000];
    opli_trace trace;
    for (int i = 0; i < 10000; i++)
        tower[i] = (sample){i, 30000 - i};
    build(&trace, tower, 10000);
    CHECK_EQ(trace.spans.depth[9999], 9999);
    CHECK_EQ(trace.spans.parent[9999], 9998);
    opli_trace_free(&trace);
}

/* Each begins before the one before it ends, and ends after it: a queue of requests. */
static void build_staircase(opli_trace *trace, size_t count)
{
    sample *steps = malloc(count * sizeof *steps);
    for (size_t i = 0; i < count; i++)
        steps[i] = (sample){(int64_t)i, (int64_t)(count + i)};
    build(trace, steps, count);
    free(steps);
}

TEST(nesting, gives_twenty_thousand_spans_that_overlap_each_a_lane)
{
    opli_trace trace;
    build_staircase(&trace, 20000);
    for (size_t i = 0; i < trace.spans.count; i++) {
        CHECK_EQ(trace.spans.lane[i], i);
        CHECK_EQ(trace.spans.parent[i], OPLI_NO_ROW);
    }
    CHECK_EQ(trace.notes.count, 0);
    opli_trace_free(&trace);
}

TEST(nesting, never_puts_a_span_inside_one_that_does_not_hold_it_also_when_lanes_run_out)
{
    opli_trace trace;
    build_staircase(&trace, 70000);
    CHECK_EQ(trace.spans.count, 70000);
    for (size_t i = 0; i < trace.spans.count; i++)
        CHECK_EQ(trace.spans.parent[i], OPLI_NO_ROW);
    CHECK_EQ(trace.notes.count, 1);
    CHECK_EQ(trace.notes.items[0].count, 70000 - 65535);
    opli_trace_free(&trace);
}

TEST(nesting, uses_a_lane_again_once_its_spans_have_ended)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 10}, {5, 15}, {12, 30}, {16, 40}, {18, 20}, {41, 42}}, 6);
    CHECK_EQ(trace.spans.lane[2], 0);
    CHECK_EQ(trace.spans.lane[3], 1);
    CHECK_EQ(trace.spans.lane[4], 0);
    CHECK_EQ(trace.spans.parent[4], 2);
    CHECK_EQ(trace.spans.lane[5], 0);
    CHECK_EQ(trace.spans.depth[5], 0);
    opli_trace_free(&trace);
}
