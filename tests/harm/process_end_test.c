/* process_end_test.c - however a program ends, what it recorded is in the file. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define LANES 4u
#define COUNT HARM_COUNT(30000u, 3000u)

typedef struct ending {
    const char *path;
    void (*end)(void);
    _Atomic bool busy_at_end; /* lanes go on while the program ends */
    _Atomic uint64_t counts[LANES];
    uint64_t before_end[LANES];
} ending;

static void record_lane(unsigned lane, void *context)
{
    ending *e = context;
    for (uint64_t i = 0; i < COUNT || e->busy_at_end; i++) {
        lane_put_text(lane, i);
        atomic_store(&e->counts[lane], i + 1);
    }
}

static void record_and_end(void *context)
{
    ending *e = context;
    crew c;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    MUST(opl_recorder_start(&(opl_recorder_options){.path = e->path}, NULL) == OPL_OK);
    crew_start(&c, LANES, record_lane, e);
    for (unsigned lane = 0; lane < LANES; lane++)
        while (atomic_load(&e->counts[lane]) < COUNT)
            usleep(50);
    if (!e->busy_at_end)
        crew_join(&c);
    for (unsigned lane = 0; lane < LANES; lane++)
        e->before_end[lane] = atomic_load(&e->counts[lane]);
    e->end();
}

static int run_ending(ending *e, const char *name, void (*end)(void), bool busy)
{
    memset(e, 0, sizeof *e);
    e->path = test_path(name);
    e->end = end;
    e->busy_at_end = busy;
    unlink(e->path);
    return child_wait(child_start(record_and_end, e));
}

/* A program that ended at once is found as it was; one that could say so closed its file, and then
 * spans that ended while it did may be missing. */
static void check_ending(const ending *e, bool closed)
{
    harvest h;
    harvest_open(&h, e->path);
    harvest_check_sound(&h);
    CHECK_EQ(h.recording.cut[0] == '\0', closed);
    CHECK_EQ(h.dropped_total, 0);
    for (unsigned lane = 0; lane < LANES; lane++)
        harvest_check_lane(&h, lane, closed ? e->before_end[lane] : e->counts[lane], closed ? UINT32_MAX : 2);
    harvest_close(&h);
}

static void end_at_once(void) { _exit(7); }
static void end_by_abort(void) { abort(); }
static void end_by_exit(void) { exit(8); }

TEST(end, by_underscore_exit_keeps_everything)
{
    ending *e = child_shared(sizeof *e);
    CHECK_EQ(WEXITSTATUS(run_ending(e, "_exit.opl", end_at_once, false)), 7);
    check_ending(e, false);
}

TEST(end, by_underscore_exit_while_others_record_keeps_everything)
{
    ending *e = child_shared(sizeof *e);
    CHECK_EQ(WEXITSTATUS(run_ending(e, "_exit.opl", end_at_once, true)), 7);
    check_ending(e, false);
}

TEST(end, by_abort_keeps_everything)
{
    ending *e = child_shared(sizeof *e);
    int status = run_ending(e, "abort.opl", end_by_abort, false);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    check_ending(e, false);
}

TEST(end, by_abort_while_others_record_keeps_everything)
{
    ending *e = child_shared(sizeof *e);
    int status = run_ending(e, "abort.opl", end_by_abort, true);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    check_ending(e, false);
}

TEST(end, by_exit_closes_the_file)
{
    ending *e = child_shared(sizeof *e);
    CHECK_EQ(WEXITSTATUS(run_ending(e, "exit.opl", end_by_exit, false)), 8);
    check_ending(e, true);
}

TEST(end, by_exit_while_others_record_keeps_what_had_ended_before)
{
    ending *e = child_shared(sizeof *e);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(WEXITSTATUS(run_ending(e, "exit.opl", end_by_exit, true)), 8);
        check_ending(e, true);
    }
}

/* ---- exec ---- */

static const char *exec_path;

static void record_and_exec(void *context)
{
    (void)context;
    setenv("OPLENS_OUTPUT", exec_path, 1);
    execl(OPLI_EXEC_TWICE, OPLI_EXEC_TWICE, "first", NULL);
    MUST(false && "exec");
}

TEST(end, by_exec_keeps_everything_beside_the_trace_of_the_next_program)
{
    char beside[600];
    exec_path = test_path("exec.opl");
    pid_t pid = child_start(record_and_exec, NULL);
    CHECK_EQ(child_wait(pid), 0);
    snprintf(beside, sizeof beside, "%s/exec.%d.opl", test_directory(), (int)pid);

    harvest h;
    harvest_open(&h, exec_path);
    harvest_check_sound(&h);
    CHECK(h.recording.cut[0]);
    for (unsigned lane = 0; lane < 3; lane++)
        harvest_check_lane(&h, lane, 10000, 0);
    CHECK_EQ(harvest_open_spans(&h, "first program"), 1);
    harvest_close(&h);

    harvest_open(&h, beside);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < 3; lane++)
        harvest_check_lane(&h, lane, 10000, 0);
    CHECK_EQ(harvest_ended(&h, "second program"), 1);
    harvest_close(&h);
}
