/* prof_importer_test.c - cProfile's files: exact numbers, an estimated tree that says so, no crash. */
#include "inquiry.h"
#include "test.h"
#include "trace/call_graph.h"

#define RESNET TEST_DATA "/resnet18.prof"

/* Python's old `profile`, marshal version 0:
 * {('a.py', 1, 'main'): (1, 1, 0.5, 2.0, {}), ('a.py', 2, 'f'): (2, 3, 1.5, 1.5, {('a.py', 1, 'main'): 3})} */
static const char old_profile[] =
    "{(\x03\0\0\0u\x04\0\0\0a.pyi\x01\0\0\0u\x04\0\0\0main(\x05\0\0\0i\x01\0\0\0i\x01\0\0\0f\x03"
    "0.5f\x01"
    "2{0(\x03\0\0\0u\x04\0\0\0a.pyi\x02\0\0\0u\x01\0\0\0f(\x05\0\0\0i\x02\0\0\0i\x03\0\0\0f\x03"
    "1.5f\x03"
    "1.5{(\x03\0\0\0u\x04\0\0\0a.pyi\x01\0\0\0u\x04\0\0\0maini\x03\0\0\0"
    "00";

/* cProfile, marshal version 4, with references:
 * {main: (1, 1, 0.5, 2.0, {}), f: (2, 3, 1.5, 1.5, {main: (2, 2, 1.0, 1.5), f: (1, 1, 0.5, 0.75)})} */
static const char small_profile[] =
    "\xfb\xa9\x03\xfa\x04\x61\x2e\x70\x79\xe9\x01\x00\x00\x00\xda\x04\x6d\x61\x69\x6e\x29\x05\x72\x03\x00\x00\x00"
    "\x72\x03\x00\x00\x00\xe7\x00\x00\x00\x00\x00\x00\xe0\x3f\xe7\x00\x00\x00\x00\x00\x00\x00\x40\x7b\x30\xa9\x03"
    "\x72\x02\x00\x00\x00\xe9\x02\x00\x00\x00\xda\x01\x66\x29\x05\x72\x08\x00\x00\x00\xe9\x03\x00\x00\x00\xe7\x00"
    "\x00\x00\x00\x00\x00\xf8\x3f\x72\x0b\x00\x00\x00\x7b\x72\x01\x00\x00\x00\xa9\x04\x72\x08\x00\x00\x00\x72\x08"
    "\x00\x00\x00\xe7\x00\x00\x00\x00\x00\x00\xf0\x3f\x72\x0b\x00\x00\x00\x72\x07\x00\x00\x00\xa9\x04\x72\x03\x00"
    "\x00\x00\x72\x03\x00\x00\x00\x72\x05\x00\x00\x00\xe7\x00\x00\x00\x00\x00\x00\xe8\x3f\x30\x30";

#define READ(trace, bytes) CHECK_EQ(inquiry_read(&(trace), &opli_importer_prof, bytes, sizeof bytes - 1), OPL_OK)

static opli_call_graph graph_of(const opli_trace *trace)
{
    opli_call_graph graph = {0};
    CHECK(opli_call_graph_load(&graph, trace));
    return graph;
}

TEST(prof_importer, keeps_the_numbers_of_functions_and_edges)
{
    opli_trace trace;
    READ(trace, small_profile);
    opli_call_graph graph = graph_of(&trace);
    CHECK_EQ(graph.functions.count, 2);
    const opli_call_function *f = &graph.functions.items[1];
    CHECK_TEXT(opli_trace_text(&trace, f->file), "a.py");
    CHECK_TEXT(opli_trace_text(&trace, f->name), "f");
    CHECK_EQ(f->line, 2);
    CHECK_EQ(f->totals.calls, 3);
    CHECK_EQ(f->totals.primitive_calls, 2);
    CHECK_EQ(f->totals.own_ns, 1500000000);
    CHECK_EQ(graph.edges.count, 2);
    CHECK_EQ(graph.edges.items[0].caller, 0);
    CHECK_EQ(graph.edges.items[0].callee, 1);
    CHECK_EQ(graph.edges.items[0].totals.own_ns, 1000000000);
    CHECK_EQ(graph.edges.items[1].totals.total_ns, 750000000);
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
}

TEST(prof_importer, reads_the_old_profile_whose_callers_are_only_counted)
{
    opli_trace trace;
    READ(trace, old_profile);
    opli_call_graph graph = graph_of(&trace);
    CHECK_EQ(graph.functions.count, 2);
    CHECK_EQ(graph.edges.count, 1);
    CHECK(!graph.edges.items[0].is_timed);
    CHECK_EQ(graph.edges.items[0].totals.calls, 3);
    CHECK_EQ(trace.spans.count, 2);
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
}

/* Defect 16 of the originals: a tree guessed from edges that looks like a measured one. */
TEST(prof_importer, says_that_the_call_tree_is_estimated)
{
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    CHECK_EQ(inquiry_note(&trace, "the file holds no start times: the call tree is estimated"), 1);
    CHECK_TEXT(opli_trace_text(&trace, trace.tracks.items[0].name), "estimated call tree");
    CHECK(trace.spans.count > 50);
    for (size_t i = 0; i < trace.spans.count; i++)
        CHECK(trace.spans.flags[i] & OPLI_SPAN_SYNTHETIC);
    opli_trace_free(&trace);
}

/* In this profile the modules of PyTorch call each other through one recursive function. */
TEST(prof_importer, finds_its_way_through_recursion)
{
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    unsigned deepest = 0;
    int64_t conv_ns = 0;
    for (size_t i = 0; i < trace.spans.count; i++) {
        if (trace.spans.depth[i] > deepest)
            deepest = trace.spans.depth[i];
        if (strcmp(opli_trace_text(&trace, trace.spans.name[i]), "<built-in method torch.conv2d>") == 0)
            conv_ns += trace.spans.duration_ns[i];
    }
    CHECK(deepest > 10);
    CHECK(conv_ns > 8000000); /* of 10 ms that were measured */
    opli_trace_free(&trace);
}

TEST(prof_importer, gives_children_no_more_time_than_their_parent_and_their_edge_has)
{
    opli_trace trace;
    inquiry_open(&trace, RESNET);
    opli_call_graph graph = graph_of(&trace);
    int64_t *left_ns = calloc(trace.strings.count, sizeof *left_ns);
    for (size_t i = 0; i < graph.edges.count; i++) {
        const opli_call_totals *totals = &graph.edges.items[i].totals;
        bool recursive = totals->calls > totals->primitive_calls; /* timed outermost only */
        left_ns[graph.functions.items[graph.edges.items[i].callee].name] += recursive ? 1000000000 : totals->total_ns;
    }
    for (size_t i = 0; i < trace.spans.count; i++) {
        CHECK_EQ(trace.spans.lane[i], 0);
        left_ns[trace.spans.name[i]] -= trace.spans.parent[i] == OPLI_NO_ROW ? 0 : trace.spans.duration_ns[i];
    }
    for (size_t i = 0; i < trace.strings.count; i++)
        CHECK(left_ns[i] >= 0);
    free(left_ns);
    opli_call_graph_free(&graph);
    opli_trace_free(&trace);
}

TEST(prof_importer, adds_up_several_profiles_as_pstats_does)
{
    opli_trace once, twice;
    const char *paths[] = {RESNET, RESNET};
    opl_error err;
    inquiry_open(&once, RESNET);
    CHECK_EQ(opli_trace_open(paths, 2, &twice, &err), OPL_OK);
    opli_call_graph a = graph_of(&once), b = graph_of(&twice);
    CHECK_EQ(a.functions.count, b.functions.count);
    for (size_t i = 0; i < a.functions.count; i++)
        CHECK_EQ(2 * a.functions.items[i].totals.total_ns, b.functions.items[i].totals.total_ns);
    CHECK_EQ(twice.spans.count, 2 * once.spans.count);
    opli_call_graph_free(&a);
    opli_call_graph_free(&b);
    opli_trace_free(&once);
    opli_trace_free(&twice);
}

TEST(prof_importer, reads_a_file_that_ends_early_as_far_as_it_goes)
{
    size_t size;
    char *bytes = inquiry_load(RESNET, &size);
    opli_trace trace;
    CHECK_EQ(inquiry_read(&trace, &opli_importer_prof, bytes, size / 2), OPL_OK);
    CHECK_EQ(inquiry_note(&trace, "the profile ends early"), 1);
    CHECK(trace.instants.count > 10);
    opli_trace_free(&trace);
    free(bytes);
}

TEST(prof_importer, accepts_a_profile_of_nothing_and_no_other_file)
{
    static const char *const others[] = {"", "{", "{\"a\": 1}", "{}", "{0 ", "OPLENS", "\xfb", "\xfb)"};
    opli_trace trace;
    READ(trace, "\xfb\x30");
    opli_trace_free(&trace);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(
            !opli_importer_prof.recognises(&(opli_source){.path = "", .bytes = others[i], .size = strlen(others[i])}));
}

TEST(prof_importer, survives_any_bytes)
{
    size_t size;
    char *bytes = inquiry_load(RESNET, &size);
    inquiry_torture(&opli_importer_prof, bytes, size);
    free(bytes);
    inquiry_torture(&opli_importer_prof, small_profile, sizeof small_profile - 1);
    inquiry_torture(&opli_importer_prof, old_profile, sizeof old_profile - 1);
}
