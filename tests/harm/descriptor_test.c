/* descriptor_test.c - a program that closes what it did not open, moves about, or deletes the trace. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define COUNT HARM_COUNT(100000u, 20000u)
#define OWN_FILES 40

static const char own_words[] = "this file is the program's own\n";

static void close_all(void)
{
    for (int fd = 3; fd <= 1100; fd++)
        close(fd);
}

/* To close what the writer uses is what ThreadSanitizer warns of; there it must do without. */
static void start(const char *path, int no_writer_thread)
{
    opl_recorder_options options = {.path = path, .no_writer_thread = no_writer_thread || HARM_TSAN};
    MUST(opl_recorder_start(&options, NULL) == OPL_OK);
}

static const char *own_path(int number)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/own-%d", test_directory(), number);
    return path;
}

/* Opens files of the program's own, which get the numbers that were free. */
static void open_own(int fds[OWN_FILES])
{
    for (int i = 0; i < OWN_FILES; i++) {
        fds[i] = open(own_path(i), O_RDWR | O_CREAT | O_TRUNC, 0666);
        MUST(fds[i] >= 0);
    }
}

/* They are open still, and hold what we write and nothing else. */
static void must_be_untouched(const int fds[OWN_FILES])
{
    for (int i = 0; i < OWN_FILES; i++) {
        struct stat info;
        MUST(pwrite(fds[i], own_words, sizeof own_words, 0) == (ssize_t)sizeof own_words);
        MUST(fstat(fds[i], &info) == 0 && info.st_size == (off_t)sizeof own_words);
    }
}

/* ---- closing everything ---- */

static void run_close_all(void *path)
{
    int fds[OWN_FILES];
    start(path, 1);
    lane_put(0, 0);
    close_all();
    open_own(fds);
    for (uint64_t i = 1; i < COUNT; i++)
        lane_put(0, i);
    must_be_untouched(fds);
    opl_recorder_stop();
    must_be_untouched(fds);
}

TEST(descriptors, that_the_program_closes_are_opened_again)
{
    const char *path = test_path("closed.opl");
    child_run(run_close_all, (void *)(uintptr_t)path);
    harvest_check_file(path, 1, COUNT);
}

/* ---- closing everything, over and over, while three threads and the writer are at it ---- */

typedef struct busy {
    const char *path;
    _Atomic bool enough;
    _Atomic uint64_t counts[3];
} busy;

static void record_on(unsigned lane, void *context)
{
    busy *b = context;
    while (!b->enough) {
        lane_put(lane, b->counts[lane]);
        b->counts[lane]++;
        while (!b->enough && b->counts[lane] > b->counts[0] + 5000)
            usleep(50); /* no lane runs away */
    }
}

static void run_close_often(void *context)
{
    busy *b = context;
    int fds[OWN_FILES];
    crew c;
    start(b->path, 0);
    crew_start(&c, 3, record_on, b);
    for (int round = 0; round < HARM_COUNT(40, 10); round++) {
        uint64_t until = b->counts[0] + 1000;
        close_all();
        open_own(fds);
        while (b->counts[0] < until)
            usleep(50);
        must_be_untouched(fds);
    }
    b->enough = true;
    crew_join(&c);
    opl_recorder_stop();
}

TEST(descriptors, of_the_program_are_untouched_while_threads_record)
{
#if HARM_TSAN
    SKIP("to close what another thread uses is what ThreadSanitizer warns of");
#endif
    harvest h;
    busy *b = child_shared(sizeof *b);
    b->path = test_path("often.opl");
    child_run(run_close_often, b);
    harvest_open(&h, b->path);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < 3; lane++)
        harvest_check_lane(&h, lane, b->counts[lane], 0);
    harvest_close(&h);
}

static void run_leftover(void *path)
{
    start(path, 0);
    lane_put(0, 0);
    opl_recorder_stop();
    DIR *open_now = opendir("/proc/self/fd");
    MUST(open_now != NULL);
    for (struct dirent *entry = readdir(open_now); entry; entry = readdir(open_now)) {
        char target[600] = "", link[300];
        snprintf(link, sizeof link, "/proc/self/fd/%s", entry->d_name);
        MUST(readlink(link, target, sizeof target - 1) < 0 || !strstr(target, ".opl"));
    }
    closedir(open_now);
}

TEST(descriptors, are_all_given_back_at_the_stop)
{
    child_run(run_leftover, (void *)(uintptr_t)test_path("leftover.opl"));
}

/* ---- a lock that goes with the descriptor ---- */

static void record_one(void *path)
{
    start(path, 1);
    OPL_SPAN ("of the other", OPL_CAT_OP) {
    }
}

static void run_locked(void *path)
{
    start(path, 1);
    close_all();
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    pid_t pid = fork();
    if (pid == 0) {
        opl_recorder_stop(); /* what was inherited */
        record_one(path);
        exit(0);
    }
    MUST(waitpid(pid, NULL, 0) == pid);
}

TEST(descriptors, that_are_opened_again_still_keep_other_processes_away)
{
    const char *path = test_path("locked.opl");
    child_run(run_locked, (void *)(uintptr_t)path);
    harvest_check_file(path, 1, COUNT);
}

/* ---- the file ---- */

static void run_elsewhere(void *context)
{
    (void)context;
    MUST(chdir(test_directory()) == 0);
    start("relative.opl", 1);
    MUST(chdir("/") == 0);
    close_all();
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    opl_recorder_stop();
    start("relative.opl", 1); /* from here it is another file */
}

TEST(file, is_found_again_after_chdir)
{
    unlink("/relative.opl");
    child_run(run_elsewhere, NULL);
    harvest_check_file(test_path("relative.opl"), 1, COUNT);
    CHECK_EQ(unlink("/relative.opl"), 0);
}

static void run_deleted(void *path)
{
    int fds[OWN_FILES];
    start(path, 0);
    lane_put(0, 0);
    MUST(unlink(path) == 0);
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    close_all();
    open_own(fds);
    for (uint64_t i = 0; i < COUNT; i++)
        lane_put(0, i);
    opl_recorder_stop();
    must_be_untouched(fds);
    start(path, 0);
    lane_put(0, 0);
}

TEST(file, may_be_deleted_while_it_is_recorded)
{
    const char *path = test_path("deleted.opl");
    child_run(run_deleted, (void *)(uintptr_t)path);
    harvest_check_file(path, 1, 1);
}
