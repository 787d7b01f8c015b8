/* sample.c - a small program that records one of everything, the same each time but for the clock.
 *
 *     OPLENS_OUTPUT=run.opl sample            one of everything
 *     OPLENS_OUTPUT=run.opl sample exit       the same, and _exit() in the middle of a span
 *     OPLENS_OUTPUT=run.opl sample many N     N spans and nothing else */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <oplens/oplens.h>

/* ---- arguments ---- */

static void record_arguments(void)
{
    OPL_SPAN ("arguments", OPL_CAT_FUNCTION) {
        OPL_INT("least", INT64_MIN);
        OPL_UINT("most", UINT64_MAX);
        OPL_REAL("tenth", 0.1);
        OPL_REAL("infinite", INFINITY);
        OPL_BOOL("yes", 1);
        OPL_TEXT("text", "tab\tquote\" \xc3\xa4 \xff");
        OPL_TEXT("empty", "");
        OPL_INTS("strides", ((const int64_t[]){2, 2}), 2);
    }
}

static void record_operator(void)
{
    static const int64_t input[] = {8, 3, 224, 224}, output[] = {8, 64, -1, 112};
    static const opl_tensor inputs[] = {{"x", OPL_DTYPE_F32, 4, input}, {NULL, OPL_DTYPE_I64, 0, NULL}};
    static const opl_tensor outputs[] = {{"y", OPL_DTYPE_BF16, 4, output}};
    static const opl_attribute attributes[] = {{"pads", "3,3,3,3"}, {"post_op", "relu"}};
    static const opl_operator conv = {.op_type = "Conv",
                                      .inputs = inputs,
                                      .input_count = 2,
                                      .outputs = outputs,
                                      .output_count = 1,
                                      .attributes = attributes,
                                      .attribute_count = 2,
                                      .prepare_ns = 4000,
                                      .forward_ns = 120000,
                                      .execution_index = 1,
                                      .instruction_index = 2,
                                      .operator_index = 3};
    OPL_SPAN ("conv1", OPL_CAT_OP)
        opl_arg_operator(&opl_this_span, &conv);
}

/* ---- devices ---- */

static void record_device(void)
{
    uint32_t npu = opl_device_declare("npu0", "npu", 1e9), pe = opl_track_declare(npu, "pe0", 0);
    opl_device_anchor(npu, 1000, opl_clock_ns());
    opl_span launch = OPL_SPAN_BEGIN("launch", OPL_CAT_API);
    opl_flow_begin(&launch, 0xf10);
    opl_span_end(&launch);
    opl_span kernel = opl_span_timed(OPL_SITE("matmul", OPL_CAT_KERNEL, 1), pe, 5000, 700);
    opl_flow_end(&kernel, 0xf10);
    opl_counter_int(OPL_SITE("queue depth", OPL_CAT_COUNTER, 1), pe, 3);
    opl_memory_alloc(&(opl_memory){npu, 0x1000, 4096, 4096, 65536});
    opl_memory_free(&(opl_memory){npu, 0x1000, 4096, 0, 65536});
    opl_memory_alloc(&(opl_memory){OPL_DEVICE_HOST, 0x2000, 64, -1, -1});
}

/* ---- threads ---- */

static void *work(void *handed_over)
{
    opl_thread_name("loader");
    OPL_SPAN ("load batch", OPL_CAT_DATA)
        OPL_COUNTER("loss", 0.25);
    opl_span_end(handed_over);
    return NULL;
}

static void record_thread(void)
{
    pthread_t thread;
    opl_span span = OPL_SPAN_BEGIN("handed over", OPL_CAT_COMM);
    if (pthread_create(&thread, NULL, work, &span) == 0)
        pthread_join(thread, NULL);
}

/* ---- control ---- */

static void record_control(void)
{
    opl_recorder_pause();
    OPL_INSTANT("hidden by a pause", OPL_CAT_OP);
    opl_recorder_resume();
    OPL_RECORD ("warm up", OPL_WARM_UP)
        OPL_INSTANT("hidden by a warm-up", OPL_CAT_OP);
    OPL_RECORD ("measured", OPL_RECORD_PLAIN)
        OPL_INSTANT("shown", OPL_CAT_OP);
    opl_schedule_set(&(opl_schedule){.wait = 1, .active = 1, .repeat = 2}, NULL);
    for (int turn = 0; turn < 6; turn++)
        opl_schedule_step();
    opl_schedule_set(NULL, NULL);
}

static void record_everything(int leave)
{
    opl_thread_name("main");
    opl_metadata_set("model", "resnet18");
    opl_metadata_set("command line", "sample \"quoted\"");
    OPL_SPAN ("inference", OPL_CAT_INFERENCE) {
        record_arguments();
        record_operator();
        record_device();
        record_thread();
        record_control();
        if (leave)
            _exit(0);
    }
    (void)OPL_SPAN_BEGIN("never ended", OPL_CAT_OP);
}

static void record_many(long count)
{
    opl_thread_name("main");
    for (long i = 0; i < count; i++)
        OPL_SPAN ("one of many", OPL_CAT_OP) {
        }
}

int main(int count, char **words)
{
    if (count > 2 && strcmp(words[1], "many") == 0)
        record_many(strtol(words[2], NULL, 10));
    else
        record_everything(count > 1 && strcmp(words[1], "exit") == 0);
    return 0;
}
