/* span_test.c - spans, from the plain one to the one that another thread ends in another chunk. */
#include <pthread.h>
#include <unistd.h>

#include "playback.h"
#include "test.h"

#define DOUBT_NS 15000000 /* how far a busy machine may let two clocks be read apart */

static void turn_the_chunk(void)
{
    for (int i = 0; i < 5000; i++)
        OPL_SPAN ("filler", OPL_CAT_OP) {
        }
}

static void check_ended(const playback *p, const char *name)
{
    const played *e = playback_only(p, name);
    CHECK_EQ(e->event.kind, OPLI_EVENT_SPAN);
    CHECK(!e->event.open);
    CHECK(e->event.duration_ns >= 0);
}

/* ---- plain ones ---- */

TEST(span, has_a_name_a_kind_a_start_and_a_duration)
{
    playback_record("plain.opl");
    int64_t before = opl_clock_ns();
    OPL_SPAN ("conv", OPL_CAT_OP)
        usleep(20000);
    int64_t after = opl_clock_ns();
    playback p = playback_stop();
    const opli_event *e = &playback_only(&p, "conv")->event;
    CHECK_TEXT(playback_only(&p, "conv")->kind, "op");
    CHECK(e->start_ns >= before - DOUBT_NS && e->start_ns + e->duration_ns <= after + DOUBT_NS);
    CHECK(e->duration_ns >= 20000000 - DOUBT_NS);
    CHECK_EQ(e->track, 0);
    playback_close(&p);
}

TEST(span, ends_however_its_block_is_left)
{
    playback_record("left.opl");
    for (int i = 0; i < 4; i++)
        OPL_SPAN ("left", OPL_CAT_OP) {
            if (i == 1)
                break;
            if (i == 2)
                continue;
            if (i == 3)
                goto out;
        }
out:;
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "left"), 4);
    for (size_t i = 0; i < 4; i++)
        CHECK(!playback_nth(&p, "left", i)->event.open);
    playback_close(&p);
}

TEST(span, lies_inside_the_one_around_it)
{
    playback_record("around.opl");
    OPL_SPAN ("outer", OPL_CAT_INFERENCE) {
        OPL_SPAN ("inner", OPL_CAT_OP)
            OPL_SPAN ("innermost", OPL_CAT_OP)
                usleep(10);
    }
    playback p = playback_stop();
    static const char *const names[] = {"outer", "inner", "innermost"};
    for (size_t i = 0; i + 1 < 3; i++) {
        const opli_event *around = &playback_only(&p, names[i])->event, *in = &playback_only(&p, names[i + 1])->event;
        CHECK(in->start_ns >= around->start_ns);
        CHECK(in->start_ns + in->duration_ns <= around->start_ns + around->duration_ns);
    }
    playback_close(&p);
}

TEST(span, that_never_ended_is_open_in_the_trace)
{
    playback_record("open.opl");
    opl_span span = OPL_SPAN_BEGIN("endless", OPL_CAT_OP);
    playback p = playback_stop();
    CHECK(playback_only(&p, "endless")->event.open);
    CHECK_EQ(playback_only(&p, "endless")->event.duration_ns, 0);
    opl_span_end(&span); /* too late, and harmless */
    CHECK(!span.record);
    playback_close(&p);
}

TEST(span, ends_once_whatever_is_ended_again)
{
    playback_record("twice.opl");
    opl_span span = OPL_SPAN_BEGIN("twice", OPL_CAT_OP), copy = span, empty = {NULL, 0, 0};
    opl_span_end(&span);
    int64_t ended = opl_clock_ns();
    usleep(50000);
    opl_span_end(&span);
    opl_span_end(&copy); /* a copy of the handle does not move the end */
    opl_span_end(&empty);
    playback p = playback_stop();
    check_ended(&p, "twice");
    const opli_event *e = &playback_only(&p, "twice")->event;
    CHECK(e->start_ns + e->duration_ns <= ended + DOUBT_NS);
    playback_close(&p);
}

TEST(span, follows_the_one_before_without_a_gap)
{
    playback_record("next.opl");
    opl_span span = OPL_SPAN_BEGIN("first", OPL_CAT_OP);
    for (int i = 0; i < 6000; i++) /* over the end of a chunk too */
        OPL_SPAN_NEXT(&span, "next", OPL_CAT_OP);
    opl_span_end(&span);
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "next"), 6000);
    for (size_t i = 0; i + 1 < p.events.count; i++) {
        const opli_event *e = &p.events.items[i].event, *next = &p.events.items[i + 1].event;
        CHECK(!e->open);
        CHECK(next->start_ns - (e->start_ns + e->duration_ns) <= 1); /* a nanosecond for rounding */
        CHECK(next->start_ns - (e->start_ns + e->duration_ns) >= -1);
    }
    playback_close(&p);
}

/* ---- levels and categories ---- */

static void record_both_levels(void)
{
    OPL_SPAN ("op", OPL_CAT_OP) {
        OPL_SPAN_DETAIL ("op detail", OPL_CAT_OP)
            OPL_SPAN ("api", OPL_CAT_API)
                OPL_SPAN ("vm", OPL_CAT_VM) {
                }
        OPL_SPAN ("sync", OPL_CAT_SYNC)
            OPL_SPAN ("function", OPL_CAT_FUNCTION) {
            }
    }
}

TEST(span, of_level_2_is_left_out_at_level_1)
{
    static const char *const detail[] = {"op detail", "api", "vm", "sync", "function"};
    for (int level = 0; level <= 2; level++) {
        playback_record_with("levels.opl", (opl_recorder_options){.level = level});
        record_both_levels();
        playback p = playback_stop();
        CHECK_EQ(playback_count(&p, "op"), 1);
        for (size_t i = 0; i < 5; i++)
            CHECK_EQ(playback_count(&p, detail[i]), level == 2 ? 1 : 0);
        playback_close(&p);
        remove(test_path("levels.opl"));
    }
}

TEST(span, of_a_category_that_is_not_wanted_is_left_out)
{
    uint32_t wanted = OPL_CATEGORY_BIT(OPL_CAT_API) | OPL_CATEGORY_BIT(OPL_CAT_VM);
    playback_record_with("categories.opl", (opl_recorder_options){.level = 2, .categories = wanted});
    record_both_levels();
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 2);
    CHECK_EQ(playback_count(&p, "api"), 1);
    CHECK_EQ(playback_count(&p, "vm"), 1);
    playback_close(&p);
}

/* ---- over chunks and threads ---- */

TEST(span, that_outlives_its_chunk_still_ends)
{
    opl_span spans[5];
    playback_record("late.opl");
    for (int i = 0; i < 5; i++) {
        spans[i] = opl_span_begin(opl_site_find((const char *[]){"s0", "s1", "s2", "s3", "s4"}[i], OPL_CAT_OP, 1));
        turn_the_chunk();
    }
    for (int i = 0; i < 5; i++)
        opl_span_end(&spans[i]);
    playback p = playback_stop();
    for (int i = 0; i < 5; i++)
        check_ended(&p, (const char *[]){"s0", "s1", "s2", "s3", "s4"}[i]);
    CHECK(playback_only(&p, "s0")->event.duration_ns > playback_only(&p, "s4")->event.duration_ns);
    CHECK_EQ(playback_count(&p, "filler"), 25000);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}

static void *end_elsewhere(void *span)
{
    opl_arg_text(span, OPL_KEY("by"), "another thread");
    opl_flow_end(span, 5);
    opl_span_end(span);
    return NULL;
}

static void run(void *(*work)(void *), void *context)
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, work, context), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

TEST(span, can_be_ended_and_described_by_another_thread)
{
    playback_record("across.opl");
    opl_span span = OPL_SPAN_BEGIN("handed over", OPL_CAT_OP);
    run(end_elsewhere, &span);
    CHECK(!span.record);
    playback p = playback_stop();
    const played *e = playback_only(&p, "handed over");
    const opli_event *flow = &playback_kind(&p, OPLI_EVENT_FLOW, 0)->event;
    check_ended(&p, "handed over");
    CHECK_EQ(playback_argument(e, "by")->size, 14);
    CHECK(e->event.thread != flow->thread);
    CHECK(playback_at(&p, flow->as.flow.chunk, flow->as.flow.index) == e);
    playback_close(&p);
}

static void *begin_elsewhere(void *span)
{
    *(opl_span *)span = OPL_SPAN_BEGIN("orphan", OPL_CAT_OP);
    turn_the_chunk();
    return NULL;
}

TEST(span, can_be_ended_when_the_thread_that_began_it_is_gone)
{
    opl_span span = {NULL, 0, 0};
    playback_record("orphan.opl");
    run(begin_elsewhere, &span);
    run(begin_elsewhere, &(opl_span){NULL, 0, 0}); /* who inherits the buffers of the first */
    opl_span_end(&span);
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "orphan"), 2);
    CHECK(!playback_nth(&p, "orphan", 0)->event.open);
    CHECK(playback_nth(&p, "orphan", 1)->event.open);
    CHECK_EQ(p.recording.threads.count, 3);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}

TEST(span, of_an_earlier_recording_leaves_the_next_one_alone)
{
    playback_record("earlier.opl");
    opl_span span = OPL_SPAN_BEGIN("earlier", OPL_CAT_OP);
    playback earlier = playback_stop();
    playback_record("later.opl");
    OPL_INSTANT("later", OPL_CAT_OP);
    opl_arg_int(&span, OPL_KEY("k"), 1);
    opl_flow_begin(&span, 1);
    opl_span_end(&span);
    playback later = playback_stop();
    CHECK(playback_only(&earlier, "earlier")->event.open);
    CHECK_EQ(later.events.count, 1);
    CHECK_EQ(later.events.items[0].event.argument_count, 0);
    playback_close(&earlier);
    playback_close(&later);
}

/* ---- timed elsewhere ---- */

TEST(span, timed_on_the_host_has_exactly_the_times_it_was_given)
{
    uint32_t track = opl_track_declare(OPL_DEVICE_HOST, "worker", 0);
    uint32_t plain = opl_track_declare(opl_device_declare("plain", "gpu", 0), "queue", 0);
    playback_record("timed.opl");
    opl_span_timed(OPL_SITE("own", OPL_CAT_KERNEL, 1), 0, 123456789, 1000);
    opl_span_timed(OPL_SITE("track", OPL_CAT_KERNEL, 1), track, -5, 10);
    opl_span_timed(OPL_SITE("device", OPL_CAT_KERNEL, 1), plain, INT64_MAX - 10, 10);
    opl_span_timed(OPL_SITE("lost", OPL_CAT_KERNEL, 1), 99999, 7, 8); /* a track nobody declared */
    playback p = playback_stop();
    CHECK_EQ(playback_only(&p, "own")->event.start_ns, 123456789);
    CHECK_EQ(playback_only(&p, "own")->event.duration_ns, 1000);
    CHECK_EQ(playback_only(&p, "track")->event.start_ns, -5);
    CHECK_EQ(playback_only(&p, "track")->event.track, track);
    CHECK_EQ(playback_only(&p, "device")->event.start_ns, INT64_MAX - 10);
    CHECK_EQ(playback_only(&p, "device")->event.duration_ns, 10);
    CHECK_EQ(playback_only(&p, "lost")->event.start_ns, 7);
    CHECK(strstr(playback_only(&p, "device")->line, "device=\"plain\" track=\"queue\""));
    playback_close(&p);
}

TEST(span, timed_by_a_device_clock_is_brought_to_the_host_by_its_anchors)
{
    uint32_t npu = opl_device_declare("npu7", "npu", 1e9), pe = opl_track_declare(npu, "pe0", 0);
    playback_record("npu.opl");
    opl_device_anchor(npu, 1000, 5000000);
    opl_device_anchor(npu, 2000, 5002000); /* its clock runs at half the rate it claims */
    opl_span_timed(OPL_SITE("matmul", OPL_CAT_KERNEL, 1), pe, 1500, 100);
    playback p = playback_stop();
    CHECK_EQ(playback_only(&p, "matmul")->event.start_ns, 5001000);
    CHECK_EQ(playback_only(&p, "matmul")->event.duration_ns, 200);
    playback_close(&p);
}

/* ---- when nothing is recorded ---- */

TEST(span, is_empty_while_nothing_is_recorded)
{
    opl_span span = OPL_SPAN_BEGIN("nothing", OPL_CAT_OP);
    CHECK(!span.record);
    OPL_SPAN_NEXT(&span, "nothing", OPL_CAT_OP);
    CHECK(!span.record);
    opl_span_end(&span);
    CHECK(!opl_instant(OPL_SITE("nothing", OPL_CAT_OP, 1)).record);
    CHECK(!opl_span_timed(OPL_SITE("nothing", OPL_CAT_OP, 1), 0, 0, 0).record);
}
