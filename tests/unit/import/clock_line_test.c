/* clock_line_test.c - the short way from ticks to nanoseconds gives what the long way gives. */
#include "import/clock_line.h"

#include "test.h"

static void check_notes(opli_entry_clock *clocks, size_t count, uint64_t from, uint64_t to, uint64_t step)
{
    opli_recording recording = {.header = {.clock = OPLI_CLOCK_TSC, .ticks_per_second = UINT64_C(2600000000)}};
    opli_clock_line line = {.recording = &recording};
    recording.clocks.items = clocks;
    recording.clocks.count = count;
    for (uint64_t tick = from; tick <= to && tick >= from; tick += step)
        CHECK_EQ(opli_clock_line_ns(&line, tick), opli_clock_fit_ns(&recording, tick));
    for (uint64_t tick = to; tick >= from && tick - from >= step; tick -= step) /* and backwards */
        CHECK_EQ(opli_clock_line_ns(&line, tick), opli_clock_fit_ns(&recording, tick));
}

TEST(clock_line, follows_every_stretch_to_the_nanosecond)
{
    opli_entry_clock clocks[] = {{1000, 500000, 0, 0},
                                 {27000123, 10500001, 0, 0},
                                 {UINT64_C(2700001234), 1010500777, 0, 0},
                                 {UINT64_C(2700001235), 1010500778, 0, 0},
                                 {UINT64_C(5300001239), 2010500001, 0, 0}};
    check_notes(clocks, 5, 0, 30000000, 7);
    check_notes(clocks, 5, UINT64_C(2699990000), UINT64_C(2700010000), 1);
    check_notes(clocks, 5, 0, UINT64_C(8000000000), 9973 * 13);
}

TEST(clock_line, rounds_halves_as_the_long_way_does)
{
    opli_entry_clock clocks[] = {{0, 0, 0, 0}, {2000000, 1000000, 0, 0}, {6000000, 4000000, 0, 0}};
    check_notes(clocks, 3, 0, 100000, 1);
    check_notes(clocks, 3, 1990000, 2010000, 1);
}

TEST(clock_line, leaves_to_the_long_way_what_it_cannot_do)
{
    opli_entry_clock long_ago[] = {{0, 0, 0, 0}, {UINT64_C(1) << 60, INT64_C(1) << 59, 0, 0}};
    opli_entry_clock backwards[] = {{1000, 9000, 0, 0}, {2000, 8000, 0, 0}, {2000, 8500, 0, 0}};
    opli_entry_clock one[] = {{1000, 9000, 0, 0}};
    check_notes(long_ago, 2, 0, UINT64_C(1) << 61, (UINT64_C(1) << 55) + 12345);
    check_notes(backwards, 3, 0, 4000, 1);
    check_notes(one, 1, 0, 4000, 1);
    check_notes(NULL, 0, 0, 4000, 1);
}
