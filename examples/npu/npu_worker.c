/* npu_worker.c - one processing element, and how it reports to oplens.
 *
 * The device timed its work itself, with its own clock. The worker reads those times and records
 * them, in ticks, on the track of its processing element. Anchors say how the clocks relate. */
#include "npu_worker.h"

#include <stdio.h>

#include <oplens/oplens.h>

#include "npu_graph.h"

#define ANCHOR_EVERY_NS 50000000

void npu_worker_anchor(uint32_t device)
{
    int64_t before = opl_clock_ns(), ticks = npu_device_ticks(), after = opl_clock_ns();
    opl_device_anchor(device, ticks, before + (after - before) / 2);
}

/* One worker does it for all: anchors say more when they are well apart. */
static void anchor_when_due(npu_worker *worker)
{
    int64_t now = opl_clock_ns();
    if (worker->index != 0 || now < worker->next_anchor_ns)
        return;
    npu_worker_anchor(worker->device);
    worker->next_anchor_ns = now + ANCHOR_EVERY_NS;
}

/* An instruction of the device: the operator with its tensors, and where it stands. */
static void report_instruction(const npu_worker *worker, const npu_job *job, uint32_t index, const npu_times *times)
{
    const npu_operator *op = &npu_graph[index + 1]; /* the first operator is the host's */
    int64_t begin = times->instruction_begin[index];
    opl_span span = opl_span_timed(job->sites[index], worker->track, begin, times->instruction_end[index] - begin);
    opl_arg_operator(&span, &(opl_operator){.op_type = op->op_type,
                                            .inputs = &op->input,
                                            .input_count = 1,
                                            .outputs = &op->output,
                                            .output_count = 1,
                                            .instruction_index = index + 1, /* these count from 1: */
                                            .operator_index = index + 2});  /* 0 is "not said" */
}

/* One stretch of work for one inference, and all that ran in it. */
static void report_execution(npu_worker *worker, const npu_job *job, const npu_times *times)
{
    opl_span span = opl_span_timed(OPL_SITE("Execution", OPL_CAT_INFERENCE, 1), worker->track, times->begin,
                                   times->end - times->begin);
    opl_arg_int(&span, OPL_KEY("execution_index"), (int64_t)job->number);
    opl_arg_int(&span, OPL_KEY("pe_index"), worker->index);
    opl_arg_uint(&span, OPL_KEY("dram_base"), job->buffer.address);
    opl_flow_end(&span, job->flow);
    for (uint32_t i = 0; i < job->program->count; i++)
        report_instruction(worker, job, i, times);
    if (span.record) /* an anchor is of use only beside what was recorded */
        anchor_when_due(worker);
}

static void classify(const int8_t *input, int8_t *output)
{
    for (int i = 0; i < NPU_OUTPUT_SIZE; i++)
        output[i] = (int8_t)(input[i * 300] / 2 + input[i * 300 + 7] / 2);
}

/* It reports before it says that a job is done, so that what a warm-up ran is reported within it. */
static void *work(void *argument)
{
    npu_worker *worker = argument;
    npu_times times;
    char name[16];
    snprintf(name, sizeof name, "npu-pe%u", worker->index);
    opl_thread_name(name);
    for (npu_job *job; (job = npu_queue_take(worker->queue));) {
        npu_device_execute(job->program, &times);
        classify(job->input, job->output);
        report_execution(worker, job, &times);
        npu_queue_finish(worker->queue, job);
    }
    return NULL;
}

bool npu_worker_start(npu_worker *worker, npu_queue *queue, uint32_t device, uint32_t index)
{
    char name[16];
    snprintf(name, sizeof name, "PE %u", index);
    *worker = (npu_worker){.queue = queue, .device = device, .index = index};
    worker->next_anchor_ns = opl_clock_ns() + ANCHOR_EVERY_NS;
    worker->track = opl_track_declare(device, name, index);
    return pthread_create(&worker->thread, NULL, work, worker) == 0;
}

void npu_worker_join(npu_worker *worker) { pthread_join(worker->thread, NULL); }
