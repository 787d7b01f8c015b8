/* arguments_test.c - arguments that point where nothing is. */
#include "import/arguments.h"

#include "test.h"

static opli_argument tensor_list(const void *bytes, uint32_t size)
{
    return (opli_argument){.tag = OPLI_TAG_ARG_TENSORS, .bytes = bytes, .size = size};
}

TEST(arguments, are_what_has_the_tag_of_one)
{
    for (uint32_t tag = OPL_SITE_LIMIT; tag < OPLI_TAG_END; tag++)
        CHECK_EQ(opli_argument_is(tag), tag >= OPLI_TAG_ARG_INT && tag <= OPLI_TAG_ARG_TENSORS);
    CHECK(!opli_argument_is(0) && !opli_argument_is(UINT32_MAX));
}

TEST(arguments, end_a_list_of_tensors_that_is_cut_anywhere)
{
    struct {
        opli_wire_tensor wire;
        int64_t dims[2];
        char name[8];
    } whole = {{OPL_DTYPE_F32, 2, 3, 0}, {4, 5}, "abc"};
    for (uint32_t size = 0; size <= sizeof whole; size++) {
        uint8_t *bytes = malloc(size ? size : 1); /* so that one byte too far is noticed */
        memcpy(bytes, &whole, size);
        opli_argument argument = tensor_list(bytes, size);
        opli_tensor_view tensor;
        size_t at = 0;
        CHECK_EQ(opli_argument_tensor(&argument, &at, &tensor), size == sizeof whole);
        CHECK(!opli_argument_tensor(&argument, &at, &tensor));
        CHECK(at <= size);
        free(bytes);
    }
}

TEST(arguments, end_a_list_of_tensors_that_claim_too_much)
{
    const opli_wire_tensor claims[] = {{0, 255, 0, 0}, {0, 0, 65535, 0}, {255, 255, 65535, UINT32_MAX}};
    for (size_t i = 0; i < 3; i++) {
        opli_argument argument = tensor_list(&claims[i], sizeof claims[i]);
        opli_tensor_view tensor;
        size_t at = 0;
        CHECK(!opli_argument_tensor(&argument, &at, &tensor));
    }
}

/* A chunk with a text at record 0 and an argument at record 2 that points to `index`. */
static bool read_text(uint64_t index, uint64_t length, uint32_t tag, uint64_t lap)
{
    static opli_chunk_records records;
    const opli_chunk_row row = {.id = 5};
    opli_argument argument;
    records.count = 3;
    records.words[0] = length;
    records.words[1] = opli_record_word(tag, 0, 0, lap);
    records.words[4] = index;
    records.words[5] = opli_record_word(OPLI_TAG_ARG_TEXT, 9, 1, 5);
    opli_record record = {2, 1, OPLI_TAG_ARG_TEXT, records.words + 4};
    return opli_argument_read(&row, &records, &record, &argument) && argument.size == (uint32_t)length &&
           argument.key == 9;
}

TEST(arguments, find_the_bytes_they_point_to_and_nothing_else)
{
    CHECK(read_text(0, 16, OPLI_TAG_BYTES, 5));
    CHECK(read_text(0, 0, OPLI_TAG_BYTES, 5));
    CHECK(!read_text(0, 16, OPLI_TAG_INSTANT, 5)); /* not bytes */
    CHECK(!read_text(0, 16, OPLI_TAG_BYTES, 6));   /* of another lap */
    CHECK(!read_text(0, 33, OPLI_TAG_BYTES, 5));   /* longer than the chunk */
    CHECK(!read_text(0, UINT32_MAX, OPLI_TAG_BYTES, 5));
    CHECK(!read_text(1, 16, OPLI_TAG_BYTES, 5)); /* the middle of something */
    CHECK(!read_text(3, 16, OPLI_TAG_BYTES, 5)); /* behind the end */
    CHECK(!read_text(UINT64_MAX, 16, OPLI_TAG_BYTES, 5));
    CHECK(!read_text(UINT64_C(1) << 60, 16, OPLI_TAG_BYTES, 5));
}
