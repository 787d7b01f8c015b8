/* key_map_test.c - things numbered by their key. */
#include "base/key_map.h"

#include "test.h"

static opli_key key_of(uint64_t i) { return (opli_key){{i % 7, i, i / 3}}; }

TEST(key_map, numbers_keys_in_the_order_they_come)
{
    opli_key_map map = {0};
    for (uint64_t i = 0; i < 10000; i++)
        CHECK_EQ(opli_key_map_add(&map, key_of(i)), i);
    for (uint64_t i = 0; i < 10000; i++)
        CHECK_EQ(opli_key_map_add(&map, key_of(i)), i);
    CHECK_EQ(map.count, 10000);
    opli_key_map_free(&map);
}

TEST(key_map, finds_only_what_was_added)
{
    opli_key_map map = {0};
    CHECK_EQ(opli_key_map_find(&map, key_of(1)), OPLI_KEY_NONE);
    opli_key_map_add(&map, key_of(1));
    CHECK_EQ(opli_key_map_find(&map, key_of(1)), 0);
    CHECK_EQ(opli_key_map_find(&map, key_of(2)), OPLI_KEY_NONE);
    opli_key_map_free(&map);
}
