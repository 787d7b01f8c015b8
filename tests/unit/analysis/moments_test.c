/* moments_test.c - how much happened between two moments. */
#include "analysis/moments.h"

#include "test.h"

TEST(moments, count_from_the_start_and_before_the_end_in_their_own_process)
{
    opli_moments moments = {{0}};
    CHECK_EQ(opli_moments_within(&moments, 0, 0, 10), 0);
    for (int64_t i = 9; i >= 0; i--)
        CHECK(opli_moments_add(&moments, (uint32_t)(i % 2), i, i));
    opli_moments_sort(&moments);
    CHECK_EQ(opli_moments_within(&moments, 0, 2, 8), 2 + 4 + 6);
    CHECK_EQ(opli_moments_within(&moments, 1, 0, 100), 1 + 3 + 5 + 7 + 9);
    CHECK_EQ(opli_moments_within(&moments, 1, 4, 5), 0);
    CHECK_EQ(opli_moments_within(&moments, 2, 0, 100), 0);
    opli_moments_free(&moments);
}
