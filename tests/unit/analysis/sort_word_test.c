/* sort_word_test.c - other tools' words for columns. */
#include "analysis/sort_word.h"

#include "test.h"

static void check(const opli_sort_word *words, const char *keys, const char *expected)
{
    opli_text out = {0};
    opli_sort_words_replace(words, keys, &out);
    CHECK_TEXT(out.bytes ? out.bytes : "", expected);
    opli_text_free(&out);
}

TEST(sort_words, are_replaced_one_by_one_and_everything_else_stays)
{
    static const opli_sort_word words[] = {{"time", "-total_ns"}, {"key", "name"}, {NULL, NULL}};
    check(words, "time", "-total_ns");
    check(words, "-time", "-total_ns");
    check(words, "key,-count,time", "name,-count,-total_ns");
    check(words, "times,tim", "times,tim");
    check(words, "", "");
    check(words, "time,,-", "-total_ns,,-");
    check(NULL, "-time", "-time");
}
