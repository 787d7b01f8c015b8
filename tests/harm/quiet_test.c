/* quiet_test.c - what a user sees of the recorder: nothing, or one line when it cannot do its work. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harvest.h"
#include "program.h"
#include "sanitizer.h"
#include "test.h"

#define NOBODY 65534
static const char words_on_stderr[] = "a word on stderr\n";

/* An empty directory that everybody may write into. */
static const char *fresh_directory(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", test_directory(), name);
    CHECK_EQ(mkdir(path, 0777), 0);
    CHECK_EQ(chmod(path, 0777), 0);
    CHECK_EQ(chmod(test_directory(), 0755), 0);
    return path;
}

static unsigned count_files(const char *directory)
{
    unsigned count = 0;
    DIR *list = opendir(directory);
    CHECK(list != NULL);
    for (struct dirent *entry = readdir(list); entry; entry = readdir(list))
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

/* The program did and said what it does without us. */
static void check_undisturbed(const program_end *end)
{
    CHECK(WIFEXITED(end->status));
    CHECK_EQ(WEXITSTATUS(end->status), 5);
    CHECK_TEXT(end->out, "a word on stdout\n");
}

static void check_silence(const char *output)
{
    program_end end;
    const char *directory = fresh_directory("silence");
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = output, .directory = directory}, &end);
    check_undisturbed(&end);
    CHECK_TEXT(end.err, words_on_stderr);
    CHECK_EQ(count_files(directory), 0);
    CHECK_EQ(rmdir(directory), 0);
}

TEST(recorder, is_silent_without_an_output) { check_silence(NULL); }

TEST(recorder, is_silent_and_off_when_the_output_is_empty) { check_silence(""); }

TEST(recorder, is_silent_and_off_when_the_output_is_0) { check_silence("0"); }

TEST(recorder, is_silent_and_off_when_the_output_is_off)
{
    check_silence("off");
    check_silence("OFF");
}

TEST(recorder, is_silent_when_it_records)
{
    program_end end;
    const char *directory = fresh_directory("recording");
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = "trace.opl", .directory = directory}, &end);
    check_undisturbed(&end);
    CHECK_TEXT(end.err, words_on_stderr);
    CHECK_EQ(count_files(directory), 1);
}

/* ---- one line ---- */

/* Exactly one line about it, which names the recorder and the path, and nothing else is different. */
static void check_one_line(const program_end *end, const char *path)
{
    check_undisturbed(end);
    const char *newline = strchr(end->err, '\n');
    CHECK(strncmp(end->err, "oplens: ", 8) == 0 && newline != NULL);
    CHECK(strstr(end->err, path) != NULL && strstr(end->err, path) < newline);
    CHECK_TEXT(newline + 1, words_on_stderr);
}

TEST(recorder, says_one_line_when_the_directory_is_missing)
{
    program_end end;
    const char *path = test_path("no/such/directory/trace.opl");
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = path}, &end);
    check_one_line(&end, path);
}

TEST(recorder, says_one_line_when_another_file_is_in_the_way)
{
    static const char precious[] = "the only copy of a thesis\n";
    char kept[64] = "";
    program_end end;
    const char *path = test_path("thesis.txt");
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
    CHECK_EQ(write(fd, precious, sizeof precious), sizeof precious);
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = path}, &end);
    check_one_line(&end, path);
    CHECK_EQ(pread(fd, kept, sizeof kept, 0), sizeof precious);
    CHECK_TEXT(kept, precious);
    struct stat ours, theirs;
    CHECK(fstat(fd, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino);
    close(fd);
}

TEST(recorder, says_one_line_when_a_device_is_in_the_way)
{
    program_end end;
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = "/dev/null"}, &end);
    check_one_line(&end, "/dev/null");
}

TEST(recorder, says_one_line_when_the_directory_is_forbidden)
{
    char path[700];
    program_end end;
    const char *directory = fresh_directory("forbidden");
    CHECK_EQ(chmod(directory, 0555), 0);
    if (getuid() == 0 && access(OPLI_WHOLE_LIFE, X_OK) != 0)
        SKIP("the workload cannot be run by another user");
    snprintf(path, sizeof path, "%s/trace.opl", directory);
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = path, .user = getuid() == 0 ? NOBODY : 0}, &end);
    if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 99)
        SKIP("the workload cannot be run by another user");
    check_one_line(&end, path);
    CHECK_EQ(count_files(directory), 0);
}

TEST(recorder, says_one_line_when_a_setting_makes_no_sense)
{
    program_end end;
    setenv("OPLENS_LIMIT", "lots", 1);
    program_run(&(program){.path = OPLI_WHOLE_LIFE, .output = test_path("limited.opl")}, &end);
    unsetenv("OPLENS_LIMIT");
    check_one_line(&end, "OPLENS_LIMIT");
}
