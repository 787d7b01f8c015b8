/* marshal_test.c - Python's marshal format: what each type means, and that no bytes do harm. */
#include "import/marshal.h"

#include "test.h"

#define READ(m, bytes) CHECK_EQ(opli_marshal_read(&(m), bytes, sizeof bytes - 1), OPL_OK)

static void check_int(const char *bytes, size_t size, int64_t expected)
{
    opli_marshal m;
    CHECK_EQ(opli_marshal_read(&m, bytes, size), OPL_OK);
    CHECK(m.complete);
    CHECK_EQ(opli_marshal_root(&m)->kind, OPLI_MARSHAL_INT);
    CHECK(opli_marshal_root(&m)->number == expected);
    opli_marshal_free(&m);
}
#define CHECK_INT(bytes, expected) check_int(bytes, sizeof bytes - 1, expected)

TEST(marshal, reads_integers_of_all_sizes)
{
    CHECK_INT("i\x07\x00\x00\x00", 7);
    CHECK_INT("\xe9\xff\xff\xff\xff", -1);
    CHECK_INT("I\x00\x00\x00\x00\x01\x00\x00\x00", (int64_t)1 << 32);
    CHECK_INT("l\x03\x00\x00\x00\x00\x00\x00\x00\x00\x04", (int64_t)1 << 40);
    CHECK_INT("l\xfd\xff\xff\xff\x00\x00\x00\x00\x00\x04", -((int64_t)1 << 40));
}

TEST(marshal, keeps_integers_beyond_64_bits_at_the_largest)
{
    CHECK_INT("l\xfb\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04", -INT64_MAX);
    CHECK_INT("l\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00", INT64_MAX);
}

static void check_real(const char *bytes, size_t size, double expected)
{
    opli_marshal m;
    CHECK_EQ(opli_marshal_read(&m, bytes, size), OPL_OK);
    CHECK_EQ(opli_marshal_root(&m)->kind, OPLI_MARSHAL_REAL);
    CHECK(opli_marshal_root(&m)->real == expected);
    opli_marshal_free(&m);
}

TEST(marshal, reads_reals_as_bits_and_as_words)
{
    check_real("g\x00\x00\x00\x00\x00\x00\xf8\x3f", 9, 1.5);
    check_real("f\x03"
               "1.5",
               5, 1.5);
}

TEST(marshal, reads_texts_of_every_type)
{
    static const char *const texts[] = {"z\x02hi",       "Z\x02hi",       "\xda\x02hi",    "s\x02\0\0\0hi",
                                        "u\x02\0\0\0hi", "a\x02\0\0\0hi", "A\x02\0\0\0hi", "t\x02\0\0\0hi"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        opli_marshal m;
        CHECK_EQ(opli_marshal_read(&m, texts[i], i < 3 ? 4 : 7), OPL_OK);
        CHECK_EQ(opli_marshal_root(&m)->kind, OPLI_MARSHAL_TEXT);
        CHECK_EQ(opli_marshal_root(&m)->length, 2);
        CHECK(memcmp(opli_marshal_root(&m)->text, "hi", 2) == 0);
        opli_marshal_free(&m);
    }
}

TEST(marshal, finds_again_what_it_was_asked_to_remember)
{
    opli_marshal m;
    READ(m, "\xa9\x02\xda\x01xr\x01\x00\x00\x00");
    const opli_marshal_value *root = opli_marshal_root(&m);
    CHECK(m.complete);
    CHECK_EQ(root->item_count, 2);
    CHECK(opli_marshal_item(&m, root, 0) == opli_marshal_item(&m, root, 1));
    CHECK_EQ(opli_marshal_item(&m, root, 2)->kind, OPLI_MARSHAL_OTHER);
    opli_marshal_free(&m);
}

TEST(marshal, finds_the_interned_texts_of_python_2)
{
    opli_marshal m;
    READ(m, "(\x02\0\0\0t\x01\0\0\0xR\0\0\0\0");
    CHECK_EQ(opli_marshal_item(&m, opli_marshal_root(&m), 1)->kind, OPLI_MARSHAL_TEXT);
    opli_marshal_free(&m);
}

TEST(marshal, keeps_what_was_complete_when_the_bytes_end)
{
    opli_marshal m;
    READ(m, "{i\x01\0\0\0i\x02\0\0\0i\x03\0");
    CHECK(!m.complete);
    CHECK_EQ(opli_marshal_root(&m)->kind, OPLI_MARSHAL_DICT);
    CHECK_EQ(opli_marshal_root(&m)->item_count, 2);
    opli_marshal_free(&m);
}

TEST(marshal, does_not_believe_a_size_larger_than_the_file)
{
    opli_marshal m;
    READ(m, "(\xff\xff\xff\xffi\x01\0\0\0");
    CHECK(!m.complete);
    CHECK_EQ(opli_marshal_root(&m)->item_count, 1);
    opli_marshal_free(&m);
    READ(m, "u\xff\xff\xff\xff?");
    CHECK(!m.complete);
    opli_marshal_free(&m);
    READ(m, "l\x00\x00\x00\x80?");
    CHECK(!m.complete);
    opli_marshal_free(&m);
}

TEST(marshal, survives_tuples_nested_without_end)
{
    size_t size = 1000000;
    char *bytes = malloc(size);
    opli_marshal m;
    for (size_t i = 0; i < size; i += 2)
        memcpy(bytes + i, ")\x01", 2);
    CHECK_EQ(opli_marshal_read(&m, bytes, size), OPL_OK);
    CHECK(!m.complete);
    opli_marshal_free(&m);
    free(bytes);
}

TEST(marshal, refuses_references_to_nothing)
{
    opli_marshal m;
    READ(m, "r\x05\0\0\0");
    CHECK(!m.complete);
    CHECK_EQ(opli_marshal_root(&m)->kind, OPLI_MARSHAL_OTHER);
    opli_marshal_free(&m);
}
