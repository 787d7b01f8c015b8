/* fork_family_test.c - parents, children and grandchildren record into files of their own. */
#define _GNU_SOURCE
#include <glob.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#if HARM_TSAN
#define NEEDS_THREADS_AND_FORK() SKIP("ThreadSanitizer cannot follow a fork of a program with threads")
#else
#define NEEDS_THREADS_AND_FORK() (void)0
#endif

#define CHILDREN HARM_COUNT(12u, 4u)
#define COUNT 3000u
#define LOOSE_FORKS HARM_COUNT(200u, 30u)

/* What a family did, in memory that all of it shares. */
typedef struct family {
    const char *path;
    _Atomic bool enough;
    _Atomic uint64_t counts[LANES_MAX]; /* of the first parent's lanes */
    _Atomic uint32_t member_count;
    pid_t members[1024]; /* that recorded COUNT spans in each of three lanes */
} family;

static family *family_new(const char *name)
{
    family *f = child_shared(sizeof *f);
    f->path = test_path(name);
    return f;
}

static void join_family(family *f) { f->members[atomic_fetch_add(&f->member_count, 1)] = getpid(); }

/* The file of a member: family.opl becomes family.PID.opl. */
static const char *path_of(const family *f, pid_t pid)
{
    static char path[700];
    snprintf(path, sizeof path, "%.*s.%d.opl", (int)strlen(f->path) - 4, f->path, (int)pid);
    return path;
}

static size_t count_files(const family *f)
{
    char pattern[700];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%.*s*.opl", (int)strlen(f->path) - 4, f->path);
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* ---- what they do ---- */

static void record_until_enough(unsigned number, void *context)
{
    family *f = context;
    for (uint64_t i = 0; !f->enough; i++) {
        lane_put(number + 1, i);
        atomic_store(&f->counts[number + 1], i + 1);
        if (i % 64 == 0)
            usleep(100); /* a fork may take long, and there is no need to fill the disk meanwhile */
    }
}

static void record_member_lane(unsigned number, void *context)
{
    (void)context;
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put_text(number + 1, i);
}

static void record_as_member(family *f)
{
    join_family(f);
    crew_run(2, record_member_lane, NULL);
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put_text(0, i);
}

static void must_end_well(pid_t pid)
{
    int status = 0;
    MUST(waitpid(pid, &status, 0) == pid);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static pid_t must_fork(void)
{
    pid_t pid = fork();
    MUST(pid >= 0);
    return pid;
}

static void check_members(const family *f)
{
    CHECK(f->member_count > 0);
    for (uint32_t i = 0; i < f->member_count; i++)
        harvest_check_file(path_of(f, f->members[i]), 3, COUNT);
}

static void check_parent(const family *f, unsigned lanes)
{
    harvest h;
    harvest_open(&h, f->path);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < lanes; lane++)
        harvest_check_lane(&h, lane, f->counts[lane], 0);
    harvest_close(&h);
}

/* The sanitizers' own locks do not survive a fork while a thread begins. */
static void start(const char *path)
{
    opl_recorder_options options = {.path = path, .no_writer_thread = HARM_TSAN || HARM_ASAN};
    MUST(opl_recorder_start(&options, NULL) == OPL_OK);
}

/* A parent with three busy threads that runs `child` in many children, and records in between. */
static void run_parent(family *f, unsigned forks, void (*child)(family *f))
{
    crew c;
    start(f->path);
    crew_start(&c, 3, record_until_enough, f);
    while (!f->counts[1] || !f->counts[2] || !f->counts[3])
        usleep(100); /* a thread that begins may hold a lock of the C library's or a sanitizer's */
    for (unsigned i = 0; i < forks; i++) {
        pid_t pid = must_fork();
        if (pid == 0) {
            child(f);
            exit(0);
        }
        for (int k = 0; k < 100; k++) {
            lane_put(0, f->counts[0]);
            atomic_fetch_add(&f->counts[0], 1);
        }
        must_end_well(pid);
    }
    f->enough = true;
    crew_join(&c);
}

/* ---- the tests ---- */

static void run_children(void *f) { run_parent(f, CHILDREN, record_as_member); }

TEST(fork, gives_children_files_of_their_own_while_threads_of_the_parent_record)
{
    NEEDS_THREADS_AND_FORK();
    family *f = family_new("children.opl");
    child_run(run_children, f);
    check_parent(f, 4);
    check_members(f);
    CHECK_EQ(count_files(f), 1 + CHILDREN);
}

static void record_with_child(family *f)
{
    record_as_member(f);
    pid_t pid = must_fork();
    if (pid == 0) {
        record_as_member(f);
        exit(0);
    }
    must_end_well(pid);
}

static void run_grandchildren(void *f) { run_parent(f, CHILDREN / 2, record_with_child); }

TEST(fork, gives_grandchildren_files_of_their_own)
{
    NEEDS_THREADS_AND_FORK();
    family *f = family_new("grandchildren.opl");
    child_run(run_grandchildren, f);
    check_parent(f, 4);
    check_members(f);
    CHECK_EQ(count_files(f), 1 + 2 * (CHILDREN / 2));
}

/* The child in between records nothing itself. */
static void leave_it_to_the_child(family *f)
{
    pid_t pid = must_fork();
    if (pid == 0) {
        record_as_member(f);
        exit(0);
    }
    must_end_well(pid);
}

static void run_silent_generation(void *f) { run_parent(f, CHILDREN / 2, leave_it_to_the_child); }

TEST(fork, skips_a_generation_that_records_nothing)
{
    NEEDS_THREADS_AND_FORK();
    family *f = family_new("silent.opl");
    child_run(run_silent_generation, f);
    check_parent(f, 4);
    check_members(f);
    CHECK_EQ(count_files(f), 1 + CHILDREN / 2);
}

static void exec_true(family *f)
{
    (void)f;
    execl("/bin/true", "true", NULL);
    _exit(1);
}

static void run_execs(void *f) { run_parent(f, CHILDREN, exec_true); }

TEST(fork, of_a_child_that_only_execs_leaves_no_file)
{
    NEEDS_THREADS_AND_FORK();
    family *f = family_new("execs.opl");
    child_run(run_execs, f);
    check_parent(f, 4);
    CHECK_EQ(count_files(f), 1);
}

static void do_nothing(family *f) { (void)f; }

static void run_many_forks(void *f) { run_parent(f, LOOSE_FORKS, do_nothing); }

TEST(fork, in_quick_succession_disturbs_no_thread_of_the_parent)
{
    NEEDS_THREADS_AND_FORK();
    family *f = family_new("many.opl");
    child_run(run_many_forks, f);
    check_parent(f, 4);
    CHECK_EQ(count_files(f), 1);
}

static void run_both_ways(void *context)
{
    family *f = context;
    start(f->path);
    opl_span span = OPL_SPAN_BEGIN("begun before the fork", OPL_CAT_OP);
    pid_t pid = must_fork();
    if (pid == 0) {
        join_family(f);
        opl_span_end(&span); /* it is the parent's: nothing happens here */
        opl_arg_int(&span, &lane_number_key, 1);
        OPL_SPAN ("of the child", OPL_CAT_OP) {
        }
        exit(0);
    }
    must_end_well(pid);
    opl_span_end(&span);
}

TEST(fork, leaves_an_open_span_to_the_parent)
{
    harvest h;
    family *f = family_new("both.opl");
    child_run(run_both_ways, f);
    harvest_open(&h, f->path);
    harvest_check_whole(&h);
    CHECK_EQ(harvest_ended(&h, "begun before the fork"), 1);
    CHECK_EQ(h.spans, 1);
    harvest_close(&h);
    harvest_open(&h, path_of(f, f->members[0]));
    harvest_check_whole(&h);
    CHECK_EQ(harvest_ended(&h, "of the child"), 1);
    CHECK_EQ(h.spans, 1);
    harvest_close(&h);
}

static void run_killed_child(void *context)
{
    family *f = context;
    start(f->path);
    pid_t pid = must_fork();
    if (pid == 0) {
        join_family(f);
        for (uint64_t i = 0; i < COUNT; i++)
            lane_put_text(0, i);
        raise(SIGKILL);
    }
    MUST(waitpid(pid, NULL, 0) == pid);
}

TEST(fork, of_a_child_that_is_killed_loses_nothing)
{
    harvest h;
    family *f = family_new("killed.opl");
    child_run(run_killed_child, f);
    harvest_open(&h, path_of(f, f->members[0]));
    harvest_check_sound(&h);
    CHECK(h.recording.cut[0]);
    harvest_check_lane(&h, 0, COUNT, 0);
    harvest_close(&h);
}

/* The child may stop what it inherited, and start something else. */
static void run_own_way(void *context)
{
    family *f = context;
    char path[700];
    start(f->path);
    lane_put(0, 0);
    pid_t pid = must_fork();
    if (pid == 0) {
        snprintf(path, sizeof path, "%s", path_of(f, 1));
        opl_recorder_stop();
        OPL_SPAN ("nobody listens", OPL_CAT_OP) {
        }
        start(path);
        for (uint64_t i = 0; i < COUNT; i++)
            lane_put(0, i);
        exit(0);
    }
    must_end_well(pid);
}

TEST(fork, lets_a_child_go_its_own_way)
{
    family *f = family_new("own.opl");
    child_run(run_own_way, f);
    harvest_check_file(f->path, 1, 1);
    harvest_check_file(path_of(f, 1), 1, COUNT);
    CHECK_EQ(count_files(f), 2);
}

static void run_clearing_child(void *context)
{
    family *f = context;
    start(f->path);
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    pid_t pid = must_fork();
    if (pid == 0) {
        join_family(f);
        MUST(opl_recorder_clear(NULL) == OPL_OK); /* nothing of its own yet */
        OPL_SPAN ("to be forgotten", OPL_CAT_OP) {
        }
        MUST(opl_recorder_clear(NULL) == OPL_OK);
        for (uint64_t i = 0; i < COUNT; i++)
            lane_put(0, i);
        exit(0);
    }
    must_end_well(pid);
}

TEST(fork, lets_a_child_clear_what_is_its_own_and_nothing_else)
{
    harvest h;
    family *f = family_new("clear.opl");
    child_run(run_clearing_child, f);
    harvest_check_file(f->path, 1, COUNT);
    harvest_check_file(path_of(f, f->members[0]), 1, COUNT);
    harvest_open(&h, path_of(f, f->members[0]));
    CHECK_EQ(harvest_ended(&h, "to be forgotten"), 0);
    harvest_close(&h);
    CHECK_EQ(count_files(f), 2);
}

/* Turns 1 and 3 of either are recorded, 0 and 2 are not. */
static void take_turns(void)
{
    const opl_schedule every_other = {.wait = 1, .active = 1};
    MUST(opl_schedule_set(&every_other, NULL) == OPL_OK);
    for (int turn = 0; turn < 4; turn++) {
        OPL_SPAN ("work of a turn", OPL_CAT_OP) {
        }
        opl_schedule_step();
    }
}

static void run_scheduled_child(void *context)
{
    family *f = context;
    start(f->path);
    MUST(opl_schedule_set(&(opl_schedule){.wait = 1, .active = 1}, NULL) == OPL_OK);
    pid_t pid = must_fork();
    if (pid == 0) {
        join_family(f);
        take_turns();
        exit(0);
    }
    must_end_well(pid);
    take_turns();
}

TEST(fork, lets_a_child_keep_a_schedule_of_its_own)
{
    harvest h;
    family *f = family_new("schedule.opl");
    child_run(run_scheduled_child, f);
    const char *paths[] = {f->path, path_of(f, f->members[0])};
    for (int i = 0; i < 2; i++) {
        harvest_open(&h, paths[i]);
        harvest_check_whole(&h);
        CHECK_EQ(harvest_ended(&h, "work of a turn"), 2);
        harvest_close(&h);
    }
}
