/* gate_test.c - what is recorded right now, for every way of saying so. */
#include "record/gate.h"

#include <pthread.h>

#include <oplens/annotate.h>

#include "test.h"

#define ALL 0xffffu
#define SWITCHES 20000

/* The gates by the words of annotate.h: a category's own level first, then detail of any category. */
static uint32_t expected_gates(int level, uint32_t categories)
{
    uint32_t gates = 0;
#define GATE(id, word, needs)                        \
    if (categories & OPL_CATEGORY_BIT(OPL_CAT_##id)) \
        gates |= (level >= (needs) ? OPL_GATE(OPL_CAT_##id, 1) : 0u) | (level >= 2 ? OPL_GATE(OPL_CAT_##id, 2) : 0u);
    OPL_CATEGORY_LIST(GATE)
#undef GATE
    return gates;
}

/* Everything shut and forgotten, whatever a test left. */
static void reset(void)
{
    opli_gate_stop();
    opli_gate_pause(false);
    opli_gate_rest(false);
}

TEST(gate, is_shut_before_a_recording_and_after_it)
{
    reset();
    CHECK_EQ(opl_live(), 0);
    opli_gate_start(2, 0);
    CHECK_EQ(opl_live(), 0xffffffff);
    opli_gate_stop();
    CHECK_EQ(opl_live(), 0);
}

static void check_all_switches(int level, uint32_t categories)
{
    for (unsigned switches = 0; switches < 8; switches++) {
        int mutes = switches & 4 ? 2 : 0;
        opli_gate_start(level, categories);
        opli_gate_pause(switches & 1);
        opli_gate_rest(switches & 2);
        for (int i = 0; i < mutes; i++)
            opli_gate_mute(+1);
        CHECK_EQ(opl_live(), switches ? 0 : expected_gates(level, categories));
        for (int i = 0; i < mutes; i++) {
            CHECK_EQ(opl_live(), 0);
            opli_gate_mute(-1);
        }
        CHECK_EQ(opl_live(), switches & 3 ? 0 : expected_gates(level, categories));
        reset();
    }
}

TEST(gate, follows_level_categories_pause_rest_and_mutes_in_every_combination)
{
    for (int level = 1; level <= 2; level++) {
        for (unsigned category = 0; category < OPL_CAT_COUNT; category++) {
            check_all_switches(level, OPL_CATEGORY_BIT(category));
            check_all_switches(level, ALL & ~OPL_CATEGORY_BIT(category));
        }
        check_all_switches(level, ALL);
    }
}

TEST(gate, takes_zero_for_level_1_and_all_categories)
{
    opli_gate_start(0, 0);
    CHECK_EQ(opl_live(), expected_gates(1, ALL));
    reset();
}

TEST(gate, leaves_out_at_level_1_what_needs_level_2)
{
    opli_gate_start(1, 0);
    CHECK(opl_live() & OPL_GATE(OPL_CAT_OP, 1));
    CHECK(!(opl_live() & OPL_GATE(OPL_CAT_OP, 2)));
    CHECK(!(opl_live() & OPL_GATE(OPL_CAT_API, 1)));
    CHECK(!(opl_live() & OPL_GATE(OPL_CAT_VM, 1)));
    opli_gate_select(2, 0);
    CHECK(opl_live() & OPL_GATE(OPL_CAT_OP, 2));
    CHECK(opl_live() & OPL_GATE(OPL_CAT_API, 1));
    reset();
}

TEST(gate, selects_level_and_categories_each_for_itself)
{
    opli_gate_start(1, ALL);
    CHECK(opli_gate_select(0, OPL_CATEGORY_BIT(OPL_CAT_OP)));
    CHECK_EQ(opl_live(), expected_gates(1, OPL_CATEGORY_BIT(OPL_CAT_OP)));
    CHECK(opli_gate_select(2, 0));
    CHECK_EQ(opl_live(), expected_gates(2, OPL_CATEGORY_BIT(OPL_CAT_OP)));
    CHECK(!opli_gate_select(0, 0));
    CHECK(!opli_gate_select(2, OPL_CATEGORY_BIT(OPL_CAT_OP)));
    CHECK(opli_gate_select(1, ALL));
    CHECK_EQ(opl_live(), expected_gates(1, ALL));
    reset();
}

TEST(gate, says_whether_a_call_changed_anything)
{
    reset();
    CHECK(opli_gate_pause(true));
    CHECK(!opli_gate_pause(true));
    CHECK(opli_gate_pause(false));
    CHECK(!opli_gate_pause(false));
    CHECK(opli_gate_rest(true));
    CHECK(!opli_gate_rest(true));
    CHECK(opli_gate_rest(false));
}

TEST(gate, says_when_the_first_mute_begins_and_the_last_one_ends)
{
    CHECK(opli_gate_mute(+1));
    CHECK(!opli_gate_mute(+1));
    CHECK(!opli_gate_mute(+1));
    CHECK(!opli_gate_mute(-1));
    CHECK(!opli_gate_mute(-1));
    CHECK(opli_gate_mute(-1));
}

TEST(gate, forgets_a_pause_when_a_recording_starts_and_keeps_mutes_and_rests)
{
    opli_gate_pause(true);
    opli_gate_start(1, 0);
    CHECK_EQ(opl_live(), expected_gates(1, ALL));
    opli_gate_mute(+1);
    opli_gate_rest(true);
    opli_gate_start(1, 0);
    CHECK_EQ(opl_live(), 0);
    opli_gate_mute(-1);
    CHECK_EQ(opl_live(), 0);
    opli_gate_rest(false);
    CHECK_EQ(opl_live(), expected_gates(1, ALL));
    reset();
}

/* ---- races ---- */

static void *switch_pause(void *meeting)
{
    for (int i = 0; i < SWITCHES; i++) {
        opli_gate_pause(true);
        opli_gate_pause(false);
        if (i % 100 == 0)
            pthread_barrier_wait(meeting);
    }
    return NULL;
}

static void *switch_mute_and_level(void *meeting)
{
    for (int i = 0; i < SWITCHES; i++) {
        opli_gate_mute(+1);
        opli_gate_select(1 + i % 2, 0);
        opli_gate_mute(-1);
        if (i % 100 == 0)
            pthread_barrier_wait(meeting);
    }
    return NULL;
}

TEST(gate, ends_up_right_when_two_threads_switch_at_once)
{
    for (int round = 0; round < 5; round++) {
        pthread_barrier_t meeting;
        pthread_t threads[2];
        pthread_barrier_init(&meeting, NULL, 2);
        opli_gate_start(1, 0);
        pthread_create(&threads[0], NULL, switch_pause, &meeting);
        pthread_create(&threads[1], NULL, switch_mute_and_level, &meeting);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        CHECK_EQ(opl_live(), expected_gates(2, ALL));
        pthread_barrier_destroy(&meeting);
    }
    reset();
}
