/* thread_churn_test.c - threads that come and go, in thousands, and what they do at their end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define WAVES HARM_COUNT(500u, 60u)
#define EACH 12u /* spans of a thread */

/* ---- thousands of short threads ---- */

static void record_a_few(unsigned lane, void *wave)
{
    uint64_t first = *(const uint64_t *)wave * EACH;
    for (uint64_t i = 0; i < EACH; i++)
        lane_put_text(lane, first + i);
}

static void run_waves(void *options)
{
    MUST(opl_recorder_start(options, NULL) == OPL_OK);
    for (uint64_t wave = 0; wave < WAVES; wave++)
        crew_run(LANES_MAX, record_a_few, &wave);
}

static void check_waves(opl_recorder_options options)
{
    struct stat info;
    harvest h;
    child_run(run_waves, &options);
    CHECK_EQ(stat(options.path, &info), 0);
    CHECK(info.st_size < (4 << 20) + (off_t)WAVES * LANES_MAX * 6000); /* a stream of its own has 132 KiB */

    harvest_open(&h, options.path);
    harvest_check_whole(&h);
    CHECK_EQ(h.recording.threads.count, WAVES * LANES_MAX);
    for (unsigned lane = 0; lane < LANES_MAX; lane++) {
        harvest_check_lane(&h, lane, (uint64_t)WAVES * EACH, 0);
        CHECK_EQ(h.lanes[lane].texts, WAVES * EACH);
    }
    for (size_t i = 0; i < h.recording.threads.count; i++)
        CHECK(h.recording.threads.items[i].end_tick != 0);
    harvest_close(&h);
    unlink(options.path);
}

TEST(threads, that_come_and_go_in_thousands_lose_nothing)
{
    check_waves((opl_recorder_options){.path = test_path("waves.opl")});
}

TEST(threads, that_come_and_go_lose_nothing_without_a_writer)
{
    check_waves((opl_recorder_options){.path = test_path("waves.opl"), .no_writer_thread = 1});
}

/* ---- at the end of a thread ---- */

#define ROUNDS (HARM_TSAN ? 2 : 4) /* ThreadSanitizer's own end of a thread comes before the last */
static pthread_key_t early_key, late_key;
static _Atomic uint64_t ends;

/* Records at the end of its thread, and asks to be called again a few times. */
static void record_at_end(void *rounds)
{
    uintptr_t left = (uintptr_t)rounds;
    OPL_SPAN ("at end", OPL_CAT_OP)
        OPL_INT("left", (int64_t)left);
    atomic_fetch_add(&ends, 1);
    if (left > 1)
        pthread_setspecific(late_key, (void *)(left - 1));
}

static void end_with_records(unsigned number, void *silent)
{
    pthread_setspecific(early_key, (void *)(uintptr_t)1);
    pthread_setspecific(late_key, (void *)(uintptr_t)(1 + number % ROUNDS));
    if (!silent)
        lane_put(number, 0);
}

static void run_ends(void *shared)
{
    const char *path = test_path("ends.opl");
    MUST(pthread_key_create(&early_key, record_at_end) == 0);
    MUST(pthread_key_create(&late_key, record_at_end) == 0);
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK);
    for (int i = 0; i < 20; i++)
        crew_run(CREW_MAX, end_with_records, i % 2 ? NULL : &ends);
    *(uint64_t *)shared = ends;
}

TEST(threads, record_in_the_destructors_of_their_keys)
{
    harvest h;
    uint64_t *count = child_shared(sizeof *count);
    child_run(run_ends, count);
    harvest_open(&h, test_path("ends.opl"));
    harvest_check_whole(&h);
    CHECK_EQ(harvest_ended(&h, "at end"), *count);
    harvest_close(&h);
}

/* ---- spans that change hands ---- */

#define HANDED HARM_COUNT(20000u, 2000u)
static opl_span handed[HANDED];

static void end_every_other(unsigned number, void *context)
{
    (void)context;
    for (uint64_t i = number; i < HANDED; i += 2) {
        opl_arg_int(&handed[i], &lane_number_key, (int64_t)i);
        opl_span_end(&handed[i]);
    }
}

static void run_hand_over(void *options)
{
    MUST(opl_recorder_start(options, NULL) == OPL_OK);
    for (uint64_t i = 0; i < HANDED; i++)
        handed[i] = opl_span_begin(&lane_sites[0]);
    crew_run(2, end_every_other, NULL);
}

TEST(threads, end_the_spans_of_other_threads)
{
    opl_recorder_options options = {.path = test_path("handed.opl")};
    child_run(run_hand_over, &options);
    harvest_check_file(options.path, 1, HANDED);
}

/* The owner is gone, and somebody else has its stream, when its spans are ended. */
static void begin_all(unsigned number, void *context)
{
    (void)number, (void)context;
    for (uint64_t i = 0; i < HANDED; i++)
        handed[i] = opl_span_begin(&lane_sites[0]);
}

static void run_inheritance(void *options)
{
    MUST(opl_recorder_start(options, NULL) == OPL_OK);
    crew_run(1, begin_all, NULL);
    crew_run(2, end_every_other, NULL);
}

TEST(threads, end_the_spans_of_threads_that_are_gone)
{
    opl_recorder_options options = {.path = test_path("inherited.opl"), .no_writer_thread = 1};
    child_run(run_inheritance, &options);
    harvest_check_file(options.path, 1, HANDED);
}
