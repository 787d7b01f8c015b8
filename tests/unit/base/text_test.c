/* text_test.c - strings that grow, numbers for people, JSON of any bytes. */
#include <limits.h>

#include "base/text.h"
#include "base/utf8.h"
#include "test.h"

static void check_text(opli_text *text, const char *expected)
{
    CHECK_TEXT(text->bytes ? text->bytes : "", expected);
    CHECK_EQ(text->length, strlen(expected));
    opli_text_free(text);
}

TEST(text, zeroed_is_empty_and_may_be_freed_twice)
{
    opli_text text = {0};
    CHECK(!text.bytes);
    opli_text_free(&text);
    opli_text_free(&text);
    opli_text_reset(&text);
    CHECK_EQ(text.length, 0);
}

TEST(text, grows_by_any_step_and_stays_ended_by_zero)
{
    opli_text text = {0};
    char expected[5000] = "";
    for (size_t step = 0; step < 90; step++) {
        char piece[100];
        memset(piece, (int)('a' + step % 26), step);
        memcpy(expected + text.length, piece, step);
        opli_text_add(&text, piece, step);
        CHECK_EQ(strlen(text.bytes), text.length);
    }
    CHECK(!text.cut);
    check_text(&text, expected);
}

TEST(text, keeps_zeros_that_are_part_of_it)
{
    opli_text text = {0};
    opli_text_add(&text, "a\0b", 3);
    CHECK_EQ(text.length, 3);
    assert_memory_equal(text.bytes, "a\0b", 4);
    opli_text_free(&text);
}

TEST(text, formats_what_is_longer_than_any_first_guess)
{
    opli_text text = {0};
    opli_text_addf(&text, "%s", "");
    opli_text_addf(&text, "%0*d", 1000, 7);
    CHECK_EQ(text.length, 1000);
    CHECK_EQ(text.bytes[999], '7');
    opli_text_reset(&text);
    opli_text_addf(&text, "%d-%s", 5, "five");
    check_text(&text, "5-five");
}

/* ---- numbers ---- */

TEST(text, says_durations_in_the_unit_that_reads_best)
{
    static const struct {
        int64_t ns;
        const char *expected;
    } cases[] = {{0, "0 ns"},
                 {1, "1 ns"},
                 {-1, "-1 ns"},
                 {999, "999 ns"},
                 {1000, "1.000 us"},
                 {-1000, "-1.000 us"},
                 {1234567, "1.235 ms"},
                 {999999, "999.999 us"},
                 {999999499, "999.999 ms"},
                 {999999500, "1.000 s"}, /* never "1000.000 ms" */
                 {999999999, "1.000 s"},
                 {1000000000, "1.000 s"},
                 {INT64_MAX, "9223372036.855 s"},
                 {INT64_MIN, "-9223372036.855 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opli_text text = {0};
        opli_text_add_ns(&text, cases[i].ns);
        check_text(&text, cases[i].expected);
    }
}

TEST(text, says_sizes_in_the_unit_that_reads_best)
{
    static const struct {
        uint64_t bytes;
        const char *expected;
    } cases[] = {{0, "0 B"},
                 {1, "1 B"},
                 {999, "999 B"},
                 {1000, "1.0 kB"},
                 {81300000, "81.3 MB"},
                 {999949, "999.9 kB"},
                 {999950, "1.0 MB"}, /* never "1000.0 kB" */
                 {UINT64_C(1) << 40, "1.1 TB"},
                 {UINT64_MAX, "18446.7 PB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opli_text text = {0};
        opli_text_add_bytes(&text, cases[i].bytes);
        check_text(&text, cases[i].expected);
    }
}

TEST(text, groups_the_digits_of_counts)
{
    static const struct {
        uint64_t count;
        const char *expected;
    } cases[] = {{0, "0"},
                 {12, "12"},
                 {999, "999"},
                 {1000, "1,000"},
                 {123456, "123,456"},
                 {1234567, "1,234,567"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opli_text text = {0};
        opli_text_add_count(&text, cases[i].count);
        check_text(&text, cases[i].expected);
    }
}

TEST(text, writes_dates_to_the_millisecond_before_and_after_1970)
{
    static const struct {
        int64_t real_ns;
        const char *expected;
    } cases[] = {
        {0, "1970-01-01 00:00:00.000 UTC"},           {1, "1970-01-01 00:00:00.000 UTC"},
        {-1, "1969-12-31 23:59:59.999 UTC"},          {-1000000000, "1969-12-31 23:59:59.000 UTC"},
        {-1001000000, "1969-12-31 23:59:58.999 UTC"}, {INT64_C(1794721440123456789), "2026-11-15 05:44:00.123 UTC"},
        {INT64_MAX, "2262-04-11 23:47:16.854 UTC"},   {INT64_MIN, "1677-09-21 00:12:43.145 UTC"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opli_text text = {0};
        opli_text_add_date(&text, cases[i].real_ns);
        check_text(&text, cases[i].expected);
    }
}

/* ---- JSON ---- */

static void check_json(const char *bytes, size_t length, const char *expected)
{
    opli_text text = {0};
    opli_text_add_json(&text, bytes, length);
    check_text(&text, expected);
}

TEST(text, escapes_what_json_wants_escaped)
{
    check_json("", 0, "\"\"");
    check_json("plain", 5, "\"plain\"");
    check_json("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    check_json("\b\t\n\f\r", 5, "\"\\b\\t\\n\\f\\r\"");
    check_json("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
    check_json("\xc2\x9b"
               "5m\xc2\xa0",
               6,
               "\"\\u009b"
               "5m\xc2\xa0\""); /* it would command a terminal */
    check_json("gr\xc3\xbc\xc3\x9f \xf0\x9f\x94\xa5", 11, "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x94\xa5\"");
}

TEST(text, replaces_what_is_not_utf8_in_json)
{
    check_json("\xff", 1, "\"\xef\xbf\xbd\"");
    check_json("a\x80z", 3, "\"a\xef\xbf\xbdz\"");
    check_json("\xc3", 1, "\"\xef\xbf\xbd\"");                                 /* cut in a character */
    check_json("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""); /* a surrogate */
    check_json("\xc0\xaf", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");                 /* too long a form */
}

/* A JSON string by RFC 8259: quotes, no control characters, known escapes, UTF-8. */
static bool is_json_string(const char *text, size_t length)
{
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return false;
    for (size_t at = 1; at < length - 1;) {
        size_t step = opli_utf8_length(text + at, length - 1 - at);
        if (!step || (unsigned char)text[at] < 0x20 || text[at] == '"')
            return false;
        if (text[at] == '\\') {
            if (!strchr("\"\\/bfnrtu", text[at + 1]))
                return false;
            step = text[at + 1] == 'u' ? 6 : 2;
        }
        at += step;
    }
    return true;
}

TEST(text, makes_a_json_string_of_any_bytes)
{
    unsigned seed = 7;
    for (int round = 0; round < 20000; round++) {
        char bytes[24];
        size_t length = (size_t)rand_r(&seed) % sizeof bytes;
        for (size_t i = 0; i < length; i++)
            bytes[i] = (char)(rand_r(&seed) >> 7);
        opli_text text = {0};
        opli_text_add_json(&text, bytes, length);
        CHECK(is_json_string(text.bytes, text.length));
        opli_text_free(&text);
    }
}

/* ---- for a terminal ---- */

static void check_printable(const char *bytes, size_t length, const char *expected)
{
    opli_text text = {0};
    opli_text_add_printable(&text, bytes, length);
    check_text(&text, expected);
}

TEST(text, lets_nothing_through_that_commands_a_terminal)
{
    check_printable("plain gr\xc3\xbc\xc3\x9f", 12, "plain gr\xc3\xbc\xc3\x9f");
    check_printable("\x1b[31mred", 8, ".[31mred");
    check_printable("a\nb\tc\x7f", 6, "a.b.c.");
    check_printable("\xff\xc3", 2, "..");
    check_printable("\xc2\x9b"
                    "31m",
                    5, ".31m"); /* U+009B begins a command as ESC [ does */
    check_printable("\xc2\xa0", 2, "\xc2\xa0");
}
