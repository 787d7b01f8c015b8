/* chrome_json_test.c - Chrome trace JSON: valid, exact, and with no span that a viewer would drop. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>

#include "base/json_check.h"
#include "export/exporter.h"
#include "import/importer.h"
#include "test.h"
#include "trace/builder.h"

typedef struct written {
    char *bytes;
    size_t length;
} written;

static written write_as(const opli_trace *trace, const opli_export_options *options)
{
    written w = {NULL, 0};
    opl_error err = {OPL_OK, ""};
    FILE *file = open_memstream(&w.bytes, &w.length);
    CHECK_EQ(opli_exporter_chrome.write(trace, options, file, &err), OPL_OK);
    CHECK_EQ(fclose(file), 0);
    CHECK(opli_json_is_valid(w.bytes, w.length));
    return w;
}

static written write_trace(const opli_trace *trace) { return write_as(trace, &(opli_export_options){0}); }

static void check_holds(const written *w, const char *piece)
{
    if (!strstr(w->bytes, piece))
        print_message("# %s\n", w->bytes);
    CHECK(strstr(w->bytes, piece) != NULL);
}

static void add_span(opli_builder *b, uint32_t track, const char *name, int64_t start_ns, int64_t duration_ns)
{
    opli_span_draft draft = {.start_ns = start_ns,
                             .duration_ns = duration_ns,
                             .name = opli_builder_word(b, name),
                             .track = track,
                             .kind = OPL_CAT_OP};
    opli_builder_span(b, &draft);
}

static uint32_t begin(opli_builder *b, opli_trace *trace)
{
    opli_builder_init(b, trace);
    return opli_builder_track(b, OPLI_TRACK_THREAD, opli_builder_process(b, 10), OPLI_NO_ROW, 11);
}

static written finish(opli_builder *b, opli_trace *trace)
{
    CHECK_EQ(opli_builder_finish(b), OPL_OK);
    written w = write_trace(trace);
    opli_trace_free(trace);
    return w;
}

TEST(chrome_json, of_an_empty_trace_is_valid)
{
    opli_trace trace = {.base_real_ns = 0};
    written w = write_trace(&trace);
    check_holds(&w, "\"traceEvents\": [\n]}");
    free(w.bytes);
}

TEST(chrome_json, keeps_every_nanosecond)
{
    opli_builder b;
    opli_trace trace;
    uint32_t track = begin(&b, &trace);
    add_span(&b, track, "late", 9007199254740993, 1);
    add_span(&b, track, "early", -1500, 999);
    written w = finish(&b, &trace);
    check_holds(&w, "\"ts\": 9007199254740.993, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"late\"");
    check_holds(&w, "\"ts\": -1.500, \"dur\": 0.999, \"cat\": \"op\", \"name\": \"early\"");
    free(w.bytes);
}

TEST(chrome_json, escapes_every_control_character_and_keeps_utf8)
{
    opli_builder b;
    opli_trace trace;
    char name[64];
    size_t length = 0;
    uint32_t track = begin(&b, &trace);
    for (char c = 0; c < 32; c++)
        name[length++] = c;
    memcpy(name + length, "\x7f\"\\/\xc3\xa4\xf0\x9f\x94\xa5\xff", 11);
    length += 11;
    opli_span_draft draft = {.name = opli_builder_text(&b, name, length), .track = track};
    opli_builder_span(&b, &draft);
    written w = finish(&b, &trace);
    check_holds(&w, "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                    "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d"
                    "\\u001e\\u001f"
                    "\\u007f\\\"\\\\/\xc3\xa4\xf0\x9f\x94\xa5\xef\xbf\xbd\"");
    free(w.bytes);
}

TEST(chrome_json, writes_arguments_of_every_type)
{
    opli_builder b;
    opli_trace trace;
    uint32_t track = begin(&b, &trace);
    opli_builder_arg(&b, opli_builder_word(&b, "int"), OPLI_ARG_INT, (uint64_t)INT64_MIN);
    opli_builder_arg_real(&b, opli_builder_word(&b, "real"), 0.5);
    opli_builder_arg_real(&b, opli_builder_word(&b, "nan"), NAN);
    opli_builder_arg_real(&b, opli_builder_word(&b, "inf"), -INFINITY);
    opli_builder_arg(&b, opli_builder_word(&b, "bool"), OPLI_ARG_BOOL, 1);
    opli_builder_arg(&b, opli_builder_word(&b, "te\"xt"), OPLI_ARG_TEXT, opli_builder_word(&b, "a\nb"));
    opli_builder_arg(&b, opli_builder_word(&b, "json"), OPLI_ARG_JSON, opli_builder_word(&b, "[[1, 2], []]"));
    opli_builder_arg(&b, opli_builder_word(&b, "broken"), OPLI_ARG_JSON, opli_builder_word(&b, "[1, NaN"));
    add_span(&b, track, "x", 0, 1);
    written w = finish(&b, &trace);
    check_holds(&w,
                "\"args\": {\"int\": -9223372036854775808, \"real\": 0.5, \"nan\": \"NaN\", \"inf\": \"-Infinity\", "
                "\"bool\": true, \"te\\\"xt\": \"a\\nb\", \"json\": [[1, 2], []], \"broken\": \"[1, NaN\"}");
    free(w.bytes);
}

TEST(chrome_json, writes_instants_counters_flows_and_memory)
{
    opli_builder b;
    opli_trace trace;
    uint32_t track = begin(&b, &trace), gpu = opli_builder_device(&b, "gpu", 3);
    uint32_t name = opli_builder_word(&b, "n"), one = opli_builder_word(&b, "one"), two = opli_builder_word(&b, "two");
    opli_builder_instant(&b, (opli_instant_row){.time_ns = 1, .track = track, .name = name, .kind = OPL_CAT_LABEL});
    opli_builder_counter(&b, (opli_counter_row){.time_ns = 2, .value = 1.5, .name = name, .series = one});
    opli_builder_counter(&b, (opli_counter_row){.time_ns = 2, .value = 2, .name = name, .series = two});
    opli_builder_counter(&b, (opli_counter_row){.time_ns = 3, .value = 4, .name = name});
    opli_builder_memory(&b, (opli_memory_row){.time_ns = 4,
                                              .size_bytes = -8,
                                              .address = 255,
                                              .used_bytes = 16,
                                              .allocated_bytes = -1,
                                              .track = track,
                                              .device = gpu});
    opli_builder_flow(&b, (opli_flow_row){.time_ns = 5, .id = 7, .track = track, .phase = OPLI_FLOW_START});
    opli_builder_flow(&b, (opli_flow_row){.time_ns = 6, .id = UINT64_MAX, .track = track, .phase = OPLI_FLOW_FINISH});
    written w = finish(&b, &trace);
    check_holds(
        &w,
        "{\"ph\": \"i\", \"pid\": 10, \"tid\": 11, \"ts\": 0.001, \"s\": \"t\", \"cat\": \"label\", \"name\": \"n\"}");
    check_holds(&w, "\"ts\": 0.002, \"name\": \"n\", \"args\": {\"one\": 1.5, \"two\": 2}}");
    check_holds(&w, "\"ts\": 0.003, \"name\": \"n\", \"args\": {\"value\": 4}}");
    check_holds(
        &w, "\"name\": \"[memory]\", \"args\": {\"Device Type\": 1, \"Device Id\": 3, \"Addr\": 255, \"Bytes\": -8, "
            "\"Total Allocated\": 16}}");
    check_holds(&w, "\"name\": \"memory of GPU 3\", \"args\": {\"used\": 16}}");
    check_holds(
        &w,
        "{\"ph\": \"s\", \"pid\": 10, \"tid\": 11, \"ts\": 0.005, \"id\": 7, \"cat\": \"flow\", \"name\": \"flow\"}");
    check_holds(&w, "\"ts\": 0.006, \"id\": \"0xffffffffffffffff\", \"bp\": \"e\"");
    free(w.bytes);
}

TEST(chrome_json, gives_every_track_a_pid_and_tid_that_viewers_can_hold)
{
    opli_builder b;
    opli_trace trace;
    uint32_t track = begin(&b, &trace), gpu = opli_builder_device(&b, "gpu", 10);
    add_span(&b, track, "host", 0, 1);
    add_span(&b, opli_builder_track(&b, OPLI_TRACK_QUEUE, 0, gpu, 7), "kernel", 0, 1);
    add_span(&b, opli_builder_track(&b, OPLI_TRACK_ASYNC, 0, OPLI_NO_ROW, 11), "async", 0, 1);
    add_span(&b, opli_builder_track(&b, OPLI_TRACK_THREAD, 0, OPLI_NO_ROW, 139872345678912), "large", 0, 1);
    add_span(&b, opli_builder_track(&b, OPLI_TRACK_THREAD, 0, OPLI_NO_ROW, -3), "negative", 0, 1);
    written w = finish(&b, &trace);
    check_holds(&w, "\"pid\": 10, \"tid\": 11, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"host\"");
    check_holds(&w, "\"pid\": 11, \"tid\": 7, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"kernel\"");
    check_holds(&w, "\"pid\": 10, \"tid\": 12, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"async\"");
    check_holds(&w, "\"pid\": 10, \"tid\": 13, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"large\"");
    check_holds(&w, "\"pid\": 10, \"tid\": 14, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"negative\"");
    check_holds(&w, "\"name\": \"process_labels\", \"args\": {\"labels\": \"GPU 10\"}");
    check_holds(&w, "{\"kind\": \"gpu\", \"id\": 10, \"process\": 10}");
    free(w.bytes);
}

/* ---- overlap ---- */

typedef struct box {
    long long pid, tid, start, end;
} box;

static int by_place(const void *a, const void *b)
{
    const box *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

static size_t read_boxes(const written *w, box *boxes, size_t most)
{
    size_t count = 0;
    for (const char *line = w->bytes; line; line = strchr(line, '\n')) {
        long long us, ns, dur_us, dur_ns;
        box *x = &boxes[count];
        line += *line == '\n';
        if (count < most &&
            sscanf(line, "{\"ph\": \"X\", \"pid\": %lld, \"tid\": %lld, \"ts\": %lld.%3lld, \"dur\": %lld.%3lld",
                   &x->pid, &x->tid, &us, &ns, &dur_us, &dur_ns) == 6) {
            x->start = us * 1000 + ns;
            x->end = x->start + dur_us * 1000 + dur_ns;
            count++;
        }
    }
    return count;
}

/* Any two of a thread lie apart, or one in the other. */
static void check_no_partial_overlap(box *boxes, size_t count)
{
    size_t open[512], depth = 0;
    qsort(boxes, count, sizeof *boxes, by_place);
    for (size_t i = 0; i < count; i++) {
        if (i && (boxes[i].pid != boxes[i - 1].pid || boxes[i].tid != boxes[i - 1].tid))
            depth = 0;
        while (depth && boxes[open[depth - 1]].end <= boxes[i].start)
            depth--;
        CHECK(!depth || boxes[i].end <= boxes[open[depth - 1]].end);
        CHECK(depth < 512);
        open[depth++] = i;
    }
}

#define MANY 3000

static opli_trace overlapping_trace(void)
{
    opli_builder b;
    opli_trace trace;
    uint32_t random = 12345, tracks[2] = {begin(&b, &trace), 0};
    tracks[1] = opli_builder_track(&b, OPLI_TRACK_QUEUE, 0, opli_builder_device(&b, "gpu", 0), 7);
    for (int i = 0; i < MANY; i++) {
        random = random * 1664525u + 1013904223u;
        add_span(&b, tracks[i % 2], "s", random >> 8 & 0xffff, random >> 4 & 0x3ff);
    }
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    return trace;
}

TEST(chrome_json, never_lets_spans_of_a_thread_overlap_partly)
{
    static box boxes[MANY];
    opli_trace trace = overlapping_trace();
    written w = write_trace(&trace);
    CHECK_EQ(read_boxes(&w, boxes, MANY), MANY);
    check_no_partial_overlap(boxes, MANY);
    check_holds(&w, "\"name\": \"thread 11 (overlapping, lane 2)\"");
    check_holds(&w, "\"name\": \"queue 7 (overlapping, lane 2)\"");
    free(w.bytes);
    opli_trace_free(&trace);
}

/* Every E closes the B before it on its thread, and time never runs backwards. */
TEST(chrome_json, nests_beginnings_and_ends)
{
    opli_trace trace = overlapping_trace();
    written w = write_as(&trace, &(opli_export_options){.begin_end = true});
    long long pid, tid, us, ns, last_pid = -1, last_tid = -1, last = 0;
    int depth = 0, begins = 0;
    for (const char *line = w.bytes; line; line = strchr(line, '\n')) {
        char phase;
        line += *line == '\n';
        if (sscanf(line, "{\"ph\": \"%c\", \"pid\": %lld, \"tid\": %lld, \"ts\": %lld.%3lld", &phase, &pid, &tid, &us,
                   &ns) != 5)
            continue;
        if (pid != last_pid || tid != last_tid)
            CHECK_EQ(depth, 0);
        else
            CHECK(us * 1000 + ns >= last);
        depth += phase == 'B' ? 1 : -1;
        begins += phase == 'B';
        CHECK(depth >= 0);
        last = us * 1000 + ns, last_pid = pid, last_tid = tid;
    }
    CHECK_EQ(depth, 0);
    CHECK_EQ(begins, MANY);
    free(w.bytes);
    opli_trace_free(&trace);
}

TEST(chrome_json, writes_the_same_bytes_twice)
{
    opli_trace trace = overlapping_trace();
    written first = write_trace(&trace), second = write_trace(&trace);
    CHECK_TEXT(first.bytes, second.bytes);
    free(first.bytes);
    free(second.bytes);
    opli_trace_free(&trace);
}

TEST(chrome_json, is_read_back_with_every_span)
{
    opli_trace trace = overlapping_trace(), again;
    const char *path = test_path("again.json");
    FILE *file = fopen(path, "w");
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_exporter_chrome.write(&trace, &(opli_export_options){0}, file, &err), OPL_OK);
    fclose(file);
    CHECK_EQ(opli_trace_open(&path, 1, &again, &err), OPL_OK);
    CHECK_EQ(again.spans.count, MANY);
    opli_trace_free(&again);
    opli_trace_free(&trace);
}

TEST(chrome_json, says_when_the_disk_is_full)
{
    opli_trace trace = overlapping_trace();
    FILE *full = fopen("/dev/full", "w");
    opl_error err = {OPL_OK, ""};
    if (!full) {
        opli_trace_free(&trace);
        SKIP("there is no /dev/full");
    }
    CHECK_EQ(opli_exporter_chrome.write(&trace, &(opli_export_options){0}, full, &err), OPL_IO);
    CHECK(strstr(err.message, "could not be written") != NULL);
    fclose(full);
    opli_trace_free(&trace);
}

TEST(chrome_json, gives_a_device_its_own_id_when_no_process_has_it)
{
    opli_builder b;
    opli_trace trace;
    opli_builder_init(&b, &trace);
    uint32_t process = opli_builder_process(&b, 0), gpu = opli_builder_device(&b, "gpu", 0);
    add_span(&b, opli_builder_track(&b, OPLI_TRACK_QUEUE, process, gpu, 7), "kernel", 0, 1);
    written w = finish(&b, &trace);
    check_holds(&w, "\"pid\": 0, \"tid\": 7, \"ts\": 0.000, \"dur\": 0.001, \"cat\": \"op\", \"name\": \"kernel\"");
    free(w.bytes);
}
