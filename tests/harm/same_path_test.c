/* same_path_test.c - many processes that record into one path at once each keep a file. */
#define _GNU_SOURCE
#include <glob.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define PROCESSES 12u
#define ROUNDS HARM_COUNT(20u, 8u)
#define COUNT 100u

typedef struct race {
    char path[600];
    _Atomic uint32_t ready;
} race;

static void run_racer(void *context)
{
    race *r = context;
    atomic_fetch_add(&r->ready, 1);
    while (r->ready < PROCESSES)
        sched_yield();
    MUST(opl_recorder_start(&(opl_recorder_options){.path = r->path, .no_writer_thread = 1}, NULL) == OPL_OK);
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    atomic_fetch_add(&r->ready, 1);
    while (r->ready < 2 * PROCESSES) /* nobody's file is an old one yet */
        usleep(50);
}

static void run_race(race *r)
{
    pid_t pids[PROCESSES];
    r->ready = 0;
    for (unsigned i = 0; i < PROCESSES; i++)
        pids[i] = child_start(run_racer, r);
    for (unsigned i = 0; i < PROCESSES; i++)
        CHECK_EQ(child_wait(pids[i]), 0);
}

static void check_and_remove_all(const char *pattern)
{
    glob_t found = {0};
    CHECK_EQ(glob(pattern, 0, NULL, &found), 0);
    CHECK_EQ(found.gl_pathc, PROCESSES);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        harvest_check_file(found.gl_pathv[i], 1, COUNT);
        if (!strstr(found.gl_pathv[i], "/race.opl"))
            unlink(found.gl_pathv[i]); /* the first stays, for the next round to replace */
    }
    globfree(&found);
}

TEST(processes, that_start_at_once_into_one_path_each_keep_a_file)
{
    race *r = child_shared(sizeof *r);
    char pattern[600];
    snprintf(r->path, sizeof r->path, "%s/race.opl", test_directory());
    snprintf(pattern, sizeof pattern, "%s/race*.opl", test_directory());
    for (unsigned round = 0; round < ROUNDS; round++) {
        run_race(r);
        check_and_remove_all(pattern);
        if (round % 2)
            unlink(r->path);
    }
}
