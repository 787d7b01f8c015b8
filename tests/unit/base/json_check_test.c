/* json_check_test.c - strictly JSON, or not. */
#include "base/json_check.h"
#include "test.h"

TEST(json_check, accepts_what_the_standard_has)
{
    static const char *const right[] = {"0",     "-1.5e+10",     "\"a\\u00e9\\n\"",
                                        " [ ] ", "{}",           "[1, [2, {\"a\": null}]]",
                                        "true",  "\"\xc3\xa4\"", "{\"a\": 1, \"b\": [false]}"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        CHECK(opli_json_is_valid(right[i], strlen(right[i])));
}

TEST(json_check, refuses_what_other_writers_get_wrong)
{
    static const char *const wrong[] = {"",          "NaN",      "Infinity", "01",       "1.",      "+1",
                                        "[1,]",      "{\"a\":}", "{a: 1}",   "\"\n\"",   "\"\\x\"", "\"open",
                                        "[1",        "1 2",      "'a'",      "\"\xff\"", "nul",     "\"\\u12g4\"",
                                        "{\"a\" 1}", "[1 2]",    "\"\\",     "\"\\u1",   "-",       "1e"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!opli_json_is_valid(wrong[i], strlen(wrong[i])));
}

TEST(json_check, takes_what_is_too_deep_for_no_json)
{
    char deep[100000];
    memset(deep, '[', sizeof deep);
    CHECK(!opli_json_is_valid(deep, sizeof deep));
}

TEST(json_check, never_reads_past_the_end)
{
    static const char text[] = "{\"key\": [1.5e3, true, \"\\u00e4\xc3\xa4\"]}";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *exact = malloc(length + 1);
        memcpy(exact, text, length);
        CHECK(!opli_json_is_valid(exact, length));
        free(exact);
    }
}
