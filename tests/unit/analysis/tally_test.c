/* tally_test.c - the most frequent value of each group. */
#include "analysis/tally.h"

#include "test.h"

TEST(tally, finds_the_most_frequent_and_of_equals_the_first)
{
    static const uint32_t pairs[][2] = {{0, 7}, {0, 8}, {0, 8}, {2, 5}, {2, 4}};
    opli_tally tally = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CHECK(opli_tally_add(&tally, pairs[i][0], pairs[i][1]));
    opli_tally_result *results = opli_tally_results(&tally, 3);
    CHECK(results != NULL);
    CHECK_EQ(results[0].value, 8);
    CHECK_EQ(results[0].times, 2);
    CHECK_EQ(results[0].distinct, 2);
    CHECK_EQ(results[1].times, 0);
    CHECK_EQ(results[2].value, 5);
    free(results);
    opli_tally_free(&tally);
}
