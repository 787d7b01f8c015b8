/* vector_test.c - arrays that grow. */
#include "base/vector.h"
#include "test.h"

typedef OPLI_VECTOR(uint64_t) words;

TEST(vector, keeps_what_was_added_and_zeroes_what_is_new)
{
    words v = {0};
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t *added = opli_vector_add(&v);
        CHECK(added && *added == 0);
        *added = i * i;
    }
    CHECK_EQ(v.count, 10000);
    for (uint64_t i = 0; i < v.count; i++)
        CHECK_EQ(v.items[i], i * i);
    opli_vector_free(&v);
}

TEST(vector, zeroes_again_after_a_reset)
{
    words v = {0};
    *opli_vector_add(&v) = 5;
    v.count = 0;
    CHECK_EQ(*opli_vector_add(&v), 0);
    opli_vector_free(&v);
    opli_vector_free(&v);
    CHECK(!v.items && !v.count && !v.capacity);
}

TEST(vector, says_no_when_there_is_no_memory_and_stays_as_it_was)
{
    void *items = NULL;
    size_t capacity = SIZE_MAX / 2 + 1; /* twice this is nothing */
    CHECK_EQ(opli_vector_grow(&items, &capacity, capacity, 1), 0);
    CHECK(!items);
    CHECK_EQ(capacity, SIZE_MAX / 2 + 1);
}
