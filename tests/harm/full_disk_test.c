/* full_disk_test.c - a full disk costs events, each of them counted, and nothing else. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "small_disk.h"
#include "test.h"

#define LANES 3u
#define COUNT HARM_COUNT(300000u, 100000u) /* of each lane */

typedef struct trial {
    opl_recorder_options options;
    char path[600];
    _Atomic uint64_t phase;
    uint64_t counts[LANES];
} trial;

static const enum small_disk_kind kinds[] = {SMALL_DISK_TMPFS, SMALL_DISK_EXT4};

/* Away from the full disk, where even to look into a hole of a mapped file takes a page that tmpfs has not. */
static void open_elsewhere(harvest *h, const char *path)
{
    char command[1400];
    snprintf(command, sizeof command, "cp --sparse=always %s %s", path, test_path("copy.opl"));
    CHECK_EQ(system(command), 0);
    harvest_open(h, test_path("copy.opl"));
}

/* Runs the check on both kinds of disk, as far as they can be had. */
static void on_small_disks(void (*check)(trial *t, const char *disk))
{
    bool any = false;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *disk = small_disk_mount(kinds[i], kinds[i] == SMALL_DISK_TMPFS ? 2 : 4);
        if (!disk)
            continue;
        trial *t = child_shared(sizeof *t);
        snprintf(t->path, sizeof t->path, "%s/full.opl", disk);
        t->options.path = t->path;
        check(t, disk);
        small_disk_unmount();
        any = true;
    }
    if (!any)
        SKIP(SMALL_DISK_REASON);
}

static void record_lane(unsigned lane, void *context)
{
    trial *t = context;
    for (uint64_t i = 0; i < COUNT; i++, t->counts[lane]++)
        lane_put(lane, i);
}

static void run_until_full(void *context)
{
    trial *t = context;
    MUST(opl_recorder_start(&t->options, NULL) == OPL_OK);
    crew_run(LANES, record_lane, t);
}

/* The program ran to its end, and the sums are right. */
static void check_sums(const trial *t)
{
    harvest h;
    open_elsewhere(&h, t->path);
    harvest_check_sound(&h);
    CHECK(h.dropped[OPLI_DROP_DISK] > 0);
    CHECK_EQ(h.dropped_total, h.dropped[OPLI_DROP_DISK] + h.dropped[OPLI_DROP_ROOM]);
    CHECK_EQ(h.spans + h.dropped_total, (uint64_t)LANES * COUNT);
    harvest_check_threads(&h, COUNT);
    harvest_close(&h);
}

static void check_until_full(trial *t, const char *disk)
{
    (void)disk;
    child_run(run_until_full, t);
    check_sums(t);
}

TEST(full_disk, costs_counted_events_and_nothing_else) { on_small_disks(check_until_full); }

static void check_without_writer(trial *t, const char *disk)
{
    (void)disk;
    t->options.no_writer_thread = 1;
    child_run(run_until_full, t);
    check_sums(t);
}

TEST(full_disk, costs_counted_events_without_a_writer_too) { on_small_disks(check_without_writer); }

/* ---- death on a full disk ---- */

static void run_until_killed(void *context)
{
    run_until_full(context);
    raise(SIGKILL);
}

static void check_killed(trial *t, const char *disk)
{
    harvest h;
    (void)disk;
    CHECK_EQ(child_wait(child_start(run_until_killed, t)), SIGKILL);
    open_elsewhere(&h, t->path);
    harvest_check_sound(&h);
    CHECK(h.recording.cut[0]);
    CHECK(h.dropped[OPLI_DROP_DISK] > 0);
    CHECK_EQ(h.spans + h.dropped_total, (uint64_t)LANES * COUNT);
    harvest_close(&h);
}

TEST(full_disk, and_death_leave_a_file_that_opens) { on_small_disks(check_killed); }

/* ---- full from the start ---- */

static void run_refused(void *context)
{
    trial *t = context;
    opl_error err = {OPL_OK, ""};
    MUST(opl_recorder_start(&t->options, &err) == OPL_IO);
    MUST(err.status == OPL_IO && strstr(err.message, t->path) != NULL && strchr(err.message, ' ') != NULL);
    MUST(opl_live() == 0);
    lane_put(0, 0);
    MUST(access(t->path, F_OK) != 0);
}

static void check_refused(trial *t, const char *disk)
{
    (void)disk;
    for (uint64_t left = 0; left <= 32768; left += left ? left : 4096) {
        small_disk_fill(left);
        child_run(run_refused, t);
        small_disk_relieve();
    }
}

TEST(full_disk, refuses_the_start_with_a_sentence) { on_small_disks(check_refused); }

/* ---- full for a while ---- */

enum { BEGUN = 1, FULL, RECORDED, RELIEVED };

static void wait_for_phase(trial *t, uint64_t phase)
{
    while (atomic_load(&t->phase) < phase)
        usleep(100);
}

static void run_through_want(void *context)
{
    trial *t = context;
    MUST(opl_recorder_start(&t->options, NULL) == OPL_OK);
    lane_put(0, 0);
    atomic_store(&t->phase, BEGUN);
    wait_for_phase(t, FULL);
    for (uint64_t i = 1; i < COUNT; i++)
        lane_put(0, i);
    atomic_store(&t->phase, RECORDED);
    wait_for_phase(t, RELIEVED);
    for (uint64_t i = 0; i < 1000; i++)
        lane_put(1, i);
}

static void check_through_want(trial *t, const char *disk)
{
    harvest h;
    (void)disk;
    t->options.no_writer_thread = 1;
    pid_t pid = child_start(run_through_want, t);
    wait_for_phase(t, BEGUN);
    small_disk_fill(0);
    atomic_store(&t->phase, FULL);
    wait_for_phase(t, RECORDED);
    small_disk_relieve();
    atomic_store(&t->phase, RELIEVED);
    CHECK_EQ(child_wait(pid), 0);

    open_elsewhere(&h, t->path);
    harvest_check_sound(&h);
    CHECK(h.dropped[OPLI_DROP_DISK] > 0);
    CHECK_EQ(h.spans + h.dropped_total, COUNT + 1000);
    harvest_check_lane(&h, 1, 1000, 0);
    harvest_close(&h);
}

TEST(full_disk, is_forgiven_when_there_is_room_again) { on_small_disks(check_through_want); }
