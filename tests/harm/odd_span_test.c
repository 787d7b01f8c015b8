/* odd_span_test.c - spans as programs really use them: twice, too late, too deep, too long. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"
#include "wire/record_tags.h"

static void start(const char *path) { MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK); }

/* Runs `body` in a child that records, and opens what it left. */
static void record(harvest *h, void (*body)(void *path))
{
    const char *path = test_path("odd.opl");
    unlink(path);
    child_run(body, (void *)(uintptr_t)path);
    harvest_open(h, path);
    harvest_check_whole(h);
}

static void run_empty_handles(void *path)
{
    opl_span span = {0}, copy;
    start(path);
    opl_span_end(&span);
    opl_arg_int(&span, &lane_number_key, 1);
    opl_arg_text(&span, &lane_text_key, "text");
    opl_flow_begin(&span, 1);
    copy = opl_span_begin(&lane_sites[0]);
    opl_arg_int(&copy, &lane_number_key, 0);
    span = copy;
    opl_span_end(&copy);
    opl_span_end(&copy);
    opl_span_end(&span); /* a copy of a handle that was ended */
    opl_arg_text(&span, &lane_text_key, NULL);
    opl_arg_ints(&span, &lane_number_key, NULL, 0);
}

TEST(span, ends_once_however_often_it_is_ended)
{
    harvest h;
    record(&h, run_empty_handles);
    CHECK_EQ(h.spans, 1);
    harvest_check_lane(&h, 0, 1, 0);
    harvest_close(&h);
}

static void run_after_stop(void *path)
{
    start(path);
    opl_span early = OPL_SPAN_BEGIN("ended after the stop", OPL_CAT_OP), late = early;
    opl_recorder_stop();
    opl_span_end(&early);
    start(path);
    opl_arg_int(&late, &lane_number_key, 1);
    opl_span_end(&late);
    OPL_SPAN ("in the second recording", OPL_CAT_OP) {
    }
    opl_recorder_stop();
}

TEST(span, that_is_ended_after_the_stop_stays_open)
{
    harvest h;
    record(&h, run_after_stop);
    CHECK_EQ(harvest_open_spans(&h, "ended after the stop"), 1);
    CHECK_EQ(harvest_ended(&h, "in the second recording"), 1);
    CHECK_EQ(h.spans, 2);
    CHECK_EQ(h.arguments, 0);
    harvest_close(&h);
}

static void nest(unsigned depth)
{
    if (depth == 100)
        return;
    opl_span span = opl_span_begin(&lane_sites[0]);
    opl_arg_int(&span, &lane_number_key, depth);
    nest(depth + 1);
    opl_span_end(&span);
}

static void run_nested(void *path)
{
    start(path);
    nest(0);
}

TEST(span, may_be_a_hundred_levels_deep)
{
    harvest h;
    record(&h, run_nested);
    harvest_check_lane(&h, 0, 100, 0);
    harvest_close(&h);
}

/* Outer spans last for many chunks, and are told more about all the while. */
static void run_long(void *path)
{
    start(path);
    opl_span outer = opl_span_begin(&lane_sites[1]), next = outer;
    opl_arg_int(&outer, &lane_number_key, 0);
    for (uint64_t i = 0; i < 50000; i++) {
        lane_put(0, i);
        if (i % 10000 == 9999)
            opl_arg_text(&outer, OPL_KEY("progress"), "ten thousand more");
    }
    next = OPL_SPAN_BEGIN("chain", OPL_CAT_OP);
    for (int i = 0; i < 20000; i++)
        OPL_SPAN_NEXT(&next, "chain", OPL_CAT_OP);
    opl_span_end(&next);
    opl_span_end(&outer);
}

TEST(span, may_be_longer_than_many_chunks)
{
    harvest h;
    record(&h, run_long);
    harvest_check_lane(&h, 0, 50000, 0);
    harvest_check_lane(&h, 1, 1, 0);
    CHECK_EQ(harvest_ended(&h, "chain"), 20001);
    CHECK_EQ(h.arguments, 50000 + 1 + 5);
    CHECK_EQ(h.open, 0);
    harvest_close(&h);
}

/* The duration does not fit where it usually stands. */
static void run_very_long(void *path)
{
    start(path);
    opl_span span = opl_span_begin(&lane_sites[0]);
    opl_arg_int(&span, &lane_number_key, 0);
    span.start -= UINT64_C(1) << (OPL_DURATION_BITS + 1);
    opl_span_end(&span);
}

TEST(span, may_last_for_hours)
{
    harvest h;
    record(&h, run_very_long);
    harvest_check_lane(&h, 0, 1, 0);
    harvest_close(&h);
}

/* ---- huge texts ---- */

#define HUGE_BYTES (UINT64_C(1) << 30)

/* A gibibyte of which only the first pages are ever touched: the rest is one mapped page after another. */
static char *huge_text(void)
{
    char *text = mmap(NULL, HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(text != MAP_FAILED);
    memset(text, 'x', 64 << 10);
    MUST(mprotect(text + (64 << 10), HUGE_BYTES - (64 << 10), PROT_NONE) == 0);
    return text;
}

static void run_huge(void *path)
{
    char *text = huge_text();
    start(path);
    OPL_SPAN ("huge", OPL_CAT_OP) {
        opl_arg_text(&opl_this_span, &lane_text_key, text);
        opl_arg_text_n(&opl_this_span, &lane_text_key, text, HUGE_BYTES);
        opl_arg_ints(&opl_this_span, &lane_text_key, (const int64_t *)(void *)text, HUGE_BYTES / sizeof(int64_t));
    }
    OPL_SPAN ("cut name", OPL_CAT_OP) {
    }
    opl_site_find(text, OPL_CAT_OP, 1);
    opl_metadata_set("huge", text);
}

static bool check_cut(void *context, const opli_event *event)
{
    for (uint32_t i = 0; i < event->argument_count; i++) {
        CHECK(event->arguments[i].cut);
        CHECK_EQ(event->arguments[i].size, OPLI_BYTES_MAX);
        ++*(unsigned *)context;
    }
    return true;
}

TEST(text, of_a_gibibyte_is_cut_and_never_read_to_its_end)
{
    harvest h;
    unsigned count = 0;
    record(&h, run_huge);
    CHECK_EQ(opli_events_visit(&h.recording, check_cut, &count), OPL_OK);
    CHECK_EQ(count, 3);
    CHECK(h.recording.size < 1 << 20);
    harvest_close(&h);
}
