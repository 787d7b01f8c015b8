/* contents_test.c - how many of what there are in a recording. */
#include "analysis/contents.h"

#include "forge.h"
#include "playback.h"
#include "test.h"

#define CHUNK(thread) (UINT64_C(1) << 56 | (uint64_t)(thread) << 36 | 1)

enum { OP = 2, KERNEL, COUNT, ARG };

/* Two threads and a device track: spans of two kinds, one open, and one of everything else. */
static forge new_file(void)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 1);
    opli_entry_thread thread = {
        .ordinal = 1, .tid = 100, .end_tick = 9, .name = "main", .dropped = {[OPLI_DROP_RING] = 3}};
    forge_entry(&f, OPLI_ENTRY_THREAD, &thread, sizeof thread, NULL, 0);
    forge_thread(&f, 2, 200, "worker");
    forge_device(&f, 1, "gpu0", "gpu", 0);
    forge_track(&f, 1, 1, "stream");
    forge_site(&f, OP, OPL_CAT_OP, "op");
    forge_site(&f, KERNEL, OPL_CAT_KERNEL, "kernel");
    forge_site(&f, COUNT, OPL_CAT_COUNTER, "count");
    forge_site(&f, ARG, OPL_SITE_KEY, "arg");
    forge_metadata(&f, "model", "resnet");
    forge_control(&f, 1000, OPLI_CONTROL_START, 0);
    forge_control(&f, 5000, OPLI_CONTROL_PAUSE, 0);
    forge_header_get(&f)->dropped[OPLI_DROP_ROOM] = 4;
    return f;
}

static void add_events(forge *f)
{
    tray one = tray_new(CHUNK(1), 1, 1000), two = tray_new(CHUNK(2), 2, 1000);
    tray_span(&one, OP, 1000, 500);
    tray_tagged(&one, OPLI_TAG_ARG_INT, ARG, 1, 5);
    tray_span(&one, OP, 2000, TRAY_OPEN);
    tray_tagged(&one, OPLI_TAG_INSTANT, OP, 0, 2500);
    tray_tagged(&one, OPLI_TAG_MEMORY, 0, 0, 2600);
    uint32_t flow = tray_tagged(&one, OPLI_TAG_FLOW, 0, 3, 7);
    tray_at(&one, flow)[2] = 2700;
    tray_span(&two, OP, 1500, 100);
    uint32_t timed = tray_tagged(&two, OPLI_TAG_TIMED, KERNEL, 0, 900);
    tray_at(&two, timed)[2] = 50000;
    tray_at(&two, timed)[3] = 1;
    tray_tagged(&two, OPLI_TAG_COUNTER, COUNT, 0, 3000);
    forge_chunk(f, &one);
    forge_chunk(f, &two);
    tray_free(&one), tray_free(&two);
}

static opli_contents read_contents(forge *f, opli_recording *recording)
{
    opli_contents contents;
    forge_seal(f);
    CHECK_EQ(opli_recording_open_bytes(recording, f->bytes, f->size, "f", NULL), OPL_OK);
    CHECK_EQ(opli_contents_read(recording, &contents), OPL_OK);
    return contents;
}

static void done(opli_contents *contents, opli_recording *recording, forge *f)
{
    opli_contents_free(contents);
    opli_recording_close(recording);
    forge_free(f);
}

static void check_table(const opli_table *table, const char *expected)
{
    opli_text json = {0};
    opli_table_print_json(table, &json);
    CHECK_TEXT(json.bytes, expected);
    opli_text_free(&json);
}

TEST(contents, count_every_kind_of_event)
{
    forge f = new_file();
    add_events(&f);
    opli_recording recording;
    opli_contents contents = read_contents(&f, &recording);
    CHECK_EQ(contents.total.spans, 4);
    CHECK_EQ(contents.total.open_spans, 1);
    CHECK_EQ(contents.total.instants, 1);
    CHECK_EQ(contents.total.counters, 1);
    CHECK_EQ(contents.total.memory_events, 1);
    CHECK_EQ(contents.total.flows, 1);
    CHECK_EQ(contents.total.arguments, 1);
    CHECK_EQ(contents.first_ns, 900);
    CHECK_EQ(contents.last_ns, 50900);
    done(&contents, &recording, &f);
}

TEST(contents, count_what_was_dropped_by_threads_and_by_those_that_had_no_stream)
{
    forge f = new_file();
    opli_recording recording;
    opli_contents contents = read_contents(&f, &recording);
    CHECK_EQ(contents.dropped[OPLI_DROP_RING], 3);
    CHECK_EQ(contents.dropped[OPLI_DROP_ROOM], 4);
    CHECK_EQ(contents.dropped_total, 7);
    done(&contents, &recording, &f);
}

TEST(contents, make_a_table_of_each_noun)
{
    forge f = new_file();
    add_events(&f);
    opli_recording recording;
    opli_contents contents = read_contents(&f, &recording);
    check_table(&contents.kinds, "[{\"kind\": \"op\", \"spans\": 3, \"total_ns\": 600}, "
                                 "{\"kind\": \"kernel\", \"spans\": 1, \"total_ns\": 50000}]");
    check_table(&contents.threads, "[{\"tid\": 100, \"name\": \"main\", \"spans\": 2, \"open_spans\": 1, "
                                   "\"other_events\": 3, \"dropped\": 3, \"state\": \"ended\"}, "
                                   "{\"tid\": 200, \"name\": \"worker\", \"spans\": 1, \"open_spans\": 0, "
                                   "\"other_events\": 1, \"dropped\": 0, \"state\": \"alive\"}]");
    check_table(&contents.devices, "[{\"device\": \"gpu0\", \"kind\": \"gpu\", \"clock_hz\": null, "
                                   "\"track\": \"stream\", \"spans\": 1, \"other_events\": 0}]");
    check_table(&contents.metadata, "[{\"key\": \"model\", \"value\": \"resnet\"}]");
    check_table(&contents.controls, "[{\"at_ns\": 0, \"what\": \"start\", \"value\": 0}, "
                                    "{\"at_ns\": 4000, \"what\": \"pause\", \"value\": 0}]");
    done(&contents, &recording, &f);
}

TEST(contents, of_an_empty_recording_are_empty)
{
    forge f = {0};
    opli_recording recording;
    forge_header(&f, OPLI_FILE_CLOSED);
    opli_contents contents = read_contents(&f, &recording);
    CHECK_EQ(contents.total.spans, 0);
    CHECK(contents.first_ns == 0 && contents.last_ns == 0);
    check_table(&contents.kinds, "[]");
    check_table(&contents.threads, "[]");
    done(&contents, &recording, &f);
}

TEST(contents, are_freed_from_zero_and_twice)
{
    opli_contents contents = {0};
    opli_contents_free(&contents);
    opli_contents_free(&contents);
}

TEST(contents, add_up_the_longest_spans_there_are)
{
    forge f = new_file();
    tray t = tray_new(CHUNK(2), 2, 1000);
    for (int i = 0; i < 3; i++) {
        uint32_t timed = tray_tagged(&t, OPLI_TAG_TIMED, KERNEL, 0, (uint64_t)INT64_MAX - 5);
        tray_at(&t, timed)[2] = i == 2 ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX;
        tray_at(&t, timed)[3] = 1;
    }
    forge_chunk(&f, &t);
    tray_free(&t);
    opli_recording recording;
    opli_contents contents = read_contents(&f, &recording);
    CHECK_EQ(contents.total.spans, 3);
    done(&contents, &recording, &f);
}
