/* schedule_test.c - which turns of a loop are recorded. */
#include <oplens/record.h>

#include "playback.h"
#include "test.h"

/* Expectations are a letter a turn: '.' for a turn that is not recorded, else the last digit of
 * the number of its cycle. */
typedef struct plan {
    opl_schedule schedule;
    const char *turns;
} plan;

static const plan plans[] = {
    {{.active = 1}, "0123456789"},
    {{.active = 3}, "000111222333"},
    {{.wait = 1, .active = 1}, ".0.1.2.3"},
    {{.warmup = 1, .active = 2}, ".00.11.22"},
    {{.wait = 2, .warmup = 1, .active = 2}, "...00...11...22"},
    {{.skip_first = 3, .active = 2}, "...001122"},
    {{.skip_first = 2, .wait = 1, .warmup = 1, .active = 2}, "....00..11..22"},
    {{.wait = 1, .warmup = 1, .active = 1, .repeat = 1}, "..0......"},
    {{.wait = 1, .warmup = 1, .active = 1, .repeat = 2}, "..0..1......"},
    {{.skip_first = 1, .active = 2, .repeat = 3}, ".001122...."},
    {{.wait = 3, .active = 1, .skip_first_wait = 1}, "0...1...2...3"},
    {{.wait = 2, .warmup = 1, .active = 2, .skip_first_wait = 1}, ".00...11...22"},
    {{.wait = 2, .warmup = 1, .active = 1, .repeat = 2, .skip_first_wait = 1}, ".0...1......"},
    {{.skip_first = 2, .wait = 2, .active = 1, .skip_first_wait = 1}, "..0..1..2"},
};

/* One turn's work: a span of its own, so that what the gate lets through can be told from the
 * span that the schedule makes. */
static void work(size_t turn)
{
    OPL_SPAN ("work", OPL_CAT_OP) {
        OPL_INT("turn", (int64_t)turn);
    }
}

static playback record_plan(const plan *p)
{
    playback_record("schedule.opl");
    CHECK_EQ(opl_schedule_set(&p->schedule, NULL), OPL_OK);
    for (size_t turn = 0; p->turns[turn]; turn++) {
        work(turn);
        opl_schedule_step();
    }
    opl_schedule_set(NULL, NULL);
    return playback_stop();
}

static bool is_recorded(const playback *played_back, const char *name, const char *key, size_t turn, int64_t *cycle)
{
    for (size_t i = 0; i < playback_count(played_back, name); i++) {
        const played *e = playback_nth(played_back, name, i);
        if (playback_argument(e, key)->value != turn)
            continue;
        if (cycle)
            *cycle = (int64_t)playback_argument(e, "cycle")->value;
        return true;
    }
    return false;
}

static void check_turn(const playback *played_back, const plan *p, size_t turn)
{
    int64_t cycle = -1;
    bool expected = p->turns[turn] != '.';
    if (is_recorded(played_back, "work", "turn", turn, NULL) != expected ||
        is_recorded(played_back, "step", "step", turn, &cycle) != expected)
        fail_msg("plan %td, turn %zu is %srecorded", p - plans, turn, expected ? "not " : "");
    if (expected && cycle % 10 != p->turns[turn] - '0')
        fail_msg("plan %td, turn %zu is in cycle %lld", p - plans, turn, (long long)cycle);
}

TEST(schedule, records_the_turns_it_says_and_no_others)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        playback p = record_plan(&plans[i]);
        for (size_t turn = 0; plans[i].turns[turn]; turn++)
            check_turn(&p, &plans[i], turn);
        CHECK_EQ(p.recording.damage_count, 0);
        playback_close(&p);
        remove(test_path("schedule.opl"));
    }
}

/* The number of cycles that begin in the turns of a plan. */
static size_t count_cycles(const char *turns)
{
    size_t count = 0;
    for (size_t turn = 0; turns[turn]; turn++)
        count += turns[turn] != '.' && (turn == 0 || turns[turn - 1] != turns[turn]);
    return count;
}

TEST(schedule, numbers_its_cycles_and_keeps_all_of_them)
{
    for (size_t i = 1; i < sizeof plans / sizeof *plans; i++) {
        playback p = record_plan(&plans[i]);
        size_t cycles = playback_controls(&p, OPLI_CONTROL_CYCLE), expected = count_cycles(plans[i].turns);
        /* one more may begin at the step that ends the last turn */
        CHECK(cycles == expected || cycles == expected + 1);
        for (size_t cycle = 0; cycle < cycles; cycle++)
            CHECK_EQ(playback_control(&p, OPLI_CONTROL_CYCLE, cycle), cycle);
        playback_close(&p);
        remove(test_path("schedule.opl"));
    }
}

TEST(schedule, notes_when_it_rests_and_after_which_cycle)
{
    const plan p = {{.wait = 1, .active = 2}, ".00.11.22."};
    playback played_back = record_plan(&p);
    CHECK_EQ(playback_controls(&played_back, OPLI_CONTROL_REST), 3);
    for (size_t cycle = 0; cycle < 3; cycle++)
        CHECK_EQ(playback_control(&played_back, OPLI_CONTROL_REST, cycle), cycle);
    playback_close(&played_back);
    remove(test_path("schedule.opl"));
}

TEST(schedule, that_is_taken_away_records_everything_again)
{
    playback_record("away.opl");
    opl_schedule_set(&(opl_schedule){.skip_first = 1000, .active = 1}, NULL);
    work(1);
    opl_schedule_set(NULL, NULL);
    work(2);
    playback p = playback_stop();
    CHECK_EQ(playback_argument(playback_only(&p, "work"), "turn")->value, 2);
    playback_close(&p);
}

TEST(schedule, is_not_needed_to_number_turns)
{
    playback_record("unplanned.opl");
    for (size_t turn = 0; turn < 3; turn++)
        opl_schedule_step();
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "step"), 3);
    for (size_t i = 0; i < 3; i++) {
        CHECK_EQ(playback_argument(playback_nth(&p, "step", i), "step")->value, i + 1);
        CHECK(!playback_has(playback_nth(&p, "step", i), "cycle"));
    }
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_CYCLE), 0);
    opl_schedule_set(NULL, NULL);
    playback_close(&p);
}

TEST(schedule, without_active_turns_is_refused_with_a_sentence)
{
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opl_schedule_set(&(opl_schedule){.wait = 3}, &err), OPL_INVALID);
    CHECK_EQ(err.status, OPL_INVALID);
    CHECK(strstr(err.message, "active"));
    CHECK_EQ(opl_schedule_set(&(opl_schedule){0}, NULL), OPL_INVALID);
}

TEST(schedule, copes_with_the_largest_numbers_there_are)
{
    const opl_schedule largest = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1};
    playback_record("largest.opl");
    CHECK_EQ(opl_schedule_set(&largest, NULL), OPL_OK);
    for (int turn = 0; turn < 10; turn++)
        opl_schedule_step();
    CHECK_EQ(opl_live(), 0);
    opl_schedule_set(NULL, NULL);
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "step"), 0);
    playback_close(&p);
}
