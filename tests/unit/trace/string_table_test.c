/* string_table_test.c - every text, once. */
#include "trace/string_table.h"

#include "test.h"

TEST(string_table, gives_the_same_text_the_same_id)
{
    opli_string_table table = {.count = 0};
    uint32_t a = opli_string_add(&table, "aten::conv2d", 12);
    CHECK_EQ(opli_string_add(&table, "aten::conv2d!", 12), a);
    CHECK(opli_string_add(&table, "aten::conv2D", 12) != a);
    CHECK_TEXT(opli_string_get(&table, a), "aten::conv2d");
    opli_string_table_free(&table);
}

TEST(string_table, knows_the_empty_text_as_zero)
{
    opli_string_table table = {.count = 0};
    CHECK_EQ(opli_string_add(&table, "", 0), 0);
    CHECK_TEXT(opli_string_get(&table, 0), "");
    CHECK_TEXT(opli_string_get(&table, 12345), "");
    opli_string_table_free(&table);
}

TEST(string_table, finds_only_what_was_added)
{
    opli_string_table table = {.count = 0};
    CHECK_EQ(opli_string_find(&table, "x", 1), OPLI_STRING_NONE);
    uint32_t x = opli_string_add(&table, "x", 1);
    CHECK_EQ(opli_string_find(&table, "x", 1), x);
    CHECK_EQ(opli_string_find(&table, "y", 1), OPLI_STRING_NONE);
    opli_string_table_free(&table);
}

TEST(string_table, tells_long_texts_apart_by_any_byte)
{
    char text[3000];
    opli_string_table table = {.count = 0};
    memset(text, 'a', sizeof text);
    uint32_t plain = opli_string_add(&table, text, sizeof text);
    for (size_t i = 0; i < sizeof text; i += 7) {
        text[i] = 'b';
        CHECK(opli_string_add(&table, text, sizeof text) != plain);
        text[i] = 'a';
    }
    CHECK_EQ(opli_string_add(&table, text, sizeof text), plain);
    opli_string_table_free(&table);
}

TEST(string_table, holds_a_million_texts)
{
    opli_string_table table = {.count = 0};
    char text[32];
    for (int i = 0; i < 1000000; i++) {
        int length = snprintf(text, sizeof text, "kernel_%d", i);
        CHECK_EQ(opli_string_add(&table, text, (size_t)length), i + 1);
    }
    CHECK_TEXT(opli_string_get(&table, 500001), "kernel_500000");
    opli_string_table_free(&table);
}
