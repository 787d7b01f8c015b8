/* executions_test.c - executions of a device that does not say itself when they began and ended. */
#include "inquiry.h"
#include "test.h"

typedef struct lane_of_work {
    opli_builder builder;
    uint32_t thread, queue;
    uint64_t flow;
} lane_of_work;

static void begin(lane_of_work *w, opli_trace *trace)
{
    opli_builder_init(&w->builder, trace);
    uint32_t process = opli_builder_process(&w->builder, 1), gpu = opli_builder_device(&w->builder, "gpu", 2);
    w->thread = opli_builder_track(&w->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 1);
    w->queue = opli_builder_track(&w->builder, OPLI_TRACK_QUEUE, process, gpu, 7);
    w->flow = 0;
}

static void add_span(lane_of_work *w, uint32_t track, opl_category kind, int64_t start_ns, int64_t duration_ns)
{
    opli_builder_span(&w->builder, &(opli_span_draft){.start_ns = start_ns,
                                                      .duration_ns = duration_ns,
                                                      .name = opli_builder_word(&w->builder, "x"),
                                                      .track = track,
                                                      .kind = (uint8_t)kind});
}

/* Work on the device, launched at a moment of the host. */
static void launch(lane_of_work *w, int64_t host_ns, opl_category kind, int64_t start_ns, int64_t duration_ns)
{
    opli_flow_row flow = {.time_ns = host_ns, .id = ++w->flow, .track = w->thread, .phase = OPLI_FLOW_START};
    opli_builder_flow(&w->builder, flow);
    flow.time_ns = start_ns;
    flow.track = w->queue;
    flow.phase = OPLI_FLOW_FINISH;
    opli_builder_flow(&w->builder, flow);
    add_span(w, w->queue, kind, start_ns, duration_ns);
}

TEST(executions, are_what_an_inference_launched_on_a_queue_also_when_it_runs_later)
{
    opli_trace trace;
    lane_of_work w;
    begin(&w, &trace);
    add_span(&w, w.thread, OPL_CAT_INFERENCE, 0, 100);
    launch(&w, 10, OPL_CAT_COPY, 50, 10);
    launch(&w, 20, OPL_CAT_KERNEL, 60, 30);
    launch(&w, 30, OPL_CAT_KERNEL, 110, 30); /* the inference on the host is over */
    add_span(&w, w.thread, OPL_CAT_INFERENCE, 100, 100);
    launch(&w, 120, OPL_CAT_KERNEL, 150, 40);
    CHECK_EQ(opli_builder_finish(&w.builder), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_executions);
    CHECK_EQ(opli_table_rows(&table), 2);
    CHECK_TEXT(inquiry_text(&table, 0, "device"), "gpu 2");
    CHECK_EQ(inquiry_number(&table, 0, "queue"), 7);
    CHECK_EQ(inquiry_number(&table, 0, "start_ns"), 50);
    CHECK_EQ(inquiry_number(&table, 0, "total_ns"), 90);
    CHECK_EQ(inquiry_number(&table, 0, "run_ns"), 60);
    CHECK_EQ(inquiry_number(&table, 0, "wait_ns"), 30);
    CHECK_EQ(inquiry_number(&table, 1, "run_ns"), 40);
    CHECK_EQ(inquiry_number(&table, 1, "wait_ns"), 0);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(executions, leave_out_work_that_no_inference_launched)
{
    opli_trace trace;
    lane_of_work w;
    begin(&w, &trace);
    add_span(&w, w.queue, OPL_CAT_KERNEL, 0, 10);
    CHECK_EQ(opli_builder_finish(&w.builder), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_executions);
    CHECK_EQ(opli_table_rows(&table), 0);
    opli_table_free(&table);
    opli_trace_free(&trace);
}
