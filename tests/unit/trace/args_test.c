/* args_test.c - the arguments of events come back as they were added. */
#include "trace/args.h"

#include <string.h>

#include "test.h"

static void check_row(const opli_args *args, size_t row, uint32_t key, enum opli_arg_type type, uint64_t value)
{
    CHECK_EQ(opli_args_key(args, row), key);
    CHECK_EQ(opli_args_type(args, row), type);
    CHECK_EQ(opli_args_value(args, row), value);
}

TEST(args, of_any_size_come_back)
{
    static const int64_t numbers[] = {0, 1, -1, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, INT64_MAX, INT64_MIN};
    opli_args args = {.count = 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        CHECK(opli_args_add(&args, 7, OPLI_ARG_INT, (uint64_t)numbers[i]));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        check_row(&args, i, 7, OPLI_ARG_INT, (uint64_t)numbers[i]);
    opli_args_free(&args);
}

TEST(args, of_one_key_may_have_several_types)
{
    double real = 0.1;
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    opli_args args = {.count = 0};
    CHECK(opli_args_add(&args, 1, OPLI_ARG_TEXT, UINT32_MAX));
    CHECK(opli_args_add(&args, 1, OPLI_ARG_REAL, bits));
    CHECK(opli_args_add(&args, 1, OPLI_ARG_BOOL, 1));
    CHECK(opli_args_add(&args, 1, OPLI_ARG_JSON, 5));
    check_row(&args, 0, 1, OPLI_ARG_TEXT, UINT32_MAX);
    check_row(&args, 1, 1, OPLI_ARG_REAL, bits);
    check_row(&args, 2, 1, OPLI_ARG_BOOL, 1);
    check_row(&args, 3, 1, OPLI_ARG_JSON, 5);
    opli_args_free(&args);
}

TEST(args, may_have_more_keys_than_16_bits_count)
{
    opli_args args = {.count = 0};
    for (uint32_t i = 0; i < 100000; i++)
        CHECK(opli_args_add(&args, i, OPLI_ARG_INT, (uint64_t)i << (i % 2 * 20)));
    for (uint32_t i = 0; i < 100000; i++)
        check_row(&args, i, i, OPLI_ARG_INT, (uint64_t)i << (i % 2 * 20));
    opli_args_free(&args);
}

TEST(args, that_are_cut_off_make_room_for_others)
{
    opli_args args = {.count = 0};
    CHECK(opli_args_add(&args, 1, OPLI_ARG_INT, 1));
    CHECK(opli_args_add(&args, 2, OPLI_ARG_INT, UINT64_C(1) << 40));
    opli_args_cut(&args, 1);
    CHECK(opli_args_add(&args, 3, OPLI_ARG_INT, UINT64_C(1) << 41));
    CHECK_EQ(args.count, 2);
    check_row(&args, 0, 1, OPLI_ARG_INT, 1);
    check_row(&args, 1, 3, OPLI_ARG_INT, UINT64_C(1) << 41);
    opli_args_free(&args);
}
