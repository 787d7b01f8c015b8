/* flops.c - how many floating-point operations an operator does. */
#include "analysis/flops.h"

#include <string.h>

#include "import/json_scan.h"

#define INPUTS_MAX 12
#define RANK_MAX 8

typedef struct shape {
    size_t rank;
    int64_t dims[RANK_MAX];
} shape;

static bool read_numbers(const char *text, size_t length, shape *out)
{
    opli_json json = {text, text + length};
    opli_json_value value;
    out->rank = 0;
    if (opli_json_peek(&json) != '[')
        return false;
    json.at++;
    while (out->rank < RANK_MAX && opli_json_element(&json, &value))
        if (!opli_json_int(&value, &out->dims[out->rank++]))
            return false;
    return true;
}

/* The text of a list argument, NULL when there is none. */
static const char *list_of(const opli_trace *trace, uint32_t span, const char *key, size_t *length)
{
    uint32_t id = opli_string_find(&trace->strings, key, strlen(key));
    uint32_t arg = id == OPLI_STRING_NONE ? OPLI_NO_ROW : opli_trace_arg(trace, span, id);
    if (arg == OPLI_NO_ROW || opli_args_type(&trace->args, arg) != OPLI_ARG_JSON)
        return NULL;
    uint32_t text = (uint32_t)opli_args_value(&trace->args, arg);
    *length = opli_string_length(&trace->strings, text);
    return opli_trace_text(trace, text);
}

static size_t read_shapes(const opli_trace *trace, uint32_t span, shape *shapes)
{
    size_t length, count = 0;
    const char *text = list_of(trace, span, "Input Dims", &length);
    opli_json json = {text, text ? text + length : NULL};
    opli_json_value value;
    if (!text)
        return 0;
    json.at++;
    while (count < INPUTS_MAX && opli_json_element(&json, &value)) {
        if (!read_numbers(value.text, value.length, &shapes[count]))
            shapes[count].rank = 0;
        count++;
    }
    return count;
}

/* The number in "[2, 2]" or "1", the input at `index` of the concrete ones. */
static bool read_concrete(const opli_trace *trace, uint32_t span, size_t index, shape *out)
{
    size_t length;
    const char *text = list_of(trace, span, "Concrete Inputs", &length);
    opli_json json = {text, text ? text + length : NULL};
    opli_json_value value;
    if (!text)
        return false;
    json.at++;
    for (size_t i = 0; opli_json_element(&json, &value); i++) {
        if (i != index)
            continue;
        if (value.length && value.text[0] == '[')
            return read_numbers(value.text, value.length, out);
        out->rank = 1;
        return opli_json_int(&value, &out->dims[0]);
    }
    return false;
}

/* The product of all, 0 when that is more than a number holds: then nothing is known. */
static int64_t product(const int64_t *factors, size_t count)
{
    int64_t all = 1;
    for (size_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(all, factors[i], &all))
            return 0;
    return all;
}

static int64_t volume(const shape *s) { return product(s->dims, s->rank); }

static int64_t pick(const shape *s, size_t i) { return s->rank == 1 ? s->dims[0] : s->dims[i]; }

/* How long the output of a convolution is in one direction. */
static int64_t output_side(int64_t input, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation)
{
    __int128 room = (__int128)input + 2 * (__int128)padding - (__int128)dilation * ((__int128)kernel - 1) - 1;
    __int128 side = room / stride + 1;
    return side == (int64_t)side ? (int64_t)side : 0;
}

static int64_t conv2d(const opli_trace *trace, uint32_t span, const shape *in, size_t count)
{
    shape stride, padding, dilation, groups;
    if (count < 2 || in[0].rank != 4 || in[1].rank != 4 || !read_concrete(trace, span, 3, &stride) ||
        !read_concrete(trace, span, 4, &padding) || !read_concrete(trace, span, 5, &dilation) ||
        !read_concrete(trace, span, 6, &groups) || !stride.rank || !padding.rank || !dilation.rank || !groups.rank ||
        groups.dims[0] < 1 || pick(&stride, 0) < 1 || pick(&stride, 1) < 1)
        return 0;
    const int64_t *x = in[0].dims, *w = in[1].dims;
    int64_t sides[2];
    for (size_t i = 0; i < 2; i++)
        sides[i] = output_side(x[2 + i], w[2 + i], pick(&stride, i), pick(&padding, i), pick(&dilation, i));
    const int64_t factors[] = {2, x[0], sides[0], sides[1], w[2], w[3], x[1], w[0]};
    return product(factors, sizeof factors / sizeof *factors) / groups.dims[0];
}

/* The two matrices are the last inputs but for what stands in front (a bias). */
static int64_t matmul(const shape *in, size_t count, size_t first, size_t rank)
{
    if (count < first + 2 || in[first].rank != rank || in[first + 1].rank != rank)
        return 0;
    const int64_t *a = in[first].dims, *b = in[first + 1].dims;
    int64_t batch = rank == 3 ? a[0] : 1;
    const int64_t factors[] = {2, batch, a[rank - 2], a[rank - 1], b[rank - 1]};
    return product(factors, sizeof factors / sizeof *factors);
}

int64_t opli_span_flops(const opli_trace *trace, uint32_t span)
{
    const char *name = opli_trace_text(trace, trace->spans.name[span]);
    shape in[INPUTS_MAX];
    if (strncmp(name, "aten::", 6) != 0)
        return 0;
    name += 6;
    bool is_conv = strcmp(name, "conv2d") == 0, is_mm = strcmp(name, "mm") == 0, is_addmm = strcmp(name, "addmm") == 0;
    bool is_bmm = strcmp(name, "bmm") == 0, is_baddbmm = strcmp(name, "baddbmm") == 0;
    bool is_each = strcmp(name, "mul") == 0 || strcmp(name, "add") == 0;
    if (!is_conv && !is_mm && !is_addmm && !is_bmm && !is_baddbmm && !is_each)
        return 0;
    size_t count = read_shapes(trace, span, in);
    if (is_conv)
        return conv2d(trace, span, in, count);
    if (is_each)
        return count ? volume(&in[0]) : 0;
    return matmul(in, count, is_addmm || is_baddbmm ? 1 : 0, is_bmm || is_baddbmm ? 3 : 2);
}
