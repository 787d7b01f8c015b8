/* prof_test.c - profiles for pstats: what comes from one goes into one, and what spans become. */
#define _GNU_SOURCE
#include "export/exporter.h"

#include "import/importer.h"
#include "test.h"
#include "trace/call_graph.h"

/* Writes the trace to a file and reads that. */
static opli_trace there_and_back(const opli_trace *trace)
{
    const char *path = test_path("again.prof");
    opli_trace again;
    opl_error err;
    FILE *file = fopen(path, "wb");
    CHECK_EQ(opli_exporter_prof.write(trace, &(opli_export_options){0}, file, &err), OPL_OK);
    fclose(file);
    CHECK_EQ(opli_trace_open(&path, 1, &again, &err), OPL_OK);
    return again;
}

static opli_call_graph graph_of(const opli_trace *trace)
{
    opli_call_graph graph = {0};
    CHECK(opli_call_graph_load(&graph, trace));
    return graph;
}

static void check_totals(const opli_call_totals *a, const opli_call_totals *b)
{
    CHECK_EQ(a->calls, b->calls);
    CHECK_EQ(a->primitive_calls, b->primitive_calls);
    CHECK_EQ(a->own_ns, b->own_ns);
    CHECK_EQ(a->total_ns, b->total_ns);
}

/* Functions and edges in the same order, with the same numbers. */
static void check_same(const opli_trace *a, const opli_trace *b)
{
    opli_call_graph x = graph_of(a), y = graph_of(b);
    CHECK_EQ(x.functions.count, y.functions.count);
    CHECK_EQ(x.edges.count, y.edges.count);
    for (size_t i = 0; i < x.functions.count; i++) {
        CHECK_TEXT(opli_trace_text(a, x.functions.items[i].file), opli_trace_text(b, y.functions.items[i].file));
        CHECK_TEXT(opli_trace_text(a, x.functions.items[i].name), opli_trace_text(b, y.functions.items[i].name));
        CHECK_EQ(x.functions.items[i].line, y.functions.items[i].line);
        check_totals(&x.functions.items[i].totals, &y.functions.items[i].totals);
    }
    for (size_t i = 0; i < x.edges.count; i++) {
        CHECK_EQ(x.edges.items[i].caller, y.edges.items[i].caller);
        CHECK_EQ(x.edges.items[i].callee, y.edges.items[i].callee);
        CHECK_EQ(x.edges.items[i].is_timed, y.edges.items[i].is_timed);
        check_totals(&x.edges.items[i].totals, &y.edges.items[i].totals);
    }
    opli_call_graph_free(&x);
    opli_call_graph_free(&y);
}

static uint32_t begin_trace(opli_builder *b, opli_trace *trace)
{
    opli_builder_init(b, trace);
    return opli_builder_track(b, OPLI_TRACK_THREAD, opli_builder_process(b, 1), OPLI_NO_ROW, 1);
}

static void add_span(opli_builder *b, uint32_t track, const char *name, int64_t start_ns, int64_t duration_ns)
{
    opli_span_draft draft = {
        .start_ns = start_ns, .duration_ns = duration_ns, .name = opli_builder_word(b, name), .track = track};
    opli_builder_span(b, &draft);
}

static const opli_call_function *find_function(const opli_trace *trace, const opli_call_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->functions.count; i++)
        if (strcmp(opli_trace_text(trace, graph->functions.items[i].name), name) == 0)
            return &graph->functions.items[i];
    fail_msg("there is no function %s", name);
    return NULL;
}

TEST(prof, of_a_profile_is_that_profile)
{
    const char *path = TEST_DATA "/resnet18.prof";
    opli_trace trace, again;
    opl_error err;
    CHECK_EQ(opli_trace_open(&path, 1, &trace, &err), OPL_OK);
    again = there_and_back(&trace);
    check_same(&trace, &again);
    opli_trace_free(&trace);
    opli_trace_free(&again);
}

TEST(prof, keeps_large_and_negative_numbers_and_callers_that_are_only_counted)
{
    opli_trace trace, again;
    opli_builder b;
    opli_call_graph graph = {0};
    uint32_t track = begin_trace(&b, &trace);
    uint32_t f = opli_call_graph_function(&graph, opli_builder_word(&b, "a.py"), 1ll << 40, opli_builder_word(&b, "f"));
    uint32_t g = opli_call_graph_function(&graph, opli_builder_word(&b, ""), -7, opli_builder_word(&b, "<g>"));
    graph.functions.items[f].totals = (opli_call_totals){5000000000, 4999999999, 123456789, 987654321987};
    graph.functions.items[g].totals = (opli_call_totals){2, 2, -5, 0};
    uint32_t timed = opli_call_graph_edge(&graph, f, g), counted = opli_call_graph_edge(&graph, g, f);
    graph.edges.items[timed].totals = (opli_call_totals){2, 1, 3, 4};
    graph.edges.items[counted].totals = (opli_call_totals){70000, 70000, 0, 0};
    graph.edges.items[counted].is_timed = false;
    opli_call_graph_store(&graph, &b, track);
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    again = there_and_back(&trace);
    opli_call_graph read = graph_of(&again);
    check_totals(&read.functions.items[0].totals, &graph.functions.items[f].totals);
    check_totals(&read.functions.items[1].totals, &graph.functions.items[g].totals);
    CHECK_EQ(read.functions.items[0].line, 1ll << 40);
    CHECK_EQ(read.functions.items[1].line, -7);
    CHECK_TEXT(opli_trace_text(&again, read.functions.items[1].file), "");
    CHECK_EQ(read.edges.items[0].totals.calls, 70000); /* first the edges of the first function */
    CHECK(!read.edges.items[0].is_timed);
    check_totals(&read.edges.items[1].totals, &(opli_call_totals){2, 1, 3, 4});
    opli_call_graph_free(&read);
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
    opli_trace_free(&again);
}

TEST(prof, counts_a_span_inside_itself_once_in_its_total)
{
    opli_trace trace, again;
    opli_builder b;
    uint32_t track = begin_trace(&b, &trace);
    add_span(&b, track, "f", 0, 100);
    add_span(&b, track, "g", 10, 50);
    add_span(&b, track, "f", 20, 30);
    add_span(&b, track, "f", 200, 5);
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    again = there_and_back(&trace);
    opli_call_graph graph = graph_of(&again);
    const opli_call_function *f = find_function(&again, &graph, "f"), *g = find_function(&again, &graph, "g");
    check_totals(&f->totals, &(opli_call_totals){3, 2, 85, 105});
    check_totals(&g->totals, &(opli_call_totals){1, 1, 20, 50});
    CHECK_TEXT(opli_trace_text(&again, f->file), "~");
    CHECK_EQ(f->line, 0);
    CHECK_EQ(graph.edges.count, 2);
    check_totals(&graph.edges.items[0].totals, &(opli_call_totals){1, 1, 30, 30}); /* of f, by g */
    check_totals(&graph.edges.items[1].totals, &(opli_call_totals){1, 1, 20, 50}); /* of g, by f */
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
    opli_trace_free(&again);
}

TEST(prof, finds_file_and_line_in_arguments_and_in_names_as_pytorch_writes_them)
{
    opli_trace trace, again;
    opli_builder b;
    uint32_t track = begin_trace(&b, &trace);
    add_span(&b, track, "nn/module.py(1501): _call", 0, 10);
    add_span(&b, track, "cut(): short", 20, 10);
    opli_builder_arg(&b, opli_builder_word(&b, "file"), OPLI_ARG_TEXT, opli_builder_word(&b, "a.c"));
    opli_builder_arg(&b, opli_builder_word(&b, "line"), OPLI_ARG_INT, 12);
    add_span(&b, track, "placed", 40, 10);
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    again = there_and_back(&trace);
    opli_call_graph graph = graph_of(&again);
    CHECK_TEXT(opli_trace_text(&again, find_function(&again, &graph, "_call")->file), "nn/module.py");
    CHECK_EQ(find_function(&again, &graph, "_call")->line, 1501);
    CHECK_TEXT(opli_trace_text(&again, find_function(&again, &graph, "cut(): short")->file), "~");
    CHECK_TEXT(opli_trace_text(&again, find_function(&again, &graph, "placed")->file), "a.c");
    CHECK_EQ(find_function(&again, &graph, "placed")->line, 12);
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
    opli_trace_free(&again);
}

TEST(prof, leaves_devices_out_and_mends_names_that_are_no_utf8)
{
    opli_trace trace, again;
    opli_builder b;
    uint32_t track = begin_trace(&b, &trace);
    uint32_t queue = opli_builder_track(&b, OPLI_TRACK_QUEUE, 0, opli_builder_device(&b, "gpu", 0), 7);
    add_span(&b, track, "bad \xff name", 0, 10);
    add_span(&b, queue, "gemm", 0, 10);
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    again = there_and_back(&trace);
    opli_call_graph graph = graph_of(&again);
    CHECK_EQ(graph.functions.count, 1);
    CHECK_TEXT(opli_trace_text(&again, graph.functions.items[0].name), "bad \xef\xbf\xbd name");
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
    opli_trace_free(&again);
}
