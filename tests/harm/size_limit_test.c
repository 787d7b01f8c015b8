/* size_limit_test.c - a recording that may only be so large keeps to it, and counts what it leaves out. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define LANES 3u
#define COUNT HARM_COUNT(300000u, 100000u) /* of each lane */
#define MIB (1ull << 20)

typedef struct trial {
    opl_recorder_options options;
    unsigned lanes;
    uint64_t rlimit_before, rlimit_after; /* RLIMIT_FSIZE, before the start and after; 0: as it was */
} trial;

static void record_lane(unsigned lane, void *context)
{
    (void)context;
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(lane, i);
}

static void allow_files_of(uint64_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    if (bytes)
        MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void run_trial(void *context)
{
    trial *t = context;
    allow_files_of(t->rlimit_before);
    MUST(opl_recorder_start(&t->options, NULL) == OPL_OK);
    allow_files_of(t->rlimit_after);
    crew_run(t->lanes, record_lane, t);
    opl_recorder_stop();
}

/* Runs it and watches the file's size meanwhile; the largest. */
static uint64_t largest_size(trial *t)
{
    uint64_t largest = 0;
    struct stat info;
    unlink(t->options.path);
    pid_t pid = child_start(run_trial, t);
    do {
        if (stat(t->options.path, &info) == 0 && (uint64_t)info.st_size > largest)
            largest = (uint64_t)info.st_size;
    } while (!child_has_ended(pid) && usleep(200) == 0);
    CHECK_EQ(child_wait(pid), 0);
    CHECK_EQ(stat(t->options.path, &info), 0);
    return (uint64_t)info.st_size > largest ? (uint64_t)info.st_size : largest;
}

static trial *trial_new(opl_recorder_options options, unsigned lanes)
{
    trial *t = child_shared(sizeof *t);
    t->options = options;
    t->options.path = test_path("limited.opl");
    t->lanes = lanes;
    return t;
}

/* All numbers are there once at most; what is missing is counted under that reason, or belongs to a thread
 * that came too late to get a buffer. */
static void check_sums(const trial *t, enum opli_drop reason)
{
    harvest h;
    harvest_open(&h, t->options.path);
    harvest_check_sound(&h);
    CHECK_TEXT(h.recording.cut, "");
    CHECK(h.dropped[reason] > 0);
    CHECK_EQ(h.dropped_total, h.dropped[reason] + h.dropped[OPLI_DROP_ROOM]);
    CHECK_EQ(h.spans + h.dropped_total, (uint64_t)t->lanes * COUNT);
    harvest_check_threads(&h, COUNT);
    for (unsigned lane = 0; lane < t->lanes; lane++)
        for (uint64_t i = 0; i < h.lanes[lane].seen.count; i++)
            CHECK(h.lanes[lane].seen.items[i] <= 1);
    harvest_close(&h);
}

/* ---- limit_bytes ---- */

TEST(limit, is_kept_and_drops_are_counted)
{
    trial *t = trial_new((opl_recorder_options){.limit_bytes = 8 * MIB}, LANES);
    CHECK(largest_size(t) <= 8 * MIB);
    check_sums(t, OPLI_DROP_LIMIT);
}

TEST(limit, is_kept_without_a_writer)
{
    trial *t = trial_new((opl_recorder_options){.limit_bytes = 8 * MIB, .no_writer_thread = 1}, LANES);
    CHECK(largest_size(t) <= 8 * MIB);
    check_sums(t, OPLI_DROP_LIMIT);
}

TEST(limit, may_be_as_small_as_a_mebibyte)
{
    trial *t = trial_new((opl_recorder_options){.limit_bytes = MIB}, 2);
    CHECK(largest_size(t) <= MIB);
    check_sums(t, OPLI_DROP_LIMIT);
}

TEST(limit, leaves_some_threads_without_room_and_counts_their_events)
{
    harvest h;
    trial *t = trial_new((opl_recorder_options){.limit_bytes = MIB}, CREW_MAX);
    CHECK(largest_size(t) <= MIB);
    harvest_open(&h, t->options.path);
    harvest_check_sound(&h);
    CHECK_EQ(h.spans + h.dropped_total, (uint64_t)CREW_MAX * COUNT);
    CHECK_EQ(h.dropped_total, h.dropped[OPLI_DROP_LIMIT] + h.dropped[OPLI_DROP_ROOM]);
    harvest_close(&h);
}

/* ---- ring_bytes ---- */

TEST(ring, keeps_and_counts)
{
    trial *t = trial_new((opl_recorder_options){.ring_bytes = 2 * MIB}, LANES);
    CHECK(largest_size(t) <= 10 * MIB); /* with three threads' slots */
    check_sums(t, OPLI_DROP_RING);
}

TEST(ring, keeps_the_newest)
{
    harvest h;
    trial *t = trial_new((opl_recorder_options){.ring_bytes = MIB, .no_writer_thread = 1}, 1);
    largest_size(t);
    check_sums(t, OPLI_DROP_RING);
    harvest_open(&h, t->options.path);
    CHECK_EQ(h.lanes[0].next, COUNT);
    CHECK_EQ(h.lanes[0].jumps, 0);
    CHECK_EQ(h.lanes[0].first, h.dropped[OPLI_DROP_RING]);
    harvest_close(&h);
}

/* ---- RLIMIT_FSIZE: the default for SIGXFSZ is death ---- */

TEST(file_size_limit, of_the_program_is_kept_without_a_signal)
{
    trial *t = trial_new((opl_recorder_options){0}, LANES);
    t->rlimit_before = 3 * MIB;
    CHECK(largest_size(t) <= 3 * MIB);
    check_sums(t, OPLI_DROP_LIMIT);
}

TEST(file_size_limit, may_come_while_recording)
{
    trial *t = trial_new((opl_recorder_options){0}, LANES);
    t->rlimit_after = 3 * MIB;
    CHECK(largest_size(t) <= 3 * MIB);
    check_sums(t, OPLI_DROP_DISK);
}

TEST(file_size_limit, may_come_while_recording_without_a_writer)
{
    trial *t = trial_new((opl_recorder_options){.no_writer_thread = 1}, LANES);
    t->rlimit_after = 3 * MIB;
    CHECK(largest_size(t) <= 3 * MIB);
    check_sums(t, OPLI_DROP_DISK);
}

/* The overwritten cells of the ring are dropped, and so is what cannot be written any more. */
TEST(file_size_limit, may_come_below_a_ring)
{
    harvest h;
    trial *t = trial_new((opl_recorder_options){.ring_bytes = 2 * MIB, .no_writer_thread = 1}, LANES);
    t->rlimit_after = MIB;
    largest_size(t);
    harvest_open(&h, t->options.path);
    harvest_check_sound(&h);
    CHECK_EQ(h.spans + h.dropped_total, (uint64_t)LANES * COUNT);
    harvest_close(&h);
}
