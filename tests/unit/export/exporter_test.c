/* exporter_test.c - exporters by name, folded stacks, speedscope, and what holds for all of them. */
#define _GNU_SOURCE
#include "export/exporter.h"

#include "base/json_check.h"
#include "test.h"
#include "trace/builder.h"

static char *write_with(const opli_exporter *exporter, const opli_trace *trace)
{
    char *bytes = NULL;
    size_t length;
    FILE *file = open_memstream(&bytes, &length);
    CHECK_EQ(exporter->write(trace, &(opli_export_options){0}, file, NULL), OPL_OK);
    fclose(file);
    return bytes;
}

static void check_written(const opli_exporter *exporter, const opli_trace *trace, const char *expected)
{
    char *bytes = write_with(exporter, trace);
    CHECK_TEXT(bytes, expected);
    free(bytes);
}

static void add_span(opli_builder *b, uint32_t track, const char *name, int64_t start_ns, int64_t duration_ns)
{
    opli_span_draft draft = {
        .start_ns = start_ns, .duration_ns = duration_ns, .name = opli_builder_word(b, name), .track = track};
    opli_builder_span(b, &draft);
}

/* Two threads run the same stack; a queue has two kernels that overlap. */
static opli_trace some_trace(void)
{
    opli_trace trace;
    opli_builder b;
    opli_builder_init(&b, &trace);
    uint32_t process = opli_builder_process(&b, 1);
    for (int thread = 0; thread < 2; thread++) {
        uint32_t track = opli_builder_track(&b, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, thread);
        add_span(&b, track, "for ward;", 1000, 10000);
        add_span(&b, track, "mm", 2000, 3000);
        add_span(&b, track, "mm", 6000, 2600);
    }
    uint32_t queue = opli_builder_track(&b, OPLI_TRACK_QUEUE, process, opli_builder_device(&b, "gpu", 0), 7);
    add_span(&b, queue, "gemm", 3000, 2000);
    add_span(&b, queue, "gemm", 4000, 2000);
    add_span(&b, queue, "tiny", 9000, 400);
    trace.source = opli_builder_word(&b, "a test");
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    return trace;
}

TEST(exporter, is_chosen_by_the_longest_suffix)
{
    CHECK_TEXT(opli_exporter_of_path("a.json")->name, "chrome");
    CHECK_TEXT(opli_exporter_of_path("a.json.gz")->name, "chrome");
    CHECK_TEXT(opli_exporter_of_path("a.pt.trace.json")->name, "chrome");
    CHECK_TEXT(opli_exporter_of_path("a.speedscope.json.gz")->name, "speedscope");
    CHECK_TEXT(opli_exporter_of_path("dir.json/a.folded")->name, "folded");
    CHECK(opli_exporter_of_path("a.opl") == NULL);
    CHECK(opli_exporter_of_path("json") == NULL);
    CHECK_TEXT(opli_exporter_find("folded")->name, "folded");
    CHECK(opli_exporter_find("nix") == NULL);
}

TEST(exporter, of_every_format_accepts_an_empty_trace_and_repeats_itself)
{
    opli_trace empty = {.base_real_ns = 0}, some = some_trace();
    for (size_t i = 0; opli_exporters[i]; i++) {
        const opli_exporter *exporter = opli_exporters[i];
        char *nothing = write_with(exporter, &empty), *first = write_with(exporter, &some),
             *second = write_with(exporter, &some);
        bool json = strstr(exporter->suffix, ".json") != NULL;
        CHECK(!json || opli_json_is_valid(nothing, strlen(nothing)));
        CHECK(!json || opli_json_is_valid(first, strlen(first)));
        CHECK_TEXT(first, second);
        free(nothing), free(first), free(second);
    }
    opli_trace_free(&some);
}

TEST(folded, adds_up_the_own_time_of_each_stack)
{
    opli_trace trace = some_trace();
    check_written(&opli_exporter_folded, &trace, "for_ward_ 9\nfor_ward_;mm 11\nGPU_0;queue_7;gemm 4\n");
    opli_trace_free(&trace);
}

TEST(speedscope, has_a_well_nested_profile_for_each_lane)
{
    opli_trace trace = some_trace();
    char *bytes = write_with(&opli_exporter_speedscope, &trace);
    CHECK(strstr(bytes, "{\"frames\": [\n{\"name\": \"for ward;\"},\n{\"name\": \"mm\"},\n{\"name\": "
                        "\"gemm\"},\n{\"name\": \"tiny\"}]}"));
    CHECK(strstr(bytes,
                 "{\"type\": \"evented\", \"name\": \"thread 0\", \"unit\": \"nanoseconds\", \"startValue\": 0, "
                 "\"endValue\": 10000, \"events\": [\n{\"type\": \"O\", \"frame\": 0, \"at\": 0},\n"
                 "{\"type\": \"O\", \"frame\": 1, \"at\": 1000},\n{\"type\": \"C\", \"frame\": 1, \"at\": 4000},\n"
                 "{\"type\": \"O\", \"frame\": 1, \"at\": 5000},\n{\"type\": \"C\", \"frame\": 1, \"at\": 7600},\n"
                 "{\"type\": \"C\", \"frame\": 0, \"at\": 10000}]}"));
    CHECK(strstr(bytes, "\"name\": \"GPU 0, queue 7 (overlapping, lane 2)\""));
    free(bytes);
    opli_trace_free(&trace);
}
