/* start_stop_test.c - start, stop, clear, pause and select from anywhere, while others record.
 *
 * A span belongs to the recording when it began after a start had returned and ended before the next
 * stop was called. Threads know that from a number which is odd in between. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define LANES 3u
#define MOST (1u << 20) /* spans of a lane */

typedef struct stage {
    const char *path;
    int no_writer_thread;
    unsigned cycles;
    _Atomic bool enough;
    _Atomic uint64_t epoch; /* odd: a recording is on */
    _Atomic uint64_t counts[LANES];
    uint16_t due[LANES][MOST]; /* the number in which this span began and ended; 0: it straddles two */
} stage;

/* Numbers what begins in a recording; what begins elsewhere has no number and no right to be kept. */
static void record_lane(unsigned lane, void *context)
{
    stage *s = context;
    for (uint64_t i = 0; !s->enough;) {
        uint64_t before = atomic_load(&s->epoch);
        if (before % 2 == 0 || i == MOST) {
            for (int k = 0; k < 100; k++)
                OPL_SPAN ("in between", OPL_CAT_OP) {
                }
            usleep(20);
            continue;
        }
        while (i > s->counts[0] + 5000 && atomic_load(&s->epoch) == before)
            usleep(50); /* no lane runs away */
        lane_put_text(lane, i);
        s->due[lane][i] = atomic_load(&s->epoch) == before ? (uint16_t)before : 0;
        s->counts[lane] = ++i;
    }
}

/* Some recordings are long enough for full chunks, some are not. */
static void linger(const stage *s, unsigned turn)
{
    uint64_t until = s->counts[0] + (turn % 8 ? 50 : 4000);
    while (s->counts[0] < until && s->counts[0] < MOST)
        usleep(50);
}

static void run_cycles(void *context)
{
    stage *s = context;
    opl_recorder_options options = {.path = s->path, .no_writer_thread = s->no_writer_thread};
    crew c;
    crew_start(&c, LANES, record_lane, s);
    for (unsigned i = 0; i < s->cycles; i++) {
        MUST(opl_recorder_start(&options, NULL) == OPL_OK);
        atomic_fetch_add(&s->epoch, 1);
        linger(s, i);
        atomic_fetch_add(&s->epoch, 1);
        opl_recorder_stop();
    }
    s->enough = true;
    crew_join(&c);
}

/* All that is due from number `since` on is there, and nothing is there twice. */
static void check_due(const harvest *h, const stage *s, uint64_t since)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const harvest_lane *l = &h->lanes[lane];
        CHECK_EQ(l->wrong_texts, 0);
        for (uint64_t i = 0; i < s->counts[lane]; i++) {
            unsigned found = i < l->seen.count ? l->seen.items[i] : 0;
            if (found > 1 || (s->due[lane][i] >= since && (found != 1 || !l->ended.items[i])))
                fail_msg("span %llu of lane %u was found %u times", (unsigned long long)i, lane, found);
        }
    }
}

static void check_cycles(unsigned cycles, int no_writer_thread)
{
    harvest h;
    stage *s = child_shared(sizeof *s);
    s->path = test_path("cycles.opl");
    s->cycles = cycles;
    s->no_writer_thread = no_writer_thread;
    child_run(run_cycles, s);
    harvest_open(&h, s->path);
    harvest_check_whole(&h);
    CHECK_EQ(h.recording.header.sessions, cycles);
    check_due(&h, s, 1);
    harvest_close(&h);
    unlink(s->path);
}

TEST(start_and_stop, lose_nothing_that_ended_in_between) { check_cycles(HARM_COUNT(60, 20), 0); }

TEST(start_and_stop, lose_nothing_without_a_writer) { check_cycles(HARM_COUNT(60, 20), 1); }

TEST(start_and_stop, may_be_repeated_more_often_than_a_chunk_can_count)
{
    check_cycles(HARM_COUNT(300, 140), 1); /* chunks keep 8 bits of the session's number */
}

/* ---- clear ---- */

static void run_clear(void *context)
{
    stage *s = context;
    crew c;
    MUST(opl_recorder_start(&(opl_recorder_options){.path = s->path}, NULL) == OPL_OK);
    crew_start(&c, LANES, record_lane, s);
    for (unsigned i = 0; i < s->cycles; i++) {
        MUST(opl_recorder_clear(NULL) == OPL_OK);
        atomic_fetch_add(&s->epoch, 1);
        linger(s, i);
        atomic_fetch_add(&s->epoch, 1);
    }
    opl_recorder_stop();
    s->enough = true;
    crew_join(&c);
}

TEST(clear, forgets_the_past_and_nothing_else)
{
    harvest h;
    stage *s = child_shared(sizeof *s);
    s->path = test_path("clear.opl");
    s->cycles = HARM_COUNT(60, 15);
    child_run(run_clear, s);
    harvest_open(&h, s->path);
    harvest_check_whole(&h);
    CHECK_EQ(h.recording.header.sessions, 1);
    check_due(&h, s, 2 * s->cycles - 1);
    harvest_close(&h);
}

/* ---- everything at once ---- */

#define BLOWS HARM_COUNT(400u, 60u)

static void hammer(unsigned number, void *context)
{
    stage *s = context;
    opl_recorder_options options = {.path = s->path, .no_writer_thread = number % 2};
    char path[64];
    uint32_t random = number + 1;
    for (unsigned i = 0; i < BLOWS; i++) {
        random = random * 1664525u + 1013904223u;
        switch (random >> 24 & 7) {
        case 0: opl_recorder_start(&options, NULL); break;
        case 1: opl_recorder_stop(); break;
        case 2: opl_recorder_clear(NULL); break;
        case 3: opl_recorder_pause(); break;
        case 4: opl_recorder_resume(); break;
        case 5: opl_recorder_select(1 + (int)(random >> 16 & 1), random >> 8 & 0xffff); break;
        case 6: opl_metadata_set("key", random & 1 ? "one" : "two"); break;
        default: opl_recorder_path(path, sizeof path);
        }
    }
}

static void record_on(unsigned lane, void *context)
{
    stage *s = context;
    for (uint64_t i = 0; !s->enough; i++)
        if (i < MOST)
            lane_put_text(lane, i);
        else
            OPL_SPAN ("in between", OPL_CAT_OP) {
            }
}

static void run_hammer(void *context)
{
    stage *s = context;
    crew recorders;
    crew_start(&recorders, LANES, record_on, s);
    crew_run(4, hammer, s);
    s->enough = true;
    crew_join(&recorders);
    opl_recorder_stop();
    MUST(opl_live() == 0);

    MUST(opl_recorder_start(&(opl_recorder_options){.path = test_path("after.opl")}, NULL) == OPL_OK);
    for (uint64_t i = 0; i < 10000; i++)
        lane_put(0, i);
    opl_recorder_stop();
    MUST(opl_live() == 0);
}

TEST(control, may_be_hammered_from_several_threads)
{
    harvest h;
    stage *s = child_shared(sizeof *s);
    s->path = test_path("hammered.opl");
    child_run(run_hammer, s);
    harvest_check_file(test_path("after.opl"), 1, 10000);
    if (access(s->path, F_OK) != 0)
        return; /* cleared, and not started again */
    harvest_open(&h, s->path);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (uint64_t i = 0; i < h.lanes[lane].seen.count; i++)
            CHECK(h.lanes[lane].seen.items[i] <= 1);
    harvest_close(&h);
}

static void start_or_stop(unsigned number, void *path)
{
    if (number == 0)
        opl_recorder_start(&(opl_recorder_options){.path = path, .no_writer_thread = 1}, NULL);
    else
        opl_recorder_stop();
}

/* Whichever came last: when nothing records, no gate is open, and probes take the shortest way. */
static void run_start_against_stop(void *path)
{
    for (int i = 0; i < HARM_COUNT(300, 50); i++) {
        crew_run(3, start_or_stop, path);
        uint32_t live = opl_live();
        if (opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK)
            MUST(live == 0);
        opl_recorder_stop();
    }
}

TEST(control, leaves_no_gate_open_when_start_and_stop_race)
{
    child_run(run_start_against_stop, (void *)(uintptr_t)test_path("gate.opl"));
}

/* ---- pause, categories, levels ---- */

static void run_pause(void *path)
{
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK);
    opl_span open = OPL_SPAN_BEGIN("open when paused", OPL_CAT_OP);
    opl_recorder_pause();
    opl_recorder_pause();
    OPL_SPAN ("paused", OPL_CAT_OP) {
    }
    opl_arg_int(&open, &lane_number_key, 1);
    opl_span_end(&open);
    opl_recorder_resume();
    opl_recorder_resume();
    OPL_SPAN ("resumed", OPL_CAT_OP) {
    }
    opl_recorder_pause();
    opl_recorder_stop();
    opl_recorder_resume(); /* a stopped recorder stays stopped */
    OPL_SPAN ("stopped", OPL_CAT_OP) {
    }
    MUST(opl_live() == 0);
}

TEST(pause, lets_open_spans_end)
{
    harvest h;
    child_run(run_pause, (void *)(uintptr_t)test_path("pause.opl"));
    harvest_open(&h, test_path("pause.opl"));
    harvest_check_whole(&h);
    CHECK_EQ(harvest_ended(&h, "open when paused"), 1);
    CHECK_EQ(harvest_ended(&h, "resumed"), 1);
    CHECK_EQ(h.spans, 2);
    CHECK_EQ(h.arguments, 1);
    harvest_close(&h);
}

/* A lane is of a category that stays on; its companions come and go. */
static void record_two_kinds(unsigned number, void *context)
{
    stage *s = context;
    for (uint64_t i = 0; !s->enough; i++) {
        lane_put(number, i);
        s->counts[number] = i + 1;
        while (!s->enough && i > s->counts[0] + 5000)
            usleep(50);
        OPL_SPAN_DETAIL ("detail", OPL_CAT_OP) {
        }
        OPL_SPAN ("copy", OPL_CAT_COPY) {
        }
    }
}

static void run_selection(void *context)
{
    stage *s = context;
    crew c;
    MUST(opl_recorder_start(&(opl_recorder_options){.path = s->path}, NULL) == OPL_OK);
    crew_start(&c, LANES, record_two_kinds, s);
    for (unsigned i = 0; i < s->cycles; i++) {
        linger(s, i);
        opl_recorder_select(1 + (int)i % 2,
                            OPL_CATEGORY_BIT(OPL_CAT_OP) | (i % 3 ? OPL_CATEGORY_BIT(OPL_CAT_COPY) : 0));
    }
    s->enough = true;
    crew_join(&c);
}

TEST(selection, of_categories_and_levels_disturbs_no_other_spans)
{
    harvest h;
    stage *s = child_shared(sizeof *s);
    s->path = test_path("selection.opl");
    s->cycles = HARM_COUNT(200, 40);
    child_run(run_selection, s);
    harvest_open(&h, s->path);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < LANES; lane++)
        harvest_check_lane(&h, lane, s->counts[lane], 0);
    uint64_t all = s->counts[0] + s->counts[1] + s->counts[2];
    CHECK(harvest_ended(&h, "detail") < all && harvest_ended(&h, "copy") < all);
    harvest_close(&h);
}
