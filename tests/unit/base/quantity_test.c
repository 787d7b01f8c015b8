/* quantity_test.c - numbers as people write them. */
#include "base/quantity.h"
#include "test.h"

static void check_reads(const char *text, enum opli_quantity_kind kind, long double expected)
{
    long double value = -1;
    CHECK(opli_quantity_read(text, strlen(text), kind, &value));
    CHECK(value == expected);
}

static void check_refused(const char *text, enum opli_quantity_kind kind)
{
    long double value;
    CHECK(!opli_quantity_read(text, strlen(text), kind, &value));
}

TEST(quantity, knows_the_units_of_time)
{
    check_reads("7", OPLI_QUANTITY_TIME, 7);
    check_reads("7ns", OPLI_QUANTITY_TIME, 7);
    check_reads("10us", OPLI_QUANTITY_TIME, 10000);
    check_reads("10\xc2\xb5s", OPLI_QUANTITY_TIME, 10000);
    check_reads("10\xce\xbcs", OPLI_QUANTITY_TIME, 10000);
    check_reads("1.5 ms", OPLI_QUANTITY_TIME, 1500000);
    check_reads("-2s", OPLI_QUANTITY_TIME, -2000000000);
}

TEST(quantity, knows_the_units_of_size)
{
    check_reads("5B", OPLI_QUANTITY_SIZE, 5);
    check_reads("5kB", OPLI_QUANTITY_SIZE, 5000);
    check_reads("1MB", OPLI_QUANTITY_SIZE, 1000000);
    check_reads("2KiB", OPLI_QUANTITY_SIZE, 2048);
    check_reads("1.5GiB", OPLI_QUANTITY_SIZE, 1610612736);
    check_reads("1TiB", OPLI_QUANTITY_SIZE, 1099511627776);
}

TEST(quantity, is_exact_where_a_product_of_doubles_would_not_be)
{
    check_reads("1.1us", OPLI_QUANTITY_TIME, 1100);
    check_reads("0.3s", OPLI_QUANTITY_TIME, 300000000);
    check_reads("9223372036854775807", OPLI_QUANTITY_PLAIN, 9223372036854775807.0L);
    check_reads("9007199254740993", OPLI_QUANTITY_PLAIN, 9007199254740993.0L);
    check_reads("1e6", OPLI_QUANTITY_PLAIN, 1000000);
    check_reads("1.5e-3s", OPLI_QUANTITY_TIME, 1500000);
}

TEST(quantity, refuses_what_is_no_number_or_has_another_kinds_unit)
{
    static const char *const wrong[] = {"",      "-",  ".",     "ms",   "5 parsecs", "5MB",
                                        "1.2.3", "1e", "1e1.5", "0x10", "1e99999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_refused(wrong[i], OPLI_QUANTITY_TIME);
    check_refused("5ms", OPLI_QUANTITY_SIZE);
    check_refused("5ms", OPLI_QUANTITY_PLAIN);
}
