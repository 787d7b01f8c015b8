/* chrome_importer_test.c - Chrome traces in the dialects met in the field. */
#include "import/importer.h"
#include "test.h"

static opl_status open_text(const char *text, opli_trace *trace, opl_error *err)
{
    const char *path = test_path("trace.json");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return opli_trace_open(&path, 1, trace, err);
}

static void must_open(const char *text, opli_trace *trace)
{
    opl_error err = {OPL_OK, ""};
    if (open_text(text, trace, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

static uint64_t count_of_note(const opli_trace *trace, const char *begins)
{
    for (size_t i = 0; i < trace->notes.count; i++)
        if (strncmp(opli_trace_text(trace, trace->notes.items[i].sentence), begins, strlen(begins)) == 0)
            return trace->notes.items[i].count;
    return 0;
}

static const char *name_of(const opli_trace *trace, size_t span)
{
    return opli_trace_text(trace, trace->spans.name[span]);
}

TEST(chrome_importer, reads_an_object_and_a_bare_array_alike)
{
    opli_trace trace;
    must_open("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1.5,\"dur\":2.25}]}", &trace);
    CHECK_EQ(trace.spans.start_ns[0], 1500);
    CHECK_EQ(trace.spans.duration_ns[0], 2250);
    opli_trace_free(&trace);
    must_open("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1.5,\"dur\":2.25}]", &trace);
    CHECK_EQ(trace.spans.count, 1);
    opli_trace_free(&trace);
}

TEST(chrome_importer, keeps_what_comes_before_a_file_is_cut_and_says_so)
{
    opli_trace trace;
    must_open("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"du", &trace);
    CHECK_EQ(trace.spans.count, 1);
    CHECK_EQ(count_of_note(&trace, "the file ends inside an event"), 1);
    opli_trace_free(&trace);
    must_open("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},\n", &trace);
    CHECK_EQ(trace.spans.count, 1);
    opli_trace_free(&trace);
}

TEST(chrome_importer, finds_the_events_wherever_they_stand_in_the_object)
{
    opli_trace trace;
    must_open(
        "{\"otherData\": {\"traceEvents\": []}, \"x\": [1,2], \"traceEvents\":\n[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,"
        "\"dur\":1}], \"displayTimeUnit\": \"ms\"}",
        &trace);
    CHECK_EQ(trace.spans.count, 1);
    CHECK_EQ(trace.facts.count, 3);
    opli_trace_free(&trace);
}

TEST(chrome_importer, pairs_beginnings_and_ends_by_thread)
{
    opli_trace trace;
    must_open("[{\"ph\":\"B\",\"name\":\"out\",\"tid\":1,\"ts\":0,\"args\":{\"k\":7}},{\"ph\":\"B\",\"name\":\"in\","
              "\"tid\":1,\"ts\":1},"
              "{\"ph\":\"B\",\"name\":\"else\",\"tid\":2,\"ts\":1},{\"ph\":\"E\",\"tid\":1,\"ts\":2},{\"ph\":\"E\","
              "\"tid\":2,\"ts\":5},"
              "{\"ph\":\"E\",\"tid\":1,\"ts\":9},{\"ph\":\"E\",\"tid\":1,\"ts\":10},{\"ph\":\"B\",\"name\":\"open\","
              "\"tid\":3,\"ts\":4}]",
              &trace);
    CHECK_EQ(trace.spans.count, 4);
    CHECK_TEXT(name_of(&trace, 0), "out");
    CHECK_EQ(trace.spans.duration_ns[0], 9000);
    CHECK_EQ(trace.spans.arg_count[0], 1);
    CHECK_EQ(trace.spans.parent[1], 0);
    CHECK_EQ(count_of_note(&trace, "end events have no beginning"), 1);
    CHECK_EQ(count_of_note(&trace, "spans began and never ended"), 1);
    opli_trace_free(&trace);
}

TEST(chrome_importer, pairs_asynchronous_events_by_id)
{
    opli_trace trace;
    must_open("[{\"ph\":\"b\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x1\",\"pid\":1,\"tid\":1,\"ts\":0},"
              "{\"ph\":\"b\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x2\",\"pid\":1,\"tid\":1,\"ts\":1},"
              "{\"ph\":\"e\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x1\",\"pid\":1,\"tid\":2,\"ts\":5},"
              "{\"ph\":\"e\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x2\",\"pid\":1,\"tid\":2,\"ts\":9}]",
              &trace);
    CHECK_EQ(trace.spans.count, 2);
    CHECK_EQ(trace.spans.duration_ns[0], 5000);
    CHECK_EQ(trace.spans.duration_ns[1], 8000);
    CHECK_EQ(trace.spans.lane[1], 1);
    opli_trace_free(&trace);
}

TEST(chrome_importer, counts_what_it_must_skip_or_mend)
{
    opli_trace trace;
    must_open("[{\"ph\":\"X\",\"name\":\"no "
              "time\"},{\"ph\":\"X\",\"name\":\"back\",\"ts\":5,\"dur\":-2},{\"ph\":\"?\",\"ts\":1},"
              "{\"ph\":\"X\",\"name\":\"fine\",\"ts\":\"7\",\"dur\":\"1\"},{broken},{\"ph\":\"X\",\"name\":\"after\","
              "\"ts\":9,\"dur\":1}]",
              &trace);
    CHECK_EQ(trace.spans.count, 3);
    CHECK_EQ(count_of_note(&trace, "events have no time"), 1);
    CHECK_EQ(count_of_note(&trace, "spans end before they start"), 1);
    CHECK_EQ(count_of_note(&trace, "events are of a phase"), 1);
    CHECK_EQ(count_of_note(&trace, "events cannot be read"), 1);
    opli_trace_free(&trace);
}

TEST(chrome_importer, takes_words_for_process_and_thread_ids)
{
    opli_trace trace;
    must_open("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":\"Spans\",\"tid\":\"PyTorch "
              "Profiler\",\"ts\":1,\"dur\":1,\"cat\":null}]",
              &trace);
    CHECK_TEXT(opli_trace_text(&trace, trace.processes.items[0].name), "Spans");
    CHECK_TEXT(opli_trace_text(&trace, trace.tracks.items[0].name), "PyTorch Profiler");
    opli_trace_free(&trace);
}

TEST(chrome_importer, reads_counters_instants_flows_and_names)
{
    opli_trace trace;
    must_open("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"serve\"}},"
              "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"main\"}},"
              "{\"ph\":\"X\",\"name\":\"launch\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":4},"
              "{\"ph\":\"s\",\"id\":9,\"cat\":\"ac2g\",\"pid\":1,\"tid\":2,\"ts\":2},"
              "{\"ph\":\"C\",\"name\":\"mem\",\"pid\":1,\"ts\":3,\"args\":{\"used\":10,\"free\":\"2.5\"}},"
              "{\"ph\":\"i\",\"name\":\"mark\",\"pid\":1,\"tid\":2,\"ts\":3}]",
              &trace);
    CHECK_TEXT(opli_trace_text(&trace, trace.tracks.items[0].name), "main");
    CHECK_EQ(trace.counters.count, 2);
    CHECK_EQ(trace.instants.count, 1);
    CHECK_EQ(trace.flows.count, 1);
    CHECK_EQ(trace.flows.items[0].span, 0);
    opli_trace_free(&trace);
}

TEST(chrome_importer, says_what_is_wrong_with_json_that_is_no_trace)
{
    opli_trace trace;
    opl_error err;
    CHECK_EQ(open_text("{\"a\": 1}", &trace, &err), OPL_FORMAT);
    CHECK(strstr(err.message, "holds no trace events") != NULL);
    CHECK_EQ(open_text("hello", &trace, &err), OPL_FORMAT);
    CHECK(strstr(err.message, "in any format we know") != NULL);
}

TEST(chrome_importer, survives_any_cut_of_a_real_trace)
{
    const char *path = TEST_DATA "/ort_mnist.json.gz";
    opli_source source;
    opl_error err;
    CHECK_EQ(opli_source_open(&source, path, &err), OPL_OK);
    for (size_t size = 1; size < source.size; size += 997) {
        opli_source cut = {.path = "cut", .bytes = source.bytes, .size = size, .file_size = size};
        opli_trace trace;
        opli_builder builder;
        opli_builder_init(&builder, &trace);
        opli_importer_chrome.read(&cut, &builder, &err);
        opli_builder_finish(&builder);
        opli_trace_free(&trace);
    }
    opli_source_close(&source);
}
