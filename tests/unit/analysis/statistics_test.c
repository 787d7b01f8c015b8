/* statistics_test.c - means, ends and percentiles, exactly. */
#include "analysis/statistics.h"

#include "test.h"

static opli_statistics of(const int64_t *values, size_t count)
{
    opli_statistics s;
    CHECK(opli_statistics_of(values, count, &s));
    return s;
}

TEST(statistics, equal_those_that_furiosa_printed)
{
    const int64_t latencies[] = {3027309, 2111363, 1824769, 1584494};
    opli_statistics s = of(latencies, 4);
    CHECK_EQ(s.count, 4);
    CHECK_EQ(s.smallest, 1584494);
    CHECK_EQ(s.largest, 3027309);
    CHECK_EQ(s.mean, 2136984);
    CHECK_EQ(s.percentiles[OPLI_P50], 1968066);
    CHECK_EQ(s.percentiles[OPLI_P90], 2752525);
    CHECK_EQ(s.percentiles[OPLI_P95], 2889917);
    CHECK_EQ(s.percentiles[OPLI_P97], 2944874);
    CHECK_EQ(s.percentiles[OPLI_P99], 2999831);
    CHECK_EQ(s.percentiles[OPLI_P999], 3024561);
}

/* Defect 3 of the originals: an "average" that was the last sample. */
TEST(statistics, have_a_mean_of_all_samples_and_say_how_many)
{
    const int64_t values[] = {100, 200, 900};
    opli_statistics s = of(values, 3);
    CHECK_EQ(s.count, 3);
    CHECK_EQ(s.mean, 400);
    CHECK_EQ(s.total, 1200);
}

/* Defect 12 of the originals: the largest allocation was read at the sample of the largest use. */
TEST(statistics, find_each_maximum_by_itself_and_where_it_was)
{
    const int64_t used[] = {5, 9, 2, 9}, allocated[] = {16, 16, 32, 8};
    CHECK_EQ(of(used, 4).largest, 9);
    CHECK_EQ(of(used, 4).largest_at, 1);
    CHECK_EQ(of(allocated, 4).largest, 32);
    CHECK_EQ(of(allocated, 4).largest_at, 2);
    CHECK_EQ(of(allocated, 4).smallest_at, 3);
}

TEST(statistics, round_half_up_on_both_sides_of_zero)
{
    const int64_t above[] = {1, 2}, below[] = {-2, -1};
    CHECK_EQ(of(above, 2).mean, 2);
    CHECK_EQ(of(above, 2).percentiles[OPLI_P50], 2);
    CHECK_EQ(of(below, 2).mean, -1);
    CHECK_EQ(of(below, 2).percentiles[OPLI_P50], -1);
}

TEST(statistics, do_not_overflow)
{
    const int64_t values[] = {INT64_MIN, INT64_MAX, INT64_MAX};
    opli_statistics s = of(values, 3);
    CHECK(s.percentiles[OPLI_P50] == INT64_MAX);
    CHECK(s.mean == INT64_MAX / 3);
    CHECK(s.total == INT64_MAX - 1);
}

TEST(statistics, of_one_sample_are_that_sample_and_of_none_nothing)
{
    const int64_t value = 7;
    opli_statistics s = of(&value, 1);
    for (size_t i = 0; i < OPLI_PERCENTILES; i++)
        CHECK_EQ(s.percentiles[i], 7);
    CHECK_EQ(of(NULL, 0).count, 0);
}

TEST(statistics, keep_groups_apart)
{
    opli_samples samples = {0};
    for (int64_t i = 0; i < 10; i++)
        CHECK(opli_samples_add(&samples, (uint32_t)(i % 3), i));
    opli_statistics *all = opli_samples_statistics(&samples, 4);
    CHECK(all != NULL);
    CHECK_EQ(all[0].count, 4);
    CHECK_EQ(all[0].total, 0 + 3 + 6 + 9);
    CHECK_EQ(all[2].largest, 8);
    CHECK_EQ(all[3].count, 0);
    free(all);
    opli_samples_free(&samples);
}
