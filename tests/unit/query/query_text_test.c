/* query_text_test.c - texts as DuckDB holds them. */
#include "query/query_text.h"
#include "test.h"

TEST(query_text, keeps_short_texts_inside_and_points_to_long_ones)
{
    static const char bytes[] = "twelve bytes and then one more";
    for (size_t length = 0; length < sizeof bytes; length++) {
        opli_query_text text = opli_query_text_of(bytes, length);
        CHECK_EQ(text.length, length);
        CHECK(memcmp(opli_query_text_bytes(&text), bytes, length) == 0);
        CHECK_EQ(opli_query_text_bytes(&text) == bytes, length > 12);
    }
}

TEST(query_text, leaves_no_stray_bytes_behind_a_short_text)
{
    opli_query_text a = opli_query_text_of("abcdefgh", 3), b = opli_query_text_of("abcxxxxx", 3);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

TEST(query_text, replaces_each_byte_that_is_no_utf8)
{
    static const struct {
        const char *bytes, *mended;
    } cases[] = {{"plain", "plain"},
                 {"", ""},
                 {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
                 {"\xff", "\xef\xbf\xbd"},
                 {"a\xc3", "a\xef\xbf\xbd"},
                 {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
                 {"\xed\xa0\x80z", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opli_text out = {0};
        opli_query_text_mend(cases[i].bytes, strlen(cases[i].bytes), &out);
        CHECK_TEXT(out.bytes ? out.bytes : "", cases[i].mended);
        CHECK(opli_query_text_is_utf8(out.bytes ? out.bytes : "", out.length));
        CHECK_EQ(opli_query_text_is_utf8(cases[i].bytes, strlen(cases[i].bytes)),
                 strcmp(cases[i].bytes, cases[i].mended) == 0);
        opli_text_free(&out);
    }
}
