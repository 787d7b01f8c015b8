/* trim_test.c - a smaller trace. */
#include "base/text.h"
#include "test.h"
#include "trace/builder.h"
#include "trace/trim.h"

/* Two threads and a queue; steps 5 to 7 of 100 ns, an op in each, a kernel that outlives its step. */
static void add_span(opli_builder *b, uint32_t track, uint8_t kind, const char *name, int64_t start, int64_t duration)
{
    opli_builder_arg(b, opli_builder_word(b, "of"), OPLI_ARG_TEXT, opli_builder_word(b, name));
    opli_span_draft draft = {.start_ns = start,
                             .duration_ns = duration,
                             .name = opli_builder_word(b, name),
                             .category = opli_builder_word(b, kind == OPL_CAT_OP ? "cpu_op" : ""),
                             .track = track,
                             .kind = kind};
    opli_builder_span(b, &draft);
}

static opli_trace some_trace(void)
{
    opli_trace trace;
    opli_builder b;
    opli_builder_init(&b, &trace);
    uint32_t process = opli_builder_process(&b, 42), device = opli_builder_device(&b, "gpu", 1);
    uint32_t main_thread = opli_builder_track(&b, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 100);
    uint32_t worker = opli_builder_track(&b, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 101);
    uint32_t queue = opli_builder_track(&b, OPLI_TRACK_QUEUE, process, device, 7);
    trace.tracks.items[worker].name = opli_builder_word(&b, "worker");
    char name[32];
    for (int step = 5; step < 8; step++) {
        int64_t start = 1000 + (step - 5) * 100;
        snprintf(name, sizeof name, "ProfilerStep#%d", step);
        add_span(&b, main_thread, OPL_CAT_STEP, name, start, 100);
        add_span(&b, main_thread, OPL_CAT_OP, "mm", start + 10, 20);
        add_span(&b, worker, OPL_CAT_FUNCTION, "load", start + 10, 20);
        add_span(&b, queue, OPL_CAT_KERNEL, "gemm", start + 50, 60);
        opli_builder_instant(&b, (opli_instant_row){.time_ns = start + 5, .track = worker, .kind = OPL_CAT_LABEL});
        opli_builder_counter(&b, (opli_counter_row){.time_ns = start + 5, .value = step, .process = process});
        opli_builder_memory(
            &b, (opli_memory_row){.time_ns = start + 15, .track = main_thread, .device = device, .size_bytes = step});
        opli_builder_flow(&b, (opli_flow_row){.time_ns = start + 10, .id = (uint64_t)step, .track = main_thread});
    }
    opli_builder_note(&b, "one thing", 3, true);
    opli_builder_fact(&b, opli_builder_word(&b, "key"), opli_builder_word(&b, "value"));
    trace.base_real_ns = 99;
    trace.source = opli_builder_word(&b, "a test");
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    return trace;
}

/* How many of what is left. */
static void check_left(const opli_trim *trim, size_t spans, size_t instants, size_t counters, size_t memory,
                       size_t flows)
{
    opli_trace trace = some_trace(), smaller;
    CHECK_EQ(opli_trace_trim(&trace, trim, &smaller, NULL), OPL_OK);
    CHECK_EQ(smaller.spans.count, spans);
    CHECK_EQ(smaller.instants.count, instants);
    CHECK_EQ(smaller.counters.count, counters);
    CHECK_EQ(smaller.memory.count, memory);
    CHECK_EQ(smaller.flows.count, flows);
    opli_trace_free(&smaller);
    opli_trace_free(&trace);
}

TEST(trim, keeps_everything_when_nothing_is_asked) { check_left(&(opli_trim){0}, 12, 3, 3, 3, 3); }

TEST(trim, keeps_what_reaches_into_a_stretch_of_time)
{
    check_left(&(opli_trim){.has_from = true, .from_ns = 100}, 9, 2, 2, 2, 2);
    check_left(&(opli_trim){.has_to = true, .to_ns = 100}, 4, 1, 1, 1, 1);
    check_left(&(opli_trim){.has_from = true, .from_ns = 120, .has_to = true, .to_ns = 121}, 3, 0, 0, 0, 1);
}

TEST(trim, keeps_a_step_by_the_number_in_its_name)
{
    check_left(&(opli_trim){.has_steps = true, .first_step = 6, .last_step = 6}, 5, 1, 1, 1, 1);
    check_left(&(opli_trim){.has_steps = true, .first_step = 6, .last_step = 99}, 9, 2, 2, 2, 2);
}

TEST(trim, keeps_a_thread_by_number_or_name)
{
    check_left(&(opli_trim){.thread = "101"}, 3, 3, 3, 0, 0);
    check_left(&(opli_trim){.thread = "worker"}, 3, 3, 3, 0, 0);
    check_left(&(opli_trim){.thread = "7"}, 3, 0, 3, 0, 0);
}

TEST(trim, keeps_kinds_and_the_sources_own_categories)
{
    check_left(&(opli_trim){.categories = "op"}, 3, 0, 3, 3, 3);
    check_left(&(opli_trim){.categories = "cpu_op"}, 3, 0, 3, 3, 3);
    check_left(&(opli_trim){.categories = "kernel,step,label"}, 6, 3, 3, 3, 0);
}

TEST(trim, keeps_spans_whole_and_all_that_belongs_to_them)
{
    opli_trace trace = some_trace(), smaller;
    CHECK_EQ(opli_trace_trim(
                 &trace,
                 &(opli_trim){.categories = "kernel", .has_from = true, .from_ns = 205, .has_to = true, .to_ns = 206},
                 &smaller, NULL),
             OPL_OK);
    CHECK_EQ(smaller.spans.count, 1);
    CHECK_EQ(smaller.spans.start_ns[0], 1150);
    CHECK_EQ(smaller.spans.duration_ns[0], 60);
    CHECK_TEXT(opli_trace_text(&smaller, smaller.spans.name[0]), "gemm");
    const opli_track *track = &smaller.tracks.items[smaller.spans.track[0]];
    CHECK_EQ(track->number, 7);
    CHECK_EQ(smaller.processes.items[track->process].pid, 42);
    CHECK_EQ(smaller.devices.items[track->device].id, 1);
    uint32_t arg = smaller.spans.first_arg[0];
    CHECK_TEXT(opli_trace_text(&smaller, opli_args_key(&smaller.args, arg)), "of");
    CHECK_TEXT(opli_trace_text(&smaller, (uint32_t)opli_args_value(&smaller.args, arg)), "gemm");
    CHECK_EQ(smaller.base_real_ns, 99);
    CHECK_TEXT(opli_trace_text(&smaller, smaller.facts.items[0].value), "value");
    opli_trace_free(&smaller);
    opli_trace_free(&trace);
}

TEST(trim, notes_how_many_spans_it_left_out)
{
    opli_trace trace = some_trace(), smaller;
    CHECK_EQ(opli_trace_trim(&trace, &(opli_trim){.categories = "op"}, &smaller, NULL), OPL_OK);
    CHECK_EQ(smaller.notes.count, 2);
    CHECK_TEXT(opli_trace_text(&smaller, smaller.notes.items[0].sentence), "one thing");
    CHECK(smaller.notes.items[0].is_loss);
    CHECK_EQ(smaller.notes.items[1].count, 9);
    opli_trace_free(&smaller);
    opli_trace_free(&trace);
}

static void check_refused(const opli_trim *trim, const char *sentence)
{
    opli_trace trace = some_trace(), smaller;
    opl_error err;
    CHECK_EQ(opli_trace_trim(&trace, trim, &smaller, &err), OPL_INVALID);
    CHECK_TEXT(err.message, sentence);
    CHECK_EQ(smaller.spans.count, 0);
    opli_trace_free(&trace);
}

TEST(trim, answers_what_is_not_there_with_what_is)
{
    check_refused(&(opli_trim){.thread = "nix"}, "there is no thread 'nix'; there are 100, 101 (worker), 7");
    check_refused(&(opli_trim){.has_steps = true, .first_step = 1, .last_step = 4},
                  "the trace has no such step; its steps are 5 to 7");
    check_refused(&(opli_trim){.categories = "nix"},
                  "no span is of category 'nix'; there are step, op, kernel, function, cpu_op");
    check_refused(&(opli_trim){.has_from = true, .from_ns = 5, .has_to = true, .to_ns = 5},
                  "the stretch of time ends before it begins");
}

TEST(trim, accepts_an_empty_trace)
{
    opli_trace trace = {.base_real_ns = 0}, smaller;
    CHECK_EQ(opli_trace_trim(&trace, &(opli_trim){.has_from = true, .from_ns = 5, .categories = "op"}, &smaller, NULL),
             OPL_OK);
    CHECK_EQ(opli_trace_events(&smaller), 0);
    opli_trace_free(&smaller);
}
