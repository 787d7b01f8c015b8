/* event_test.c - instants, counters, memory events and flows. */
#include <math.h>

#include "playback.h"
#include "test.h"

static void turn_the_chunk(void)
{
    for (int i = 0; i < 5000; i++)
        OPL_SPAN ("filler", OPL_CAT_OP) {
        }
}

/* ---- instants ---- */

TEST(event, of_an_instant_has_a_moment_and_no_length)
{
    playback_record("instant.opl");
    int64_t before = opl_clock_ns();
    OPL_INSTANT("spark", OPL_CAT_DATA);
    int64_t after = opl_clock_ns();
    playback p = playback_stop();
    const played *e = playback_only(&p, "spark");
    CHECK_EQ(e->event.kind, OPLI_EVENT_INSTANT);
    CHECK_EQ(e->event.duration_ns, 0);
    CHECK(!e->event.open);
    CHECK(e->event.start_ns >= before - 15000000 && e->event.start_ns <= after + 15000000);
    CHECK_TEXT(e->kind, "data");
    playback_close(&p);
}

/* ---- counters ---- */

TEST(event, of_a_counter_keeps_integers_and_reals_exactly)
{
    opl_site *site = opl_site_find("queue", OPL_CAT_COUNTER, 1);
    uint32_t track = opl_track_declare(opl_device_declare("gpu0", "gpu", 0), "stream", 0);
    playback_record("counters.opl");
    opl_counter_int(site, 0, INT64_MIN);
    opl_counter_int(site, track, INT64_MAX);
    opl_counter_real(site, track, -0.1);
    opl_counter_real(site, 0, INFINITY);
    OPL_COUNTER("loss", 3);
    playback p = playback_stop();
    CHECK_EQ(playback_nth(&p, "queue", 0)->event.as.counter.integer, INT64_MIN);
    CHECK(!playback_nth(&p, "queue", 0)->event.as.counter.real);
    CHECK_EQ(playback_nth(&p, "queue", 1)->event.as.counter.integer, INT64_MAX);
    CHECK_EQ(playback_nth(&p, "queue", 1)->event.track, track);
    CHECK(playback_nth(&p, "queue", 2)->event.as.counter.real);
    CHECK(playback_nth(&p, "queue", 2)->event.as.counter.number == -0.1);
    CHECK(isinf(playback_nth(&p, "queue", 3)->event.as.counter.number));
    CHECK(playback_only(&p, "loss")->event.as.counter.number == 3.0);
    CHECK_TEXT(playback_only(&p, "loss")->kind, "counter");
    playback_close(&p);
}

TEST(event, of_a_counter_is_left_out_with_its_category)
{
    playback_record_with("nocounters.opl", (opl_recorder_options){.categories = OPL_CATEGORY_BIT(OPL_CAT_OP)});
    OPL_COUNTER("loss", 3);
    opl_memory_alloc(&(opl_memory){.size_bytes = 5});
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 0);
    playback_close(&p);
}

/* ---- memory ---- */

TEST(event, of_memory_keeps_address_size_device_and_the_pool)
{
    uint32_t gpu = opl_device_declare("gpu1", "gpu", 0);
    const opl_memory full = {gpu, UINT64_MAX - 1, 1 << 30, 1 << 20, INT64_MAX}, bare = {0, 0x1000, 64, -1, -1};
    playback_record("memory.opl");
    opl_memory_alloc(&full);
    opl_memory_free(&bare);
    playback p = playback_stop();
    const opli_event *alloc = &playback_kind(&p, OPLI_EVENT_MEMORY, 0)->event;
    const opli_event *release = &playback_kind(&p, OPLI_EVENT_MEMORY, 1)->event;
    CHECK_EQ(alloc->as.memory.device, gpu);
    CHECK_EQ(alloc->as.memory.address, UINT64_MAX - 1);
    CHECK_EQ(alloc->as.memory.size_bytes, 1 << 30);
    CHECK_EQ(alloc->as.memory.used_bytes, 1 << 20);
    CHECK_EQ(alloc->as.memory.allocated_bytes, INT64_MAX);
    CHECK_EQ(release->as.memory.size_bytes, -64);
    CHECK_EQ(release->as.memory.used_bytes, -1);
    CHECK(strstr(playback_kind(&p, OPLI_EVENT_MEMORY, 0)->line, " address=fffffffffffffffe "));
    CHECK(strstr(playback_kind(&p, OPLI_EVENT_MEMORY, 1)->line, "device=\"host\""));
    CHECK(!strstr(playback_kind(&p, OPLI_EVENT_MEMORY, 1)->line, "used_bytes")); /* the pool did not say */
    playback_close(&p);
}

/* ---- flows ---- */

static void check_flow(const playback *p, size_t number, uint64_t id, uint32_t phase, const char *span)
{
    const opli_event *flow = &playback_kind(p, OPLI_EVENT_FLOW, number)->event;
    CHECK_EQ(flow->as.flow.id, id);
    CHECK_EQ(flow->as.flow.phase, phase);
    CHECK_TEXT(playback_at(p, flow->as.flow.chunk, flow->as.flow.index)->name, span);
}

TEST(event, of_a_flow_names_the_span_it_belongs_to)
{
    playback_record("flow.opl");
    opl_span launch = OPL_SPAN_BEGIN("launch", OPL_CAT_OP);
    opl_flow_begin(&launch, 7);
    opl_span_end(&launch);
    opl_span queue = OPL_SPAN_BEGIN("queue", OPL_CAT_OP);
    opl_span other = OPL_SPAN_BEGIN("other", OPL_CAT_OP);
    opl_flow_step(&queue, 7);
    opl_span_end(&other);
    opl_span_end(&queue);
    opl_span kernel = opl_span_timed(OPL_SITE("kernel", OPL_CAT_KERNEL, 1), 0, opl_clock_ns(), 10);
    opl_flow_end(&kernel, 7);
    playback p = playback_stop();
    check_flow(&p, 0, 7, OPLI_FLOW_BEGIN, "launch");
    check_flow(&p, 1, 7, OPLI_FLOW_STEP, "queue");
    check_flow(&p, 2, 7, OPLI_FLOW_END, "kernel");
    playback_close(&p);
}

TEST(event, of_a_flow_finds_a_span_in_an_earlier_chunk)
{
    playback_record("farflow.opl");
    opl_span launch = OPL_SPAN_BEGIN("launch", OPL_CAT_OP);
    turn_the_chunk();
    opl_flow_begin(&launch, UINT64_MAX);
    opl_arg_int(&launch, OPL_KEY("after"), 1);
    turn_the_chunk();
    opl_flow_end(&launch, UINT64_MAX);
    opl_span_end(&launch);
    playback p = playback_stop();
    check_flow(&p, 0, UINT64_MAX, OPLI_FLOW_BEGIN, "launch");
    check_flow(&p, 1, UINT64_MAX, OPLI_FLOW_END, "launch");
    CHECK_EQ(playback_only(&p, "launch")->event.argument_count, 1);
    playback_close(&p);
}

TEST(event, of_a_flow_without_a_span_is_nowhere)
{
    opl_span empty = {NULL, 0, 0};
    playback_record("noflow.opl");
    opl_flow_begin(&empty, 1);
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 0);
    playback_close(&p);
}

TEST(event, of_a_flow_gets_an_id_that_nobody_has)
{
    uint64_t ids[1000];
    for (size_t i = 0; i < 1000; i++) {
        ids[i] = opl_flow_new();
        CHECK(ids[i] != 0);
        for (size_t other = 0; other < i; other++)
            CHECK(ids[i] != ids[other]);
    }
}
