/* output_path_test.c - from what the user wrote to a file that is ours to write. */
#include "record/output_path.h"

#include <fcntl.h>
#include <regex.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "os/host.h"
#include "test.h"

/* ---- helpers ---- */

static opl_status open_pattern(const char *pattern, bool forked, opli_tape *tape, opl_error *err)
{
    static opli_output output;
    memset(tape, 0, sizeof *tape);
    tape->fd = -1;
    opl_status st = opli_output_init(&output, pattern, 0, 0, err);
    return st == OPL_OK ? opli_output_open(&output, forked, tape, err) : st;
}

/* Opens the pattern, lets go of the file, and returns the path that was chosen. */
static const char *path_of(const char *pattern, bool forked)
{
    static char path[OPLI_TAPE_PATH_MAX];
    static opli_tape tape;
    opl_error err = {OPL_OK, ""};
    if (open_pattern(pattern, forked, &tape, &err) != OPL_OK)
        fail_msg("%s", err.message);
    snprintf(path, sizeof path, "%s", tape.path);
    opli_tape_let_go(&tape, false);
    return path;
}

static void check_matches(const char *text, const char *expression)
{
    regex_t compiled;
    CHECK_EQ(regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB), 0);
    if (regexec(&compiled, text, 0, NULL, 0) != 0)
        fail_msg("'%s' is not like '%s'", text, expression);
    regfree(&compiled);
}

static const char *with_pid(const char *before, const char *after)
{
    static char text[512];
    snprintf(text, sizeof text, "%s%d%s", before, (int)getpid(), after);
    return test_path(text);
}

static void write_file(const char *path, const char *contents)
{
    FILE *file = fopen(path, "w");
    CHECK(file);
    fputs(contents, file);
    fclose(file);
}

static bool file_is(const char *path, const char *contents)
{
    char read[256] = "";
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(read, 1, sizeof read - 1, file) : 0;
    if (file)
        fclose(file);
    return length == strlen(contents) && memcmp(read, contents, length) == 0;
}

static void check_refused(const char *pattern, opl_status status, const char *words)
{
    static opli_tape tape;
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(open_pattern(pattern, false, &tape, &err), status);
    CHECK_EQ(err.status, status);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    CHECK_EQ(tape.fd, -1);
}

/* ---- escapes ---- */

TEST(output_path, expands_every_escape)
{
    char host[64], expression[1024];
    opli_host_name(host, sizeof host);
    snprintf(expression, sizeof expression, "/a-%d-%s-[0-9]{8}-[0-9]{6}-100%%-%%q\\.opl$", (int)getpid(), host);
    check_matches(path_of(test_path("a-%p-%h-%t-100%%-%q.opl"), false), expression);
    CHECK_TEXT(path_of(test_path("ends-in-%"), false), test_path("ends-in-%"));
}

TEST(output_path, writes_the_time_of_today)
{
    char today[64];
    time_t now = time(NULL);
    struct tm date;
    strftime(today, sizeof today, "day-%Y%m%d-", gmtime_r(&now, &date));
    CHECK(strstr(path_of(test_path("day-%t"), false), today) != NULL || time(NULL) / 86400 != now / 86400);
}

TEST(output_path, numbers_from_zero_and_takes_the_first_free_number)
{
    CHECK_TEXT(path_of(test_path("n-%i.opl"), false), test_path("n-0.opl"));
    CHECK_TEXT(path_of(test_path("n-%i.opl"), false), test_path("n-1.opl"));
    write_file(test_path("n-2.opl"), "somebody's");
    CHECK_TEXT(path_of(test_path("n-%i.opl"), false), test_path("n-3.opl"));
    unlink(test_path("n-1.opl"));
    CHECK_TEXT(path_of(test_path("n-%i.opl"), false), test_path("n-1.opl"));
    CHECK(file_is(test_path("n-2.opl"), "somebody's"));
    CHECK_TEXT(path_of(test_path("%%i.opl"), false), test_path("%i.opl")); /* not an escape */
}

TEST(output_path, makes_relative_paths_absolute)
{
    char before[512];
    CHECK(getcwd(before, sizeof before));
    CHECK_EQ(chdir(test_directory()), 0);
    CHECK_TEXT(path_of("relative.opl", false), test_path("relative.opl"));
    CHECK_TEXT(path_of("./dotted.opl", false), test_path("./dotted.opl"));
    CHECK_EQ(chdir(before), 0);
}

TEST(output_path, names_a_file_in_a_directory_by_host_pid_and_time)
{
    char host[64], expression[1024];
    opli_host_name(host, sizeof host);
    mkdir(test_path("traces"), 0777);
    snprintf(expression, sizeof expression, "/traces/+%s-%d-[0-9]{8}-[0-9]{6}(\\.%d)?\\.opl$", host, (int)getpid(),
             (int)getpid());
    check_matches(path_of(test_path("traces"), false), expression);
    check_matches(path_of(test_path("traces/"), false), expression);
}

/* ---- what is there already ---- */

TEST(output_path, refuses_to_replace_a_file_that_is_not_a_trace)
{
    write_file(test_path("thesis.txt"), "years of work");
    check_refused(test_path("thesis.txt"), OPL_IO, "is not an oplens trace, so it was not replaced");
    CHECK(file_is(test_path("thesis.txt"), "years of work"));
}

TEST(output_path, refuses_what_is_not_a_regular_file)
{
    CHECK_EQ(mkfifo(test_path("fifo"), 0666), 0);
    check_refused(test_path("fifo"), OPL_IO, "is not a regular file");
    check_refused("/dev/null", OPL_IO, "is not a regular file");
    check_refused(test_path("missing/dir/a.opl"), OPL_IO, "No such file or directory");
    check_refused(test_path("thesis.txt/a.opl"), OPL_IO, "Not a directory");
}

TEST(output_path, replaces_an_empty_file)
{
    write_file(test_path("empty.opl"), "");
    CHECK_TEXT(path_of(test_path("empty.opl"), false), test_path("empty.opl"));
}

/* A trace as another process, long gone, would have left it. */
static void write_old_trace(const char *path)
{
    int fd = open(path_of(path, false), O_RDWR);
    uint32_t pid = 1;
    CHECK(pwrite(fd, &pid, sizeof pid, offsetof(opli_wire_header, pid)) == sizeof pid);
    close(fd);
}

TEST(output_path, replaces_an_old_trace_of_another_process)
{
    struct stat before, after;
    write_old_trace(test_path("old.opl"));
    CHECK_EQ(stat(test_path("old.opl"), &before), 0);
    int held = open(test_path("old.opl"), O_RDONLY); /* so that the inode is not used again */
    CHECK_TEXT(path_of(test_path("old.opl"), false), test_path("old.opl"));
    CHECK_EQ(stat(test_path("old.opl"), &after), 0);
    CHECK(before.st_ino != after.st_ino); /* replaced, not written over: somebody may be reading it */
    close(held);
}

TEST(output_path, keeps_what_this_process_recorded_before)
{
    CHECK_TEXT(path_of(test_path("mine.opl"), false), test_path("mine.opl"));
    CHECK_TEXT(path_of(test_path("mine.opl"), false), with_pid("mine.", ".opl"));
    CHECK_TEXT(path_of(test_path("mine.opl"), false), with_pid("mine.", "-1.opl"));
}

/* A child that records into the file until it is told to end. */
static pid_t hold_in_child(const char *path, int *tell)
{
    int ready[2], end[2];
    char byte;
    CHECK(pipe(ready) == 0 && pipe(end) == 0);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_RDWR);
        bool held = flock(fd, LOCK_EX | LOCK_NB) == 0;
        close(end[1]);
        held = write(ready[1], "x", 1) == 1 && held;
        _exit(read(end[0], &byte, 1) == 0 && held ? 0 : 1);
    }
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]), close(ready[1]), close(end[0]);
    *tell = end[1];
    return child;
}

TEST(output_path, keeps_both_when_another_process_records_into_the_file)
{
    int tell, status = -1;
    write_old_trace(test_path("busy.opl"));
    pid_t child = hold_in_child(test_path("busy.opl"), &tell);
    CHECK_TEXT(path_of(test_path("busy.opl"), false), with_pid("busy.", ".opl"));
    close(tell);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_TEXT(path_of(test_path("busy.opl"), false), test_path("busy.opl"));
}

/* ---- siblings ---- */

TEST(output_path, of_a_forked_child_has_its_pid_in_the_name)
{
    CHECK_TEXT(path_of(test_path("run.opl"), true), with_pid("run.", ".opl"));
    CHECK_TEXT(path_of(test_path("run.opl"), true), with_pid("run.", "-1.opl"));
    CHECK_TEXT(path_of(test_path("no-extension"), true), with_pid("no-extension.", ""));
    CHECK_TEXT(path_of(test_path(".hidden"), true), with_pid(".hidden.", ""));
    CHECK_TEXT(path_of(test_path("two.dots.opl"), true), with_pid("two.dots.", ".opl"));
    mkdir(test_path("dir.d"), 0777);
    CHECK_TEXT(path_of(test_path("dir.d/plain"), true), with_pid("dir.d/plain.", ""));
}

TEST(output_path, of_a_forked_child_is_as_the_pattern_says_when_that_tells_processes_apart)
{
    CHECK_TEXT(path_of(test_path("child-%p.opl"), true), with_pid("child-", ".opl"));
    CHECK_TEXT(path_of(test_path("child-%i.opl"), true), test_path("child-0.opl"));
}

/* ---- too long, too small ---- */

static char *long_path(const char *begin, size_t length)
{
    static char path[3 * OPLI_TAPE_PATH_MAX];
    snprintf(path, sizeof path, "%s/", begin);
    for (size_t i = strlen(path); i < length; i++)
        path[i] = i % 100 ? 'x' : '/';
    path[length] = '\0';
    return path;
}

TEST(output_path, that_is_too_long_is_refused)
{
    check_refused(long_path("", OPLI_TAPE_PATH_MAX), OPL_INVALID, "longer than 4096 bytes");
    check_refused(long_path("", 2 * OPLI_TAPE_PATH_MAX), OPL_INVALID, "longer than 4096 bytes");
    check_refused(long_path("relative", OPLI_TAPE_PATH_MAX - 1), OPL_INVALID, "longer than 4096 bytes");
    check_refused(long_path("", OPLI_TAPE_PATH_MAX - 1), OPL_IO, "");
}

/* Without what does not fit, the pattern's expansion would name a trace that is none of its business. */
TEST(output_path, that_is_too_long_once_expanded_touches_nothing)
{
    static char pattern[OPLI_TAPE_PATH_MAX];
    const char *name = "innocent.opl%t";
    size_t length = (size_t)snprintf(pattern, sizeof pattern, "%s", test_path(strlen(test_directory()) % 2 ? "/" : ""));
    for (; length + 2 + strlen(name) < sizeof pattern; length += 2)
        memcpy(pattern + length, "./", 3);
    memcpy(pattern + length, name, strlen(name) + 1);
    write_old_trace(test_path("innocent.opl"));
    CHECK_EQ(strlen(pattern) + 1, sizeof pattern);
    check_refused(pattern, OPL_INVALID, "longer than 4096 bytes");
    CHECK_EQ(access(test_path("innocent.opl"), F_OK), 0);
}

TEST(output_path, needs_a_path_and_sizes_that_make_sense)
{
    static opli_output output;
    opl_error err;
    CHECK_EQ(opli_output_init(&output, NULL, 0, 0, &err), OPL_INVALID);
    CHECK(strstr(err.message, "no path"));
    CHECK_EQ(opli_output_init(&output, "", 0, 0, &err), OPL_INVALID);
    CHECK_EQ(opli_output_init(&output, "a.opl", 1000, 0, &err), OPL_INVALID);
    CHECK_TEXT(err.message, "a limit of 1000 bytes is too small; it takes at least 1048576");
    CHECK_EQ(opli_output_init(&output, "a.opl", 0, 5, &err), OPL_INVALID);
    CHECK_TEXT(err.message, "a ring of 5 bytes is too small; it takes at least 1048576");
    CHECK_EQ(opli_output_init(&output, "a.opl", 1 << 20, 1 << 20, &err), OPL_OK);
}
