/* test_main.c - run the tests of a program in the order of their names' files, as TAP. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <unistd.h>

#include "test.h"

#define TESTS_MAX 512

static struct CMUnitTest tests[TESTS_MAX];
static char names[TESTS_MAX][200];
static size_t test_count;
static char directory[256];
static pid_t directory_owner;

/* Underscores read as spaces. */
void test_register(const char *name, void (*function)(void **))
{
    if (test_count == TESTS_MAX)
        abort();
    snprintf(names[test_count], sizeof names[0], "%s", name);
    for (char *c = names[test_count]; *c; c++)
        if (*c == '_')
            *c = ' ';
    tests[test_count] = (struct CMUnitTest){names[test_count], function, NULL, NULL, NULL};
    test_count++;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info, (void)type, (void)walk;
    return remove(path);
}

static void remove_directory(void)
{
    if (directory[0] && directory_owner == getpid())
        nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_directory(void)
{
    if (!directory[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(directory, sizeof directory, "%s/oplens-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(directory))
            abort();
        directory_owner = getpid();
        atexit(remove_directory);
    }
    return directory;
}

const char *test_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_directory(), name);
    return path;
}

/* cmocka writes "not ok 3 # SKIP" for a skipped test, which to TAP is one that failed. */
static ssize_t write_line(void *cookie, const char *bytes, size_t size)
{
    (void)cookie;
    size_t mistaken = strlen("not ");
    bool is_skip = size > 7 && memcmp(bytes, "not ok ", 7) == 0 && memmem(bytes, size, " # SKIP ", 8);
    const char *from = is_skip ? bytes + mistaken : bytes;
    for (const char *end = bytes + size; from < end;) {
        ssize_t written = write(STDOUT_FILENO, from, (size_t)(end - from));
        if (written < 0 && errno != EINTR)
            return 0;
        from += written > 0 ? written : 0;
    }
    return (ssize_t)size;
}

static void correct_skips(void)
{
    FILE *corrected = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_line});
    if (!corrected)
        abort();
    setvbuf(corrected, NULL, _IOLBF, BUFSIZ); /* a line at a time */
    stdout = corrected;
}

int main(void)
{
    correct_skips();
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return _cmocka_run_group_tests("", tests, test_count, NULL, NULL) ? 1 : 0;
}
