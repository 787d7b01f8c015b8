/* sudden_death_test.c - kill a recording program at any moment: what had ended is in the file.
 *
 * Each recording thread keeps its observed point in a page that outlives it: how many of its spans
 * had ended when it was last seen. The file must hold those, each once and in order, and at most
 * two more: one that had ended unseen, and one that had begun. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define KILLS HARM_COUNT(14, 2)     /* for each way to record, of which there are 15: 210 in all */
#define KILLS_MORE HARM_COUNT(5, 2) /* with the other clock */
#define LEAST_US 2000
#define MOST_US 60000

typedef struct seen {
    _Atomic bool started;
    struct {
        _Alignas(64) _Atomic uint64_t count;
    } lanes[LANES_MAX];
} seen;

typedef struct program {
    void (*work)(unsigned lane, seen *page);
    unsigned lanes;
    opl_recorder_options options;
    seen *page;
} program;

static void observe(seen *page, unsigned lane, uint64_t count)
{
    atomic_store_explicit(&page->lanes[lane].count, count, memory_order_release);
}

/* ---- ways to record, for ever ---- */

static void record_plain(unsigned lane, seen *page)
{
    for (uint64_t i = 0;; observe(page, lane, ++i))
        lane_put_plain(lane);
}

static void record_numbers(unsigned lane, seen *page)
{
    for (uint64_t i = 0;; observe(page, lane, ++i))
        lane_put(lane, i);
}

static void record_texts(unsigned lane, seen *page)
{
    for (uint64_t i = 0;; observe(page, lane, ++i))
        lane_put_text(lane, i);
}

/* Each numbered span stands in the thread's own root and holds three others. */
static void record_nested(unsigned lane, seen *page)
{
    OPL_SPAN ("thread root", OPL_CAT_INFERENCE) {
        for (uint64_t i = 0;; observe(page, lane, ++i)) {
            opl_span span = opl_span_begin(&lane_sites[lane]);
            for (int inner = 0; inner < 3; inner++)
                OPL_SPAN ("inner", OPL_CAT_OP)
                    OPL_INT("inner number", inner);
            opl_arg_int(&span, &lane_number_key, (int64_t)i);
            opl_span_end(&span);
        }
    }
}

typedef struct shift {
    unsigned lane;
    uint64_t next;
    seen *page;
} shift;

static void *record_some(void *context)
{
    shift *s = context;
    for (int i = 0; i < 40; i++) {
        lane_put_text(s->lane, s->next);
        observe(s->page, s->lane, ++s->next);
    }
    return NULL;
}

/* Threads come and go; the next one goes on where the last one stopped. */
static void record_in_shifts(unsigned lane, seen *page)
{
    shift s = {lane, 0, page};
    for (;;) {
        pthread_t thread;
        MUST(pthread_create(&thread, NULL, record_some, &s) == 0);
        pthread_join(thread, NULL);
    }
}

static void run_lane(unsigned lane, void *context)
{
    program *p = context;
    p->work(lane, p->page);
}

static void run_threads(program *p)
{
    crew c;
    MUST(opl_recorder_start(&p->options, NULL) == OPL_OK);
    OPL_SPAN ("root", OPL_CAT_MODEL) {
        lane_put_plain(LANES_MAX - 1); /* the root is not the last record of its thread */
        crew_start(&c, p->lanes, run_lane, p);
        atomic_store(&p->page->started, true);
        crew_join(&c);
    }
}

/* Starts and stops again and again, and records a little or a lot in between. */
static void run_cycles(program *p)
{
    uint64_t next = 0;
    for (uint64_t cycle = 0;; cycle++) {
        MUST(opl_recorder_start(&p->options, NULL) == OPL_OK);
        atomic_store(&p->page->started, true);
        for (uint64_t i = 0; i < (cycle % 4 == 3 ? 20000 : 50); i++) {
            lane_put_text(0, next);
            observe(p->page, 0, ++next);
        }
        opl_recorder_stop();
    }
}

static void run_program(void *context)
{
    program *p = context;
    if (p->work)
        run_threads(p);
    else
        run_cycles(p);
}

/* ---- killing ---- */

/* More often short than long: much happens in the beginning, and what is long takes long to check. */
static void sleep_some(void)
{
    static uint64_t random;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    random = (random + (uint64_t)now.tv_nsec) * 6364136223846793005u + 1442695040888963407u;
    double part = (double)(random >> 40) / (1 << 24);
    long us = LEAST_US + (long)(part * part * (MOST_US - LEAST_US));
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static void start_and_kill(program *p)
{
    memset(p->page, 0, sizeof *p->page);
    unlink(p->options.path);
    pid_t pid = child_start(run_program, p);
    while (!atomic_load(&p->page->started) && !child_has_ended(pid))
        usleep(50);
    sleep_some();
    child_kill(pid);
}

static void check_end(const harvest *h)
{
    CHECK(strstr(h->recording.cut, "without closing the file") != NULL);
    CHECK_EQ(h->dropped_total, 0);
    CHECK_EQ(harvest_open_spans(h, "root"), 1);
    CHECK_EQ(harvest_ended(h, "root"), 0);
}

static void check_plain(const harvest *h, const program *p)
{
    check_end(h);
    for (unsigned lane = 0; lane < p->lanes; lane++) {
        uint64_t seen_count = p->page->lanes[lane].count, ended = h->lanes[lane].spans - h->lanes[lane].open;
        CHECK(ended >= seen_count && ended <= seen_count + 1);
        CHECK(h->lanes[lane].spans <= seen_count + 2 && h->lanes[lane].open <= 1);
    }
}

static void check_numbers(const harvest *h, const program *p)
{
    check_end(h);
    for (unsigned lane = 0; lane < p->lanes; lane++)
        harvest_check_lane(h, lane, p->page->lanes[lane].count, 2);
}

static void check_texts(const harvest *h, const program *p)
{
    check_numbers(h, p);
    for (unsigned lane = 0; lane < p->lanes; lane++)
        CHECK(h->lanes[lane].texts >= p->page->lanes[lane].count);
}

static void check_nested(const harvest *h, const program *p)
{
    uint64_t steps = 0;
    check_numbers(h, p);
    for (unsigned lane = 0; lane < p->lanes; lane++)
        steps += p->page->lanes[lane].count;
    CHECK_EQ(harvest_ended(h, "thread root"), 0);
    CHECK(harvest_open_spans(h, "thread root") <= p->lanes);
    CHECK(harvest_ended(h, "inner") >= 3 * steps && harvest_ended(h, "inner") <= 3 * steps + 6ull * p->lanes);
}

/* It may be dead between two recordings, and the file closed. */
static void check_cycles(const harvest *h, const program *p)
{
    uint64_t count = p->page->lanes[0].count;
    harvest_check_lane(h, 0, count, 2);
    CHECK(h->lanes[0].texts >= count);
    CHECK_EQ(h->dropped_total, 0);
}

/* A ring forgets the oldest and says so; it ends with what was seen last. (Of two lanes, one that the
 * system keeps waiting may be forgotten altogether.) */
static void check_ring(const harvest *h, const program *p)
{
    uint64_t count = p->page->lanes[0].count, next = h->lanes[0].next;
    CHECK(!count || (next >= count && next <= count + 2));
    CHECK(h->lanes[0].first == 0 || h->dropped[OPLI_DROP_RING] > 0);
    for (uint64_t i = 0; i < h->lanes[0].seen.count; i++)
        CHECK(h->lanes[0].seen.items[i] <= 1);
    CHECK_EQ(h->dropped_total, h->dropped[OPLI_DROP_RING]);
}

static void kill_often(program p, void (*check)(const harvest *h, const program *p))
{
    p.page = child_shared(sizeof *p.page);
    p.options.path = test_path("killed.opl");
    for (int kills = getenv("OPLENS_CLOCK") ? KILLS_MORE : KILLS; kills > 0; kills--) {
        harvest h;
        start_and_kill(&p);
        harvest_open(&h, p.options.path);
        harvest_check_sound(&h);
        check(&h, &p);
        harvest_close(&h);
    }
}

/* ---- the tests ---- */

#define WITH_WRITER \
    {               \
        0           \
    }
#define WITHOUT_WRITER        \
    {                         \
        .no_writer_thread = 1 \
    }

TEST(death, spares_plain_spans_of_two_threads)
{
    kill_often((program){.work = record_plain, .lanes = 2, .options = WITH_WRITER}, check_plain);
}

TEST(death, spares_plain_spans_of_four_threads_that_write_their_own_chunks)
{
    kill_often((program){.work = record_plain, .lanes = 4, .options = WITHOUT_WRITER}, check_plain);
}

TEST(death, spares_numbered_spans_of_two_threads)
{
    kill_often((program){.work = record_numbers, .lanes = 2, .options = WITH_WRITER}, check_numbers);
}

TEST(death, spares_numbered_spans_of_four_threads)
{
    kill_often((program){.work = record_numbers, .lanes = 4, .options = WITH_WRITER}, check_numbers);
}

TEST(death, spares_numbered_spans_of_two_threads_that_write_their_own_chunks)
{
    kill_often((program){.work = record_numbers, .lanes = 2, .options = WITHOUT_WRITER}, check_numbers);
}

TEST(death, spares_numbered_spans_of_four_threads_that_write_their_own_chunks)
{
    kill_often((program){.work = record_numbers, .lanes = 4, .options = WITHOUT_WRITER}, check_numbers);
}

TEST(death, spares_nested_spans_and_shows_their_roots_as_open)
{
    kill_often((program){.work = record_nested, .lanes = 2, .options = WITH_WRITER}, check_nested);
}

TEST(death, spares_nested_spans_of_four_threads_that_write_their_own_chunks)
{
    kill_often((program){.work = record_nested, .lanes = 4, .options = WITHOUT_WRITER}, check_nested);
}

TEST(death, spares_texts)
{
    kill_often((program){.work = record_texts, .lanes = 2, .options = WITH_WRITER}, check_texts);
}

TEST(death, spares_texts_of_four_threads_that_write_their_own_chunks)
{
    kill_often((program){.work = record_texts, .lanes = 4, .options = WITHOUT_WRITER}, check_texts);
}

TEST(death, spares_what_threads_recorded_that_came_and_went)
{
    kill_often((program){.work = record_in_shifts, .lanes = 2, .options = WITH_WRITER}, check_texts);
}

TEST(death, spares_what_four_threads_at_a_time_recorded_that_came_and_went)
{
    kill_often((program){.work = record_in_shifts, .lanes = 4, .options = WITHOUT_WRITER}, check_texts);
}

TEST(death, spares_recordings_that_start_and_stop)
{
    kill_often((program){.work = NULL, .lanes = 1, .options = WITH_WRITER}, check_cycles);
}

TEST(death, spares_recordings_that_start_and_stop_and_write_their_own_chunks)
{
    kill_often((program){.work = NULL, .lanes = 1, .options = WITHOUT_WRITER}, check_cycles);
}

TEST(death, spares_the_newest_events_of_a_ring)
{
    kill_often((program){.work = record_numbers, .lanes = 1, .options = {.ring_bytes = 1 << 20}}, check_ring);
}
