/* npu_runtime.c - the host's side of the runtime: ordinary spans around what the threads do. */
#include "npu_runtime.h"

#include <stdlib.h>
#include <time.h>

#include <oplens/oplens.h>

#include "npu_device.h"
#include "npu_graph.h"
#include "npu_queue.h"
#include "npu_worker.h"

#define WEIGHTS_BYTES (1024 * 1024)
#define COMPILE_NS 300000 /* for each operator */

struct npu {
    uint32_t id; /* as declared to oplens */
    npu_queue queue;
    uint32_t worker_count;
    npu_worker workers[NPU_PE_COUNT];
};

struct npu_model {
    npu *device;
    npu_program program;
    npu_buffer weights;
    opl_site *sites[NPU_INSTRUCTIONS_MAX]; /* the names of its instructions, found once */
};

/* ---- memory ---- */

static uint32_t pool_device; /* there is one pool, of one device */

static opl_memory memory_event(const npu_buffer *buffer, npu_usage usage)
{
    return (opl_memory){pool_device, buffer->address, buffer->size_bytes, usage.used_bytes, usage.allocated_bytes};
}

/* The pool calls these two inside its lock, so the trace sees its totals in order. */
static void report_alloc(const npu_buffer *buffer, npu_usage usage)
{
    opl_memory event = memory_event(buffer, usage);
    opl_memory_alloc(&event);
}

static void report_free(const npu_buffer *buffer, npu_usage usage)
{
    opl_memory event = memory_event(buffer, usage);
    opl_memory_free(&event);
}

/* ---- the device ---- */

npu *npu_open(void)
{
    npu *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->id = pool_device = opl_device_declare("npu0", "npu", NPU_CLOCK_HZ);
    npu_worker_anchor(device->id);
    npu_queue_init(&device->queue);
    for (uint32_t i = 0; i < NPU_PE_COUNT; i++) {
        if (!npu_worker_start(&device->workers[i], &device->queue, device->id, i)) {
            npu_close(device);
            return NULL;
        }
        device->worker_count++;
    }
    return device;
}

void npu_close(npu *device)
{
    if (!device)
        return;
    npu_queue_close(&device->queue);
    for (uint32_t i = 0; i < device->worker_count; i++)
        npu_worker_join(&device->workers[i]);
    npu_queue_fini(&device->queue);
    free(device);
}

uint64_t npu_execution_count(npu *device) { return npu_queue_count(&device->queue); }

/* ---- models ---- */

/* The operators between the first and the last become the device's program. */
static void compile(npu_model *model)
{
    OPL_SPAN ("compile", OPL_CAT_MODEL) {
        for (uint32_t i = 1; i + 1 < npu_graph_count; i++) {
            uint32_t at = model->program.count++;
            model->program.instructions[at] = npu_graph[i].instruction;
            model->sites[at] = opl_site_find(npu_graph[i].name, npu_graph[i].category, 1);
            nanosleep(&(struct timespec){0, COMPILE_NS}, NULL);
        }
        OPL_INT("instructions", model->program.count);
    }
}

npu_model *npu_model_load(npu *device)
{
    npu_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    OPL_SPAN ("load", OPL_CAT_MODEL) {
        OPL_UINT("weights_bytes", WEIGHTS_BYTES);
        model->device = device;
        compile(model);
        model->weights = npu_device_alloc(WEIGHTS_BYTES, report_alloc);
    }
    if (model->weights.address)
        return model;
    npu_model_unload(model);
    return NULL;
}

void npu_model_unload(npu_model *model)
{
    if (!model)
        return;
    npu_device_free(&model->weights, report_free);
    free(model);
}

/* ---- inferences ---- */

/* The host runs operators of the graph too; they carry the same arguments as the device's. */
static void describe(const opl_span *span, uint32_t index)
{
    const npu_operator *op = &npu_graph[index];
    opl_arg_operator(span, &(opl_operator){.op_type = op->op_type,
                                           .inputs = &op->input,
                                           .input_count = 1,
                                           .outputs = &op->output,
                                           .output_count = 1,
                                           .operator_index = index + 1}); /* from 1: 0 is "not said" */
}

static void quantize(const float *from, int8_t *to)
{
    OPL_SPAN ("quantize", OPL_CAT_OP) {
        describe(&opl_this_span, 0);
        for (int i = 0; i < NPU_INPUT_SIZE; i++)
            to[i] = (int8_t)(from[i] * 127);
    }
}

static void dequantize(const int8_t *from, float *to)
{
    OPL_SPAN ("dequantize", OPL_CAT_OP) {
        describe(&opl_this_span, npu_graph_count - 1);
        for (int i = 0; i < NPU_OUTPUT_SIZE; i++)
            to[i] = (float)from[i] / 127;
    }
}

/* The runtime's own calls and its waiting are of level 2. */
static void run_on_device(npu_queue *queue, npu_job *job)
{
    OPL_SPAN ("enqueue", OPL_CAT_API)
        npu_queue_push(queue, job);
    OPL_SPAN ("wait", OPL_CAT_SYNC)
        npu_queue_wait(queue, job);
}

bool npu_infer(npu_model *model, const float *input, float *output)
{
    npu_job job = {.program = &model->program, .sites = model->sites, .flow = opl_flow_new()};
    OPL_SPAN ("Inference", OPL_CAT_INFERENCE) {
        job.buffer = npu_device_alloc(NPU_INPUT_SIZE + NPU_OUTPUT_SIZE, report_alloc);
        if (!job.buffer.address) {
            OPL_TEXT("error", "the device has no memory left");
            break; /* leaves the block and ends the span */
        }
        quantize(input, job.input);
        opl_flow_begin(&opl_this_span, job.flow); /* not on "enqueue", which level 1 leaves out */
        run_on_device(&model->device->queue, &job);
        dequantize(job.output, output);
        npu_device_free(&job.buffer, report_free);
    }
    return job.done;
}
