/* events_test.c - events and what belongs to them, from chunks laid out by hand. */
#include "import/events.h"

#include "forge.h"
#include "playback.h"
#include "test.h"

#define FIRST (UINT64_C(1) << 56 | UINT64_C(1) << 36 | 1)
#define SECOND (FIRST + 1)

enum { SPAN = 2, KEY, OTHER };

static forge new_file(void)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 1);
    forge_clock(&f, 0, 0, 0);
    forge_clock(&f, 2000000, 1000000, 1000000); /* two ticks a nanosecond */
    forge_thread(&f, 1, 100, "main");
    forge_thread(&f, 2, 200, "other");
    forge_site(&f, SPAN, OPL_CAT_OP, "span");
    forge_site(&f, KEY, OPL_SITE_KEY, "key");
    forge_site(&f, OTHER, OPL_CAT_OP, "other");
    return f;
}

static playback read_file(forge *f)
{
    forge_seal(f);
    return playback_open_bytes(f->bytes, f->size);
}

static void done(playback *p, forge *f)
{
    playback_close(p);
    forge_free(f);
}

TEST(events, are_handed_out_thread_by_thread_in_the_order_of_their_chunks)
{
    forge f = new_file();
    const uint64_t other = UINT64_C(1) << 56 | UINT64_C(2) << 36 | 1;
    tray trays[] = {tray_new(SECOND, 1, 100), tray_new(other, 2, 0), tray_new(FIRST, 1, 0)};
    for (size_t i = 0; i < 3; i++) {
        tray_span(&trays[i], SPAN, 200 + i, 20);
        forge_chunk(&f, &trays[i]);
        tray_free(&trays[i]);
    }
    playback p = read_file(&f);
    CHECK_EQ(p.events.count, 3);
    CHECK_EQ(p.events.items[0].event.chunk, FIRST);
    CHECK_EQ(p.events.items[1].event.chunk, SECOND);
    CHECK_EQ(p.events.items[2].event.chunk, other);
    CHECK_EQ(p.recording.damage_count, 0);
    done(&p, &f);
}

TEST(events, have_times_in_nanoseconds)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    tray_span(&t, SPAN, 200, 50);
    tray_tagged(&t, OPLI_TAG_INSTANT, SPAN, 0, 300);
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(p.events.items[0].event.start_ns, 100);
    CHECK_EQ(p.events.items[0].event.duration_ns, 25);
    CHECK_EQ(p.events.items[1].event.start_ns, 150);
    tray_free(&t);
    done(&p, &f);
}

TEST(events, end_late_where_a_later_chunk_says_so_and_only_once)
{
    forge f = new_file();
    tray first = tray_new(FIRST, 1, 0), second = tray_new(SECOND, 1, 0);
    tray_span(&first, SPAN, 200, TRAY_OPEN);
    tray_span(&first, OTHER, 200, 10);
    for (uint32_t index = 0; index < 2; index++) {
        uint32_t at = tray_tagged(&second, OPLI_TAG_LATE_END, 0, 0, FIRST);
        tray_at(&second, at)[2] = index;
        tray_at(&second, at)[3] = 1000;
    }
    forge_chunk(&f, &first);
    forge_chunk(&f, &second);
    playback p = read_file(&f);
    CHECK_EQ(playback_only(&p, "span")->event.duration_ns, 400);
    CHECK(!playback_only(&p, "span")->event.open);
    CHECK_EQ(playback_only(&p, "other")->event.duration_ns, 5); /* it had ended before */
    tray_free(&first), tray_free(&second);
    done(&p, &f);
}

TEST(events, get_no_negative_length_from_a_late_end)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    tray_span(&t, SPAN, 2000, TRAY_OPEN);
    uint32_t at = tray_tagged(&t, OPLI_TAG_LATE_END, 0, 0, FIRST);
    tray_at(&t, at)[3] = 1000;
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(playback_only(&p, "span")->event.duration_ns, 0);
    tray_free(&t);
    done(&p, &f);
}

static void add_far(tray *t, uint64_t chunk, uint64_t index)
{
    uint32_t at = tray_tagged(t, OPLI_TAG_FAR, 0, 0, chunk);
    tray_at(t, at)[2] = index;
}

TEST(events, get_far_arguments_with_their_texts)
{
    forge f = new_file();
    tray first = tray_new(FIRST, 1, 0), second = tray_new(SECOND, 1, 0);
    tray_span(&first, SPAN, 200, 10);
    tray_tagged(&first, OPLI_TAG_ARG_INT, KEY, 1, 5);
    uint32_t text = tray_bytes(&second, "from afar", 9, 0);
    add_far(&second, FIRST, 0);
    tray_tagged(&second, OPLI_TAG_ARG_TEXT, KEY, OPLI_BACK_MASK, text);
    add_far(&second, FIRST, 0);
    tray_tagged(&second, OPLI_TAG_ARG_INT, KEY, OPLI_BACK_MASK, 6);
    forge_chunk(&f, &first);
    forge_chunk(&f, &second);
    playback p = read_file(&f);
    const opli_event *e = &playback_only(&p, "span")->event;
    CHECK_EQ(e->argument_count, 3);
    CHECK_EQ(e->arguments[0].value, 5);
    CHECK_EQ(e->arguments[1].size, 9);
    assert_memory_equal(e->arguments[1].bytes, "from afar", 9);
    CHECK_EQ(e->arguments[2].value, 6);
    tray_free(&first), tray_free(&second);
    done(&p, &f);
}

TEST(events, pass_over_what_belongs_to_a_span_that_was_dropped)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    static const uint64_t nowhere[][2] = {{FIRST, 4091}, {FIRST, 5000}, {FIRST, UINT64_MAX}, {0, 0}, {UINT64_MAX, 0}};
    tray_hole(&t, 1);
    tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, 1, 5);  /* of a hole */
    tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, 0, 5);  /* of nothing */
    tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, 99, 5); /* of something before the chunk */
    for (size_t i = 0; i < 5; i++) {
        add_far(&t, nowhere[i][0], nowhere[i][1]);
        tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, OPLI_BACK_MASK, 6);
        uint32_t at = tray_tagged(&t, OPLI_TAG_LATE_END, 0, 0, nowhere[i][0]);
        tray_at(&t, at)[2] = nowhere[i][1];
    }
    tray_span(&t, SPAN, 300, 10);
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(p.events.count, 1);
    CHECK_EQ(p.events.items[0].event.argument_count, 0);
    CHECK_EQ(p.recording.damage_count, 0);
    tray_free(&t);
    done(&p, &f);
}

TEST(events, note_an_argument_that_points_to_no_text)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    tray_span(&t, SPAN, 200, 10);
    tray_tagged(&t, OPLI_TAG_ARG_TEXT, KEY, 1, 0); /* to a span */
    tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, 2, 7);
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(playback_only(&p, "span")->event.argument_count, 1);
    CHECK_EQ(p.recording.damage_count, 1);
    CHECK(strstr(p.recording.damage, "points to no text"));
    tray_free(&t);
    done(&p, &f);
}

TEST(events, keep_their_order_when_arguments_come_in_any_order)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    for (uint32_t i = 0; i < 20; i++)
        tray_span(&t, SPAN, 200 + i, 10);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t owner = (i * 7) % 20;
            tray_tagged(&t, OPLI_TAG_ARG_INT, KEY, tray_count(&t) - owner, owner * 10 + round);
        }
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(p.events.count, 20);
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_EQ(p.events.items[i].event.argument_count, 3);
        for (uint32_t a = 0; a < 3; a++)
            CHECK_EQ(p.events.items[i].event.arguments[a].value, i * 10 + a);
    }
    tray_free(&t);
    done(&p, &f);
}

static bool stop_at_third(void *count, const opli_event *event)
{
    (void)event;
    return ++*(int *)count < 3;
}

TEST(events, stop_when_the_visitor_has_seen_enough)
{
    forge f = new_file();
    tray t = tray_new(FIRST, 1, 0);
    int seen = 0;
    for (uint32_t i = 0; i < 20; i++)
        tray_span(&t, SPAN, 200 + i, 10);
    forge_chunk(&f, &t);
    playback p = read_file(&f);
    CHECK_EQ(opli_events_visit(&p.recording, stop_at_third, &seen), OPL_OK);
    CHECK_EQ(seen, 3);
    tray_free(&t);
    done(&p, &f);
}

/* Reading changes nothing: the same question asked twice gives the same answer. */
TEST(events, are_the_same_when_they_are_read_again)
{
    playback_record("again.opl");
    for (int i = 0; i < 6000; i++)
        OPL_SPAN ("s", OPL_CAT_OP) {
            OPL_INT("i", i);
            OPL_TEXT("t", "text");
        }
    opl_recorder_stop();
    playback first = playback_open(test_path("again.opl")), second = playback_open(test_path("again.opl"));
    CHECK_EQ(first.events.count, second.events.count);
    for (size_t i = 0; i < first.events.count; i++)
        CHECK_TEXT(first.events.items[i].json, second.events.items[i].json);
    playback_close(&first);
    playback_close(&second);
}
