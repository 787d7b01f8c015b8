/* label_test.c - labelled records, and warm-ups that run without being recorded. */
#include <pthread.h>

#include "playback.h"
#include "test.h"

TEST(label, is_a_span_of_its_own_kind)
{
    playback_record("label.opl");
    OPL_RECORD ("load", OPL_RECORD_PLAIN)
        OPL_INSTANT("inside", OPL_CAT_OP);
    playback p = playback_stop();
    CHECK_TEXT(playback_only(&p, "load")->kind, "label");
    CHECK(!playback_only(&p, "load")->event.open);
    CHECK_EQ(playback_count(&p, "inside"), 1);
    playback_close(&p);
}

TEST(label, of_a_warm_up_runs_and_records_nothing_in_it)
{
    int ran = 0;
    playback_record("warmup.opl");
    OPL_RECORD ("warm up", OPL_WARM_UP) {
        ran++;
        OPL_INSTANT("hidden", OPL_CAT_OP);
        OPL_RECORD ("hidden label", OPL_RECORD_PLAIN)
            ran++;
    }
    OPL_INSTANT("shown", OPL_CAT_OP);
    playback p = playback_stop();
    CHECK_EQ(ran, 2);
    CHECK_EQ(p.events.count, 1);
    CHECK_EQ(playback_count(&p, "shown"), 1);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_MUTE), 1);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_UNMUTE), 1);
    playback_close(&p);
}

static void *record_instant(void *unused)
{
    (void)unused;
    OPL_INSTANT("elsewhere", OPL_CAT_OP);
    return NULL;
}

TEST(label, of_a_warm_up_mutes_every_thread)
{
    pthread_t thread;
    playback_record("threads.opl");
    OPL_RECORD ("warm up", OPL_WARM_UP) {
        pthread_create(&thread, NULL, record_instant, NULL);
        pthread_join(thread, NULL);
    }
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 0);
    playback_close(&p);
}

TEST(label, of_nested_warm_ups_is_over_when_the_outermost_is)
{
    playback_record("nestedwarm.opl");
    OPL_RECORD ("outer", OPL_WARM_UP) {
        OPL_RECORD ("inner", OPL_WARM_UP)
            OPL_INSTANT("no", OPL_CAT_OP);
        OPL_INSTANT("not yet", OPL_CAT_OP);
    }
    OPL_INSTANT("now", OPL_CAT_OP);
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 1);
    CHECK_EQ(playback_count(&p, "now"), 1);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_MUTE), 1);
    playback_close(&p);
}

static int leave_early(void)
{
    OPL_RECORD ("left early", OPL_WARM_UP)
        return 7;
    return 0;
}

TEST(label, ends_however_its_block_is_left)
{
    playback_record("early.opl");
    CHECK_EQ(leave_early(), 7);
    for (int i = 0; i < 3; i++)
        OPL_RECORD ("broken", OPL_RECORD_PLAIN) {
            if (i == 1)
                break;
        }
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "left early"), 0);
    CHECK_EQ(playback_count(&p, "broken"), 3);
    for (size_t i = 0; i < 3; i++)
        CHECK(!playback_nth(&p, "broken", i)->event.open);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_UNMUTE), 1);
    playback_close(&p);
}

TEST(label, that_is_open_when_a_warm_up_begins_still_ends)
{
    playback_record("open.opl");
    OPL_RECORD ("around", OPL_RECORD_PLAIN) {
        OPL_RECORD ("warm up", OPL_WARM_UP)
            OPL_INSTANT("hidden", OPL_CAT_OP);
    }
    playback p = playback_stop();
    CHECK(!playback_only(&p, "around")->event.open);
    CHECK_EQ(p.events.count, 1);
    playback_close(&p);
}

TEST(label, may_have_any_name_or_none)
{
    playback_record("names.opl");
    OPL_RECORD ("", OPL_RECORD_PLAIN) {
    }
    OPL_RECORD (NULL, OPL_RECORD_PLAIN) {
    }
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 2);
    playback_close(&p);
}
