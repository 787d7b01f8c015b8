/* whole_life_test.c - programs that record before main, after their exit handlers, and inside malloc. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "harvest.h"
#include "program.h"
#include "sanitizer.h"
#include "test.h"

static void check_whole_life(const char *program_path)
{
    static const char *const names[] = {"constructor",    "main",         "thread",
                                        "key destructor", "exit handler", "destructor"};
    harvest h;
    program_end end;
    const char *path = test_path("life.opl");
    program_run(&(program){.path = program_path, .output = path}, &end);
    CHECK_EQ(WEXITSTATUS(end.status), 5);
    CHECK_TEXT(end.out, "a word on stdout\n");
    CHECK_TEXT(end.err, "a word on stderr\n");
    harvest_open(&h, path);
    harvest_check_whole(&h);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (harvest_ended(&h, names[i]) != 1)
            fail_msg("the span '%s' is not there", names[i]);
    CHECK_EQ(h.spans, sizeof names / sizeof *names);
    harvest_close(&h);
    unlink(path);
}

TEST(life, is_recorded_from_before_main_to_after_the_exit_handlers) { check_whole_life(OPLI_WHOLE_LIFE); }

TEST(life, is_recorded_in_a_program_that_links_the_library_statically) { check_whole_life(OPLI_WHOLE_LIFE_STATIC); }

static void check_malloc(const char *program_path)
{
#if HARM_ASAN || HARM_TSAN
    (void)program_path;
    SKIP("the sanitizer has a malloc of its own");
#else
    harvest h;
    program_end end;
    const char *path = test_path("malloc.opl");
    program_run(&(program){.path = program_path, .output = path}, &end);
    CHECK_EQ(end.status, 0);
    CHECK_TEXT(end.err, "");
    uint64_t accepted = strtoull(end.out, NULL, 10);
    CHECK(accepted >= 4 * 5 * 5000);
    harvest_open(&h, path);
    harvest_check_sound(&h);
    CHECK_TEXT(h.recording.cut, "");
    CHECK_EQ(h.spans, accepted);
    CHECK_EQ(h.arguments, 2 * accepted);
    CHECK(h.dropped_total <= 4);
    harvest_close(&h);
    unlink(path);
#endif
}

TEST(malloc, may_record) { check_malloc(OPLI_RECORDING_MALLOC); }

TEST(malloc, may_record_in_a_program_that_links_the_library_statically) { check_malloc(OPLI_RECORDING_MALLOC_STATIC); }
