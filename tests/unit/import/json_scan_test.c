/* json_scan_test.c - JSON as traces in the field write it. */
#include "import/json_scan.h"

#include "test.h"

static opli_json_value read_text(const char *text)
{
    opli_json json = {text, text + strlen(text)};
    opli_json_value value;
    opli_json_read(&json, &value);
    return value;
}

static int64_t ns_of(const char *text)
{
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%s ", text);
    opli_json_value value = read_text(buffer);
    int64_t ns = -1;
    CHECK(opli_json_thousandths(&value, &ns));
    return ns;
}

TEST(json_scan, keeps_every_nanosecond_of_a_decimal_time)
{
    CHECK_EQ(ns_of("3852785317282.571"), 3852785317282571);
    CHECK_EQ(ns_of("0.001"), 1);
    CHECK_EQ(ns_of("12"), 12000);
    CHECK_EQ(ns_of("12.5"), 12500);
    CHECK_EQ(ns_of("-3.25"), -3250);
    CHECK_EQ(ns_of("9007199254740993.123"), 9007199254740993123); /* beyond what a double holds */
}

TEST(json_scan, rounds_what_is_finer_than_a_nanosecond)
{
    CHECK_EQ(ns_of("1.2345"), 1235);
    CHECK_EQ(ns_of("1.2344999"), 1234);
    CHECK_EQ(ns_of("-1.2345"), -1235);
}

TEST(json_scan, takes_numbers_in_exponent_form_and_in_strings)
{
    CHECK_EQ(ns_of("1.23457e+06"), 1234570000);
    CHECK_EQ(ns_of("\"17.5\""), 17500);
}

TEST(json_scan, refuses_what_is_no_number)
{
    opli_json_value value = read_text("\"soon\"");
    int64_t number;
    CHECK(!opli_json_thousandths(&value, &number));
    CHECK(!opli_json_int(&value, &number));
}

TEST(json_scan, passes_over_brackets_inside_strings)
{
    opli_json_value value = read_text("[\"a]b\", {\"c\": \"}\\\"]\"}, [1, [2]]] tail");
    CHECK_EQ(value.kind, OPLI_JSON_ARRAY);
    CHECK_EQ(value.text[value.length], ' ');
}

TEST(json_scan, says_that_the_text_ends_wherever_it_is_cut)
{
    const char *whole = "{\"name\": \"a\\\"b\", \"args\": {\"x\": [1, 2.5, \"z\"]}}";
    for (size_t length = 1; length < strlen(whole); length++) {
        opli_json json = {whole, whole + length};
        opli_json_value value;
        CHECK_EQ(opli_json_read(&json, &value), OPLI_JSON_END);
        CHECK(json.at == whole);
    }
}

static void check_unescaped(const char *quoted, const char *expected)
{
    char to[128];
    opli_json_value value = read_text(quoted);
    size_t length = opli_json_unescape(&value, to);
    to[length] = '\0';
    CHECK_TEXT(to, expected);
}

TEST(json_scan, undoes_escapes_and_leaves_windows_paths_alone)
{
    check_unescaped("\"a\\n\\\"b\\\\\\/\\u00e9\"", "a\n\"b\\/\xc3\xa9");
    check_unescaped("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
    check_unescaped("\"C:\\Users\\me\"", "C:\\Users\\me");
    check_unescaped("\"\\uxyz\"", "\\uxyz");
}

TEST(json_scan, accepts_spaces_before_colons_and_raw_newlines_in_strings)
{
    const char *text = "{\"key\" :\"two\nlines\" ,, \"other\":1}";
    opli_json json = {text + 1, text + strlen(text)};
    opli_json_value key, value;
    CHECK(opli_json_member(&json, &key, &value));
    CHECK(opli_json_is(&value, "two\nlines"));
    CHECK(opli_json_member(&json, &key, &value));
    CHECK(opli_json_is(&key, "other"));
    CHECK(!opli_json_member(&json, &key, &value));
    CHECK_EQ(value.kind, OPLI_JSON_WORD);
}
