/* test.h - tests whose names are sentences, on cmocka.
 *
 *     TEST(gate, shuts_while_paused) { CHECK_EQ(opl_live(), 0); }
 *
 * A file of tests registers them by itself; link it with test_main.c. */
#ifndef OPLI_TESTS_TEST_H
#define OPLI_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void test_register(const char *name, void (*function)(void **));

#define TEST(noun, sentence)                                                    \
    static void noun##_##sentence(void **state);                                \
    __attribute__((constructor)) static void register_##noun##_##sentence(void) \
    {                                                                           \
        test_register(#noun " " #sentence, noun##_##sentence);                  \
    }                                                                           \
    static void noun##_##sentence(void **state __attribute__((unused)))

#define CHECK(condition) assert_true(condition)
#define CHECK_EQ(a, b) assert_int_equal((a), (b))
#define CHECK_TEXT(a, b) assert_string_equal((a), (b))
/* Ends the test as skipped, with the reason on a line of its own. */
#define SKIP(reason) (print_message("# skipped: %s\n", (reason)), skip())

/* A directory of this process, made on first use and removed at the end. */
const char *test_directory(void);

/* test_directory()/name; good until the next eight calls. */
const char *test_path(const char *name);

#endif
