/* declaration_test.c - devices, tracks, anchors and metadata, declared for good. */
#include <oplens/device.h>
#include <oplens/record.h>

#include <pthread.h>

#include "playback.h"
#include "test.h"

#define THREADS 8

/* ---- devices and tracks ---- */

TEST(declaration, of_the_same_device_twice_is_one_device)
{
    uint32_t npu = opl_device_declare("npu0", "npu", 1e9);
    CHECK(npu != OPL_DEVICE_HOST);
    CHECK_EQ(opl_device_declare("npu0", "npu", 1e9), npu);
    CHECK(opl_device_declare("npu1", "npu", 1e9) != npu);
    CHECK(opl_device_declare("npu0", "dsp", 1e9) != npu);
    CHECK(opl_device_declare("npu0", "npu", 2e9) != npu);
    CHECK(opl_device_declare("npu", "0npu", 1e9) != npu); /* the same letters */
}

TEST(declaration, of_the_same_track_twice_is_one_track)
{
    uint32_t npu = opl_device_declare("npu0", "npu", 1e9), other = opl_device_declare("npu1", "npu", 1e9);
    uint32_t pe = opl_track_declare(npu, "pe0", 0);
    CHECK(pe != 0);
    CHECK_EQ(opl_track_declare(npu, "pe0", 0), pe);
    CHECK(opl_track_declare(npu, "pe0", 1) != pe);
    CHECK(opl_track_declare(npu, "pe1", 0) != pe);
    CHECK(opl_track_declare(other, "pe0", 0) != pe);
}

static void *declare(void *meeting)
{
    pthread_barrier_wait(meeting);
    uint32_t device = 0;
    for (int i = 0; i < 50; i++) {
        char name[32];
        snprintf(name, sizeof name, "shared %d", i);
        device = device * 31 + opl_device_declare(name, "gpu", 0);
    }
    return (void *)(uintptr_t)device;
}

TEST(declaration, by_eight_threads_at_once_gives_one_id)
{
    pthread_barrier_t meeting;
    pthread_t threads[THREADS];
    void *answers[THREADS];
    pthread_barrier_init(&meeting, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, declare, &meeting);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], &answers[i]);
    for (size_t i = 1; i < THREADS; i++)
        CHECK(answers[i] == answers[0]);
    pthread_barrier_destroy(&meeting);
}

static bool is_text(opli_span_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

TEST(declaration, goes_into_every_trace_whenever_it_was_made)
{
    uint32_t before = opl_device_declare("before", "gpu", 5e8), during = 0;
    uint32_t track = opl_track_declare(before, "stream 7", 7);
    for (int round = 0; round < 2; round++) {
        playback_record(round ? "again.opl" : "declared.opl");
        during = opl_device_declare("during", "dsp", -1);
        playback p = playback_stop();
        const opli_device_row *first = opli_recording_device(&p.recording, before);
        const opli_device_row *second = opli_recording_device(&p.recording, during);
        const opli_track_row *row = opli_recording_track(&p.recording, track);
        CHECK(first && is_text(first->name, "before") && is_text(first->kind, "gpu") && first->clock_hz == 5e8);
        CHECK(second && is_text(second->name, "during") && is_text(second->kind, "dsp") && second->clock_hz == 0);
        CHECK(row && is_text(row->name, "stream 7") && row->index == 7 && row->device == before);
        playback_close(&p);
    }
}

TEST(declaration, accepts_missing_and_very_long_texts)
{
    char *text = malloc(70001);
    memset(text, 't', 70000);
    text[70000] = '\0';
    uint32_t nameless = opl_device_declare(NULL, NULL, 0), endless = opl_device_declare(text, text, 0);
    playback_record("texts.opl");
    playback p = playback_stop();
    CHECK_EQ(opli_recording_device(&p.recording, nameless)->name.length, 0);
    CHECK_EQ(opli_recording_device(&p.recording, endless)->name.length, 60000);
    CHECK_EQ(opli_recording_device(&p.recording, endless)->kind.length, 60000);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    free(text);
}

/* ---- anchors ---- */

TEST(declaration, of_anchors_before_and_while_recording_reaches_the_trace)
{
    uint32_t clocked = opl_device_declare("clocked", "npu", 1e6);
    opl_device_anchor(clocked, 100, 1000);
    playback_record("anchors.opl");
    opl_device_anchor(clocked, 300, 3000);
    opl_device_anchor(clocked, 200, 2000);
    playback p = playback_stop();
    size_t found = 0;
    for (size_t i = 0; i < p.recording.anchors.count; i++) {
        const opli_entry_anchor *anchor = &p.recording.anchors.items[i];
        if (anchor->device != clocked)
            continue;
        found++;
        CHECK_EQ(anchor->device_ticks, 100 * found); /* in the order of time */
        CHECK_EQ(anchor->host_ns, 1000 * found);
    }
    CHECK_EQ(found, 3);
    playback_close(&p);
}

/* ---- metadata ---- */

static bool metadata_is(const playback *p, const char *key, const char *value)
{
    size_t found = 0, right = 0;
    for (size_t i = 0; i < p->recording.metadata.count; i++) {
        found += is_text(p->recording.metadata.items[i].key, key);
        right +=
            is_text(p->recording.metadata.items[i].key, key) && is_text(p->recording.metadata.items[i].value, value);
    }
    return found == 1 && right == 1;
}

TEST(declaration, of_metadata_lets_the_last_value_win)
{
    opl_metadata_set("model", "resnet18");
    opl_metadata_set("batch", "8");
    opl_metadata_set("model", "resnet34");
    playback_record("metadata.opl");
    opl_metadata_set("batch", "16");
    playback p = playback_stop();
    CHECK(metadata_is(&p, "model", "resnet34"));
    CHECK(metadata_is(&p, "batch", "16"));
    playback_close(&p);
}

TEST(declaration, of_metadata_can_go_back_to_an_earlier_value)
{
    opl_metadata_set("mode", "train");
    opl_metadata_set("mode", "evaluate");
    opl_metadata_set("mode", "train");
    playback_record("back.opl");
    playback p = playback_stop();
    CHECK(metadata_is(&p, "mode", "train"));
    playback_close(&p);

    playback_record("back-again.opl");
    opl_metadata_set("mode", "evaluate");
    opl_metadata_set("mode", "train");
    opl_metadata_set("mode", "train");
    p = playback_stop();
    CHECK(metadata_is(&p, "mode", "train"));
    playback_close(&p);
}

TEST(declaration, of_metadata_keeps_empty_and_strange_texts)
{
    opl_metadata_set("", "nameless");
    opl_metadata_set("empty", "");
    opl_metadata_set("nothing", NULL);
    opl_metadata_set("bytes \xff", "\x01\n");
    playback_record("strange.opl");
    playback p = playback_stop();
    CHECK(metadata_is(&p, "", "nameless"));
    CHECK(metadata_is(&p, "empty", ""));
    CHECK(metadata_is(&p, "nothing", ""));
    CHECK(metadata_is(&p, "bytes \xff", "\x01\n"));
    playback_close(&p);
}
