/* attention.c - one attention layer on small matrices, annotated from end to end.
 *
 *     ./attention run.opl                  starts and stops through the API
 *     OPLENS_OUTPUT=run.opl ./attention    is recorded by the environment alone */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <oplens/oplens.h>

enum { TOKENS = 64, WIDTH = 32, RUNS = 20 };

/* A matrix of floats, which reports its memory. */
typedef struct tensor {
    int64_t dims[2];
    float *at;
} tensor;

static int64_t used_bytes; /* what tensors hold now */

/* What malloc took from the system for it, we cannot know: -1 says so. */
static opl_memory memory_of(const tensor *t)
{
    uint64_t size = (uint64_t)(t->dims[0] * t->dims[1]) * sizeof *t->at;
    return (opl_memory){OPL_DEVICE_HOST, (uint64_t)(uintptr_t)t->at, size, used_bytes, -1};
}

static tensor tensor_new(int64_t rows, int64_t columns)
{
    tensor t = {{rows, columns}, calloc((size_t)(rows * columns), sizeof(float))};
    if (!t.at)
        abort();
    used_bytes += rows * columns * (int64_t)sizeof(float);
    opl_memory event = memory_of(&t);
    opl_memory_alloc(&event);
    return t;
}

static void tensor_free(const tensor *t)
{
    used_bytes -= t->dims[0] * t->dims[1] * (int64_t)sizeof(float);
    opl_memory event = memory_of(t);
    opl_memory_free(&event);
    free(t->at);
}

/* A tensor as the trace describes it. */
static opl_tensor seen(const char *name, const tensor *t) { return (opl_tensor){name, OPL_DTYPE_F32, 2, t->dims}; }

static tensor tensor_filled(float seed)
{
    tensor t = tensor_new(TOKENS, WIDTH);
    for (int i = 0; i < TOKENS * WIDTH; i++)
        t.at[i] = sinf(seed + (float)i * 0.37f);
    return t;
}

/* scores = q x k' * scale: an operator's span carries its type, tensors and attributes. */
static void score(const tensor *q, const tensor *k, float scale, tensor *scores)
{
    OPL_SPAN ("scores", OPL_CAT_OP) {
        opl_operator op = {.op_type = "MatMul",
                           .inputs = (opl_tensor[]){seen("q", q), seen("k", k)},
                           .input_count = 2,
                           .outputs = (opl_tensor[]){seen("scores", scores)},
                           .output_count = 1,
                           .attributes = &(opl_attribute){"transpose_b", "true"},
                           .attribute_count = 1,
                           .operator_index = 1}; /* counts from 1: 0 is "not said" */
        opl_arg_operator(&opl_this_span, &op);
        OPL_REAL("scale", scale);
        for (int i = 0; i < TOKENS; i++)
            for (int j = 0; j < TOKENS; j++) {
                float sum = 0;
                for (int w = 0; w < WIDTH; w++)
                    sum += q->at[i * WIDTH + w] * k->at[j * WIDTH + w];
                scores->at[i * TOKENS + j] = sum * scale;
            }
    }
}

static void softmax(float *row)
{
    float sum = 0;
    for (int j = 0; j < TOKENS; j++)
        sum += row[j] = expf(row[j]);
    for (int j = 0; j < TOKENS; j++)
        row[j] /= sum;
}

static void mix(const tensor *scores, const tensor *v, tensor *out)
{
    for (int i = 0; i < TOKENS; i++)
        for (int j = 0; j < TOKENS; j++)
            for (int w = 0; w < WIDTH; w++)
                out->at[i * WIDTH + w] += scores->at[i * TOKENS + j] * v->at[j * WIDTH + w];
}

/* One inference. Two operators in a row can share a clock read: OPL_SPAN_NEXT. */
static float attention(const tensor *q, const tensor *k, const tensor *v, int number)
{
    float first = 0;
    OPL_SPAN ("attention", OPL_CAT_INFERENCE) {
        OPL_INT("number", number);
        OPL_INTS("shape", q->dims, 2);
        tensor scores = tensor_new(TOKENS, TOKENS), out = tensor_new(TOKENS, WIDTH);
        score(q, k, 1 / sqrtf(WIDTH), &scores);
        opl_span op = OPL_SPAN_BEGIN("softmax", OPL_CAT_OP);
        for (int i = 0; i < TOKENS; i++)
            softmax(scores.at + i * TOKENS);
        OPL_SPAN_NEXT(&op, "mix", OPL_CAT_OP);
        mix(&scores, v, &out);
        opl_span_end(&op);
        first = out.at[0];
        OPL_BOOL("finite", isfinite(first));
        OPL_COUNTER("first element", first);
        tensor_free(&scores);
        tensor_free(&out);
    }
    return first;
}

int main(int argc, char **argv)
{
    opl_error err;
    float sum = 0;
    if (argc > 1 && opl_recorder_start(&(opl_recorder_options){.path = argv[1]}, &err) != OPL_OK)
        fprintf(stderr, "attention: %s; running on without a trace\n", err.message);
    opl_metadata_set("model", "toy attention");
    opl_span load = OPL_SPAN_BEGIN("load", OPL_CAT_MODEL); /* a handle, where a block does not fit */
    const tensor in[] = {tensor_filled(0), tensor_filled(1), tensor_filled(2)}; /* q, k, v */
    opl_arg_text(&load, OPL_KEY("source"), "sine waves");
    opl_arg_uint(&load, OPL_KEY("address"), (uint64_t)(uintptr_t)in[0].at);
    opl_span_end(&load);

    OPL_RECORD ("warm up", OPL_WARM_UP) /* runs, and leaves nothing in the trace */
        sum += attention(&in[0], &in[1], &in[2], -1);
    OPL_INSTANT("warm", OPL_CAT_LABEL);
    OPL_RECORD ("run", OPL_RECORD_PLAIN)
        for (int i = 0; i < RUNS; i++)
            sum += attention(&in[0], &in[1], &in[2], i);

    for (int i = 0; i < 3; i++)
        tensor_free(&in[i]);
    printf("attention: %d runs of %dx%d, sum %.4f\n", RUNS, TOKENS, WIDTH, (double)sum);
    opl_recorder_stop(); /* does nothing when nothing was started; exit would do it too */
}
