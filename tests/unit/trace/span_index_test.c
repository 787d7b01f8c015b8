/* span_index_test.c - which span of a track holds a moment? */
#include "trace/span_index.h"

#include "test.h"
#include "trace/builder.h"

typedef struct sample {
    int64_t start, end;
} sample;

static void add(opli_builder *builder, uint32_t track, sample s)
{
    opli_span_draft draft = {.start_ns = s.start, .duration_ns = s.end - s.start, .track = track};
    opli_builder_span(builder, &draft);
}

/* These spans on the second of three tracks; the others are busy all the time. */
static void build(opli_trace *trace, const sample *samples, size_t count)
{
    opli_builder builder;
    opli_builder_init(&builder, trace);
    uint32_t process = opli_builder_process(&builder, 1), tracks[3];
    for (int64_t i = 0; i < 3; i++)
        tracks[i] = opli_builder_track(&builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, i);
    add(&builder, tracks[0], (sample){-1000000, 1000000});
    add(&builder, tracks[2], (sample){-1000000, 1000000});
    for (size_t i = 0; i < count; i++)
        add(&builder, tracks[1], samples[i]);
    CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
}

/* The row counted from the track's first; -1: none. */
static int64_t ask(const opli_trace *trace, int64_t time_ns)
{
    opli_span_index index;
    CHECK(opli_span_index_init(&index, trace));
    uint32_t row = opli_span_index_find(&index, 1, time_ns);
    opli_span_index_fini(&index);
    return row == OPLI_NO_ROW ? -1 : (int64_t)row - (int64_t)trace->tracks.items[1].first;
}

TEST(span_index, finds_the_innermost_span_of_a_moment)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 100}, {10, 50}, {20, 30}}, 3);
    CHECK_EQ(ask(&trace, 25), 2);
    CHECK_EQ(ask(&trace, 30), 2);
    CHECK_EQ(ask(&trace, 40), 1);
    CHECK_EQ(ask(&trace, 99), 0);
    CHECK_EQ(ask(&trace, 101), -1);
    CHECK_EQ(ask(&trace, -1), -1);
    opli_trace_free(&trace);
}

TEST(span_index, finds_the_enclosing_span_also_on_another_lane)
{
    opli_trace trace;
    build(&trace, (sample[]){{0, 100}, {50, 150}, {60, 70}, {120, 130}}, 4);
    CHECK_EQ(trace.spans.lane[trace.tracks.items[1].first + 1], 1);
    CHECK_EQ(ask(&trace, 65), 2);
    CHECK_EQ(ask(&trace, 75), 1);
    CHECK_EQ(ask(&trace, 125), 3);
    CHECK_EQ(ask(&trace, 140), 1);
    CHECK_EQ(ask(&trace, 151), -1);
    opli_trace_free(&trace);
}

/* The same by looking at every row. */
static int64_t look(const opli_trace *trace, int64_t time_ns)
{
    int64_t found = -1;
    for (size_t row = trace->tracks.items[1].first; row < trace->tracks.items[1].end; row++)
        if (trace->spans.start_ns[row] <= time_ns &&
            trace->spans.start_ns[row] + trace->spans.duration_ns[row] >= time_ns)
            found = (int64_t)(row - trace->tracks.items[1].first);
    return found;
}

TEST(span_index, agrees_with_looking_at_every_span)
{
    enum { COUNT = 1000 };
    static sample samples[COUNT];
    opli_trace trace;
    unsigned seed = 7;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < COUNT; i++) {
            samples[i].start = rand_r(&seed) % 20000;
            samples[i].end = samples[i].start + rand_r(&seed) % (i % 50 ? 20 : 3000);
        }
        build(&trace, samples, COUNT);
        for (int64_t at = -5; at < 23500; at += 7)
            CHECK_EQ(ask(&trace, at), look(&trace, at));
        opli_trace_free(&trace);
    }
}
