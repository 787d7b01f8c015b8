/* process_test.c - starting, stopping, pausing and choosing: what record.h promises. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <oplens/record.h>

#include "playback.h"
#include "test.h"

static void mark(const char *name) { opl_instant(opl_site_find(name, OPL_CAT_OP, 1)); }

/* ---- what is refused ---- */

static void check_refused(opl_recorder_options options, opl_status status, const char *words)
{
    opl_error err = {OPL_OK, ""};
    errno = 77;
    CHECK_EQ(opl_recorder_start(&options, &err), status);
    CHECK_EQ(err.status, status);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    CHECK_EQ(errno, 77);
    CHECK_EQ(opl_live(), 0);
    CHECK_EQ(opl_recorder_start(&options, NULL), status); /* who does not care why, need not say so */
}

TEST(process, refuses_options_that_make_no_sense)
{
    check_refused((opl_recorder_options){0}, OPL_INVALID, "no path");
    check_refused((opl_recorder_options){.path = ""}, OPL_INVALID, "no path");
    check_refused((opl_recorder_options){.path = test_path("x.opl"), .level = 3}, OPL_INVALID, "level");
    check_refused((opl_recorder_options){.path = test_path("x.opl"), .level = -1}, OPL_INVALID, "level");
    check_refused((opl_recorder_options){.path = test_path("x.opl"), .limit_bytes = 1}, OPL_INVALID, "limit of 1 byte");
    check_refused((opl_recorder_options){.path = test_path("x.opl"), .ring_bytes = 1}, OPL_INVALID, "ring of 1 byte");
    check_refused((opl_recorder_options){.path = test_path("x.opl"), .categories = 0xff0000}, OPL_INVALID, "categor");
    CHECK_EQ(access(test_path("x.opl"), F_OK), -1);
}

TEST(process, refuses_to_start_without_options)
{
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opl_recorder_start(NULL, &err), OPL_INVALID);
    CHECK(strstr(err.message, "options"));
}

TEST(process, refuses_a_path_that_is_too_long_or_cannot_be_written)
{
    static char path[5000] = "/";
    memset(path + 1, 'x', sizeof path - 2);
    check_refused((opl_recorder_options){.path = path}, OPL_INVALID, "longer than");
    path[300] = '\0';
    check_refused((opl_recorder_options){.path = path}, OPL_IO, "File name too long");
    check_refused((opl_recorder_options){.path = test_path("no/such/dir/x.opl")}, OPL_IO, "No such file");
}

TEST(process, refuses_to_start_twice_and_goes_on_with_the_first)
{
    playback_record("once.opl");
    opl_error err = {OPL_OK, ""};
    mark("before");
    CHECK_EQ(opl_recorder_start(&(opl_recorder_options){.path = test_path("twice.opl")}, &err), OPL_STATE);
    CHECK(strstr(err.message, "already recording into") && strstr(err.message, "once.opl"));
    mark("after");
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 2);
    CHECK_EQ(access(test_path("twice.opl"), F_OK), -1);
    playback_close(&p);
}

TEST(process, does_nothing_when_stopped_twice_or_never_started)
{
    opl_recorder_stop();
    playback_record("stopped.opl");
    playback p = playback_stop();
    opl_recorder_stop();
    CHECK_EQ(p.recording.header.state, OPLI_FILE_CLOSED);
    playback_close(&p);
}

/* ---- the path ---- */

TEST(process, says_which_file_it_writes_or_wrote)
{
    char path[4096], cut[6];
    playback_record("named.opl");
    opl_recorder_path(path, sizeof path);
    CHECK_TEXT(path, test_path("named.opl"));
    opl_recorder_stop();
    opl_recorder_path(path, sizeof path);
    CHECK_TEXT(path, test_path("named.opl"));
    opl_recorder_path(cut, sizeof cut);
    CHECK_EQ(strlen(cut), 5);
    opl_recorder_path(NULL, 0);
}

TEST(process, goes_on_in_the_same_file_when_started_again)
{
    for (int session = 1; session <= 3; session++) {
        playback_record("sessions.opl");
        mark("mark");
        playback p = playback_stop();
        CHECK_EQ(p.events.count, session);
        CHECK_EQ(p.recording.header.sessions, session);
        CHECK_EQ(playback_controls(&p, OPLI_CONTROL_START), session);
        CHECK_EQ(playback_controls(&p, OPLI_CONTROL_STOP), session);
        CHECK_EQ(p.recording.damage_count, 0);
        CHECK_TEXT(p.recording.cut, "");
        playback_close(&p);
    }
}

TEST(process, keeps_the_first_file_when_it_comes_back_to_its_name)
{
    char path[4096];
    playback_record("a.opl");
    mark("first");
    opl_recorder_stop();
    playback_record("b.opl");
    opl_recorder_stop();
    playback_record("a.opl");
    mark("second");
    opl_recorder_path(path, sizeof path);
    opl_recorder_stop();
    playback first = playback_open(test_path("a.opl"));
    CHECK_EQ(playback_count(&first, "first"), 1);
    playback second = playback_open(path);
    CHECK_EQ(playback_count(&second, "second"), 1);
    playback_close(&first);
    playback_close(&second);
}

/* ---- clear ---- */

TEST(process, forgets_what_was_recorded_when_it_is_cleared)
{
    opl_error err;
    playback_record("clear.opl");
    for (int i = 0; i < 20000; i++)
        mark("forgotten");
    CHECK_EQ(opl_recorder_clear(&err), OPL_OK);
    mark("kept");
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 1);
    CHECK_EQ(playback_count(&p, "kept"), 1);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}

TEST(process, has_nothing_to_clear_when_it_does_not_record)
{
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opl_recorder_clear(&err), OPL_STATE);
    CHECK(strstr(err.message, "not recording"));
    CHECK_EQ(opl_recorder_clear(NULL), OPL_STATE);
}

/* ---- pause ---- */

TEST(process, records_nothing_while_paused_and_notes_the_stretch_once)
{
    playback_record("pause.opl");
    mark("before");
    for (int i = 0; i < 3; i++)
        opl_recorder_pause();
    mark("paused");
    for (int i = 0; i < 3; i++)
        opl_recorder_resume();
    mark("after");
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 2);
    CHECK_EQ(playback_count(&p, "paused"), 0);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_PAUSE), 1);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_RESUME), 1);
    playback_close(&p);
}

TEST(process, ends_spans_that_were_open_when_it_was_paused)
{
    playback_record("openpause.opl");
    OPL_SPAN ("long", OPL_CAT_OP) {
        opl_recorder_pause();
        OPL_INT("while paused", 5); /* the span is recorded, so its arguments are */
    }
    opl_recorder_resume();
    playback p = playback_stop();
    CHECK(!playback_only(&p, "long")->event.open);
    CHECK(playback_has(playback_only(&p, "long"), "while paused"));
    playback_close(&p);
}

TEST(process, may_be_paused_at_any_time)
{
    opl_recorder_pause();
    opl_recorder_resume();
    opl_recorder_pause();
    playback_record("paused.opl"); /* starting is wanting to record */
    mark("mark");
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 1);
    playback_close(&p);
}

/* ---- select ---- */

TEST(process, selects_level_and_categories_while_it_records)
{
    playback_record_with("select.opl", (opl_recorder_options){.level = 1});
    OPL_INSTANT("api off", OPL_CAT_API);
    opl_recorder_select(2, 0);
    OPL_INSTANT("api on", OPL_CAT_API);
    opl_recorder_select(0, OPL_CATEGORY_BIT(OPL_CAT_OP));
    OPL_INSTANT("api off again", OPL_CAT_API);
    OPL_INSTANT("op on", OPL_CAT_OP);
    uint32_t gates = opl_live();
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 2);
    CHECK_EQ(playback_count(&p, "api on"), 1);
    CHECK_EQ(playback_count(&p, "op on"), 1);
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_SELECT), 3); /* the first at the start */
    CHECK_EQ(playback_control(&p, OPLI_CONTROL_SELECT, 2), gates);
    playback_close(&p);
}

/* ---- threads ---- */

static void *name_and_mark(void *name)
{
    opl_thread_name(name);
    mark("mark");
    return NULL;
}

TEST(process, knows_the_threads_by_name_and_when_they_ended)
{
    pthread_t thread;
    playback_record("threads.opl");
    mark("main");
    pthread_create(&thread, NULL, name_and_mark, "loader");
    pthread_join(thread, NULL);
    playback p = playback_stop();
    const opli_thread_row *loader = opli_recording_thread(&p.recording, playback_only(&p, "mark")->event.thread);
    CHECK_EQ(p.recording.threads.count, 2);
    CHECK(loader->name.length == 6 && memcmp(loader->name.bytes, "loader", 6) == 0);
    CHECK(loader->end_tick > loader->start_tick);
    CHECK_EQ(opli_recording_thread(&p.recording, playback_only(&p, "main")->event.thread)->end_tick, 0);
    playback_close(&p);
}

TEST(process, cuts_long_thread_names_and_accepts_none)
{
    char before[16];
    pthread_getname_np(pthread_self(), before, sizeof before);
    playback_record("threadnames.opl");
    mark("mark");
    opl_thread_name(NULL);
    opl_thread_name("a name that is longer than the kernel's");
    playback p = playback_stop();
    const opli_thread_row *row = &p.recording.threads.items[0];
    CHECK_EQ(row->name.length, 15);
    assert_memory_equal(row->name.bytes, "a name that is ", 15);
    playback_close(&p);
    pthread_setname_np(pthread_self(), before);
}

static void *mark_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < 30000; i++)
        OPL_SPAN ("many", OPL_CAT_OP) {
        }
    return NULL;
}

static void check_loses_nothing(opl_recorder_options options)
{
    pthread_t threads[4];
    playback_record_with("many.opl", options);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, mark_many, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "many"), 4 * 30000);
    CHECK_EQ(p.recording.threads.count, 4);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    remove(test_path("many.opl"));
}

TEST(process, loses_nothing_with_and_without_a_writer_thread)
{
    check_loses_nothing((opl_recorder_options){.level = 2});
    check_loses_nothing((opl_recorder_options){.no_writer_thread = 1});
}

/* ---- bounds ---- */

static uint64_t dropped(const playback *p, enum opli_drop reason)
{
    uint64_t count = p->recording.header.dropped[reason];
    for (size_t i = 0; i < p->recording.threads.count; i++)
        count += p->recording.threads.items[i].dropped[reason];
    return count;
}

TEST(process, stops_at_its_limit_and_counts_every_event_it_dropped)
{
    playback_record_with("limit.opl", (opl_recorder_options){.limit_bytes = 1 << 20});
    for (int i = 0; i < 500000; i++)
        OPL_SPAN ("limited", OPL_CAT_OP) {
        }
    playback p = playback_stop();
    CHECK(p.recording.size <= 1 << 20);
    CHECK(dropped(&p, OPLI_DROP_LIMIT) > 0);
    CHECK_EQ(playback_count(&p, "limited") + dropped(&p, OPLI_DROP_LIMIT) + dropped(&p, OPLI_DROP_BUSY), 500000);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}

TEST(process, keeps_the_last_events_in_a_ring_and_counts_the_rest)
{
    playback_record_with("ring.opl", (opl_recorder_options){.ring_bytes = 1 << 20});
    for (int64_t i = 0; i < 500000; i++)
        OPL_SPAN ("turning", OPL_CAT_OP)
            OPL_INT("i", i);
    playback p = playback_stop();
    size_t kept = playback_count(&p, "turning");
    CHECK(kept > 1000 && kept < 500000);
    CHECK_EQ(kept + dropped(&p, OPLI_DROP_RING), 500000);
    CHECK_EQ(playback_argument(playback_nth(&p, "turning", kept - 1), "i")->value, 499999);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}

/* ---- the file ---- */

TEST(process, writes_who_it_is_into_the_file)
{
    playback_record("who.opl");
    playback p = playback_stop();
    const opli_wire_header *header = &p.recording.header;
    CHECK_EQ(header->pid, getpid());
    CHECK_EQ(header->ppid, getppid());
    CHECK(strstr(header->program, "process_test"));
    CHECK(strstr(header->command, "process_test"));
    CHECK(strncmp(header->recorder, "oplens ", 7) == 0);
    CHECK(header->start_real_ns > INT64_C(1600000000) * 1000000000);
    CHECK(p.recording.clocks.count >= 2);
    CHECK_EQ(header->state, OPLI_FILE_CLOSED);
    CHECK_EQ(header->tail, p.recording.size);
    playback_close(&p);
}

TEST(process, leaves_a_file_that_can_be_read_while_it_is_written)
{
    playback_record("alive.opl");
    mark("mark");
    OPL_SPAN ("open", OPL_CAT_OP) {
        playback p = playback_open(test_path("alive.opl"));
        CHECK_EQ(playback_count(&p, "mark"), 1);
        CHECK(playback_only(&p, "open")->event.open);
        CHECK(strstr(p.recording.cut, "is still recording"));
        CHECK_EQ(p.recording.damage_count, 0);
        playback_close(&p);
    }
    opl_recorder_stop();
}
