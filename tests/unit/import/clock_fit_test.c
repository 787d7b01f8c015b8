/* clock_fit_test.c - from ticks of the recorder and of devices to nanoseconds. */
#include "import/clock_fit.h"

#include "test.h"

#define GHZ UINT64_C(1000000000)

static opli_recording with_clocks(opli_entry_clock *clocks, size_t count)
{
    opli_recording recording = {.header = {.clock = OPLI_CLOCK_TSC, .ticks_per_second = 2 * GHZ}};
    recording.clocks.items = clocks;
    recording.clocks.count = count;
    return recording;
}

/* ---- the recorder's clock ---- */

TEST(clock_fit, takes_monotonic_ticks_for_what_they_are)
{
    opli_recording recording = {.header = {.clock = OPLI_CLOCK_MONOTONIC, .ticks_per_second = 7}};
    CHECK_EQ(opli_clock_fit_ns(&recording, 0), 0);
    CHECK_EQ(opli_clock_fit_ns(&recording, 123456789), 123456789);
    CHECK_EQ(opli_clock_fit_ns(&recording, INT64_MAX), INT64_MAX);
    CHECK_EQ(opli_clock_fit_ns(&recording, UINT64_MAX), INT64_MAX);
}

TEST(clock_fit, uses_the_first_estimate_without_any_note)
{
    opli_recording recording = with_clocks(NULL, 0);
    CHECK_EQ(opli_clock_fit_ns(&recording, 2000), 1000);
    recording.header.ticks_per_second = 0; /* a file may say anything */
    CHECK_EQ(opli_clock_fit_ns(&recording, 2000), 2000);
}

TEST(clock_fit, goes_both_ways_from_a_single_note)
{
    opli_entry_clock note = {1000000, 5000000, 0, 0};
    opli_recording recording = with_clocks(&note, 1);
    CHECK_EQ(opli_clock_fit_ns(&recording, 1000000), 5000000);
    CHECK_EQ(opli_clock_fit_ns(&recording, 1002000), 5001000);
    CHECK_EQ(opli_clock_fit_ns(&recording, 998000), 4999000);
    CHECK_EQ(opli_clock_fit_ns(&recording, 1000001), 5000001); /* half a nanosecond rounds away from zero */
}

/* A clock that slows down: 2 GHz, then 1 GHz, then half of that. */
static opli_entry_clock slowing[] = {{0, 100, 0, 0}, {2000, 1100, 0, 0}, {3000, 2100, 0, 0}, {4000, 4100, 0, 0}};

TEST(clock_fit, runs_evenly_between_notes_and_meets_each_of_them)
{
    opli_recording recording = with_clocks(slowing, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_EQ(opli_clock_fit_ns(&recording, slowing[i].tick), slowing[i].monotonic_ns);
    CHECK_EQ(opli_clock_fit_ns(&recording, 1000), 600);
    CHECK_EQ(opli_clock_fit_ns(&recording, 2500), 1600);
    CHECK_EQ(opli_clock_fit_ns(&recording, 3500), 3100);
}

TEST(clock_fit, goes_on_at_the_rate_of_the_nearest_stretch_outside)
{
    opli_entry_clock later[] = {{10000, 100, 0, 0}, {12000, 1100, 0, 0}, {13000, 2100, 0, 0}};
    opli_recording recording = with_clocks(later, 3);
    CHECK_EQ(opli_clock_fit_ns(&recording, 8000), -900);
    CHECK_EQ(opli_clock_fit_ns(&recording, 0), -4900);
    CHECK_EQ(opli_clock_fit_ns(&recording, 15000), 4100);
}

TEST(clock_fit, never_goes_back_between_notes_that_go_forward)
{
    opli_recording recording = with_clocks(slowing, 4);
    for (uint64_t tick = 0; tick < 6000; tick++)
        CHECK(opli_clock_fit_ns(&recording, tick) <= opli_clock_fit_ns(&recording, tick + 1));
}

TEST(clock_fit, finds_the_right_stretch_among_many)
{
    enum { NOTES = 1000 };
    static opli_entry_clock notes[NOTES];
    for (size_t i = 0; i < NOTES; i++)
        notes[i] = (opli_entry_clock){i * 100, (int64_t)(i * i), 0, 0};
    opli_recording recording = with_clocks(notes, NOTES);
    for (size_t i = 0; i + 1 < NOTES; i++) {
        CHECK_EQ(opli_clock_fit_ns(&recording, i * 100), i * i);
        CHECK(opli_clock_fit_ns(&recording, i * 100 + 99) <= (int64_t)((i + 1) * (i + 1)));
    }
}

TEST(clock_fit, gives_some_time_for_notes_that_make_no_sense)
{
    opli_entry_clock wild[] = {{0, INT64_MAX, 0, 0}, {UINT64_MAX, INT64_MIN, 0, 0}};
    opli_entry_clock steep[] = {{0, INT64_MIN, 0, 0}, {1, INT64_MAX, 0, 0}};
    opli_entry_clock same[] = {{5, 1, 0, 0}, {5, 2, 0, 0}};
    opli_recording recording = with_clocks(wild, 2);
    CHECK_EQ(opli_clock_fit_ns(&recording, 0), INT64_MAX);
    CHECK_EQ(opli_clock_fit_ns(&recording, UINT64_MAX), INT64_MIN);
    recording = with_clocks(steep, 2);
    CHECK_EQ(opli_clock_fit_ns(&recording, UINT64_MAX), INT64_MAX);
    recording = with_clocks(same, 2);
    CHECK_EQ(opli_clock_fit_ns(&recording, UINT64_MAX), 1);
    opli_entry_clock late = {UINT64_MAX, INT64_MIN, 0, 0};
    recording = with_clocks(&late, 1);
    recording.header.ticks_per_second = 1;
    CHECK_EQ(opli_clock_fit_ns(&recording, 0), INT64_MIN);
}

TEST(clock_fit, keeps_lengths_of_time_within_64_bits)
{
    CHECK_EQ(opli_ns_between(5, 7), 2);
    CHECK_EQ(opli_ns_between(7, 5), -2);
    CHECK_EQ(opli_ns_between(INT64_MIN, INT64_MAX), INT64_MAX);
    CHECK_EQ(opli_ns_between(INT64_MAX, INT64_MIN), INT64_MIN);
}

/* ---- wall-clock time ---- */

TEST(clock_fit, knows_the_wall_clock_by_the_first_note)
{
    opli_entry_clock notes[] = {{0, 100, 5000, 0}, {1000, 1100, 9999, 0}};
    opli_recording recording = with_clocks(notes, 2);
    CHECK_EQ(opli_clock_fit_real_ns(&recording, 150), 5050);
    CHECK_EQ(opli_clock_fit_real_ns(&recording, 0), 4900);
    notes[0].real_ns = INT64_MAX;
    CHECK_EQ(opli_clock_fit_real_ns(&recording, INT64_MAX), INT64_MAX);
    recording = with_clocks(NULL, 0);
    recording.header.start_real_ns = 77;
    CHECK_EQ(opli_clock_fit_real_ns(&recording, 150), 77);
}

/* ---- devices ---- */

/* Device 1 says host nanoseconds, device 2 has a clock of 1 MHz, device 3 claims one that cannot be. */
static opli_device_row devices[] = {{.id = 1, .clock_hz = 0}, {.id = 2, .clock_hz = 1e6}, {.id = 3, .clock_hz = 1e300}};

static opli_recording with_anchors(opli_entry_anchor *anchors, size_t count)
{
    opli_recording recording = {.header = {.clock = OPLI_CLOCK_TSC}};
    recording.devices.items = devices;
    recording.devices.count = 3;
    recording.anchors.items = anchors;
    recording.anchors.count = count;
    return recording;
}

TEST(clock_fit, takes_the_times_of_host_devices_as_they_are)
{
    opli_entry_anchor anchor = {1, 100, 100000};
    opli_recording recording = with_anchors(&anchor, 1);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 0, 42), 42);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 1, INT64_MIN), INT64_MIN);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 3, 42), 42);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 99, 42), 42); /* nobody declared it */
    CHECK_EQ(opli_clock_fit_device_duration_ns(&recording, 1, 40, 2), 2);
}

TEST(clock_fit, starts_a_device_clock_at_zero_without_anchors)
{
    opli_recording recording = with_anchors(NULL, 0);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 3), 3000);
    CHECK_EQ(opli_clock_fit_device_duration_ns(&recording, 2, 3, 5), 5000);
}

TEST(clock_fit, moves_a_device_clock_by_a_single_anchor)
{
    opli_entry_anchor anchor = {2, 1000, 7777777};
    opli_recording recording = with_anchors(&anchor, 1);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 1000), 7777777);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 1001), 7778777);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 999), 7776777);
}

TEST(clock_fit, corrects_the_drift_of_a_device_clock_stretch_by_stretch)
{
    /* 1 MHz on paper; in truth a little slow, then a little fast. Others' anchors are around it. */
    opli_entry_anchor anchors[] = {{1, 5, 5},          {2, 0, 1000000}, {2, 1000, 2010000},
                                   {2, 2000, 3000000}, {3, 7, 7},       {9, 1, 1}};
    opli_recording recording = with_anchors(anchors, 6);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 0), 1000000);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 1000), 2010000);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 500), 1505000);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 1500), 2505000);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, -100), 899000);  /* as before the first */
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 2100), 3099000); /* as after the last */
    CHECK_EQ(opli_clock_fit_device_duration_ns(&recording, 2, 900, 200), 2109000 - 1909000);
}

TEST(clock_fit, copes_with_anchors_at_one_moment_and_at_the_ends_of_time)
{
    opli_entry_anchor same[] = {{2, 10, 1000}, {2, 10, 2000}};
    opli_entry_anchor ends[] = {{2, INT64_MIN, INT64_MAX}, {2, INT64_MAX, INT64_MIN}};
    opli_recording recording = with_anchors(same, 2);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, 11), 2000); /* by the first, at the rate it claims */
    recording = with_anchors(ends, 2);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, INT64_MIN), INT64_MAX);
    CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, INT64_MAX), INT64_MIN);
    CHECK_EQ(opli_clock_fit_device_duration_ns(&recording, 2, INT64_MIN, INT64_MAX), -INT64_MAX);
}

TEST(clock_fit, finds_the_right_anchors_among_many)
{
    enum { ANCHORS = 3000 };
    static opli_entry_anchor anchors[ANCHORS];
    for (size_t i = 0; i < ANCHORS; i++)
        anchors[i] = (opli_entry_anchor){1 + i / 1000, (int64_t)(i % 1000) * 10, (int64_t)(i % 1000 * (i % 1000))};
    opli_recording recording = with_anchors(anchors, ANCHORS);
    for (int64_t i = 0; i + 1 < 1000; i++) {
        CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, i * 10), i * i);
        CHECK_EQ(opli_clock_fit_device_ns(&recording, 2, i * 10 + 5), i * i + i + 1); /* 2i + 1, halved and rounded */
    }
}
