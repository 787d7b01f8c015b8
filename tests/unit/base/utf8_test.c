/* utf8_test.c - telling UTF-8 from other bytes. */
#include <stdbool.h>

#include "base/utf8.h"
#include "test.h"

/* The character's UTF-8, by the table in the standard. */
static size_t encode(uint32_t c, char *out)
{
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(heads[length] | c);
    return length;
}

TEST(utf8, knows_every_character_there_is_and_no_surrogate)
{
    for (uint32_t c = 0; c < 0x110000; c++) {
        char bytes[4];
        size_t length = encode(c, bytes);
        bool surrogate = c >= 0xd800 && c < 0xe000;
        if (opli_utf8_length(bytes, length) != (surrogate ? 0 : length))
            fail_msg("U+%04X is misjudged", c);
    }
}

TEST(utf8, refuses_characters_that_are_cut_off)
{
    static const uint32_t last_of_each_length[] = {0x7ff, 0xffff, 0x10ffff};
    CHECK_EQ(opli_utf8_length("", 0), 0);
    for (size_t i = 0; i < 3; i++) {
        char bytes[4];
        size_t length = encode(last_of_each_length[i], bytes);
        for (size_t available = 0; available < length; available++)
            CHECK_EQ(opli_utf8_length(bytes, available), 0);
    }
}

TEST(utf8, refuses_too_long_forms_lone_followers_and_what_is_beyond_unicode)
{
    static const char *const wrong[] = {"\x80",
                                        "\xbf",
                                        "\xc0\x80",
                                        "\xc1\xbf",
                                        "\xe0\x80\x80",
                                        "\xe0\x9f\xbf",
                                        "\xf0\x80\x80\x80",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xf5\x80\x80\x80",
                                        "\xfe",
                                        "\xff",
                                        "\xc3(",
                                        "\xe2\x82("};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQ(opli_utf8_length(wrong[i], strlen(wrong[i])), 0);
}

TEST(utf8, is_as_wide_as_it_has_characters)
{
    CHECK_EQ(opli_utf8_width("", 0), 0);
    CHECK_EQ(opli_utf8_width("abc", 3), 3);
    CHECK_EQ(opli_utf8_width("gr\xc3\xbc\xc3\x9f", 6), 4);
    CHECK_EQ(opli_utf8_width("\xff\xfe", 2), 2); /* other bytes take a place each */
}
