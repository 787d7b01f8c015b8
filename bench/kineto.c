/* kineto.c - made-up traces of the kind PyTorch writes. */
#include "kineto.h"

static const char *const ops[] = {
    "aten::conv2d",        "aten::batch_norm", "aten::relu_", "aten::addmm",  "aten::linear",
    "aten::softmax",       "aten::layer_norm", "aten::gelu",  "aten::matmul", "aten::copy_",
    "aten::empty_strided", "aten::transpose",  "aten::view",  "aten::add",    "aten::mul"};
#define OPS (sizeof ops / sizeof *ops)

typedef struct writing {
    FILE *to;
    const char *space, *line, *deep; /* between members, between groups of them, inside "args" */
    enum opli_kineto_layout layout;
    uint64_t events, time_ns, correlation, bytes;
    uint32_t random;
    unsigned variety;
} writing;

static uint32_t next(writing *w) { return (w->random = w->random * 1664525u + 1013904223u) >> 8; }

static void put(writing *w, int written) { w->bytes += written > 0 ? (uint64_t)written : 0; }

static void begin(writing *w, const char *phase, const char *category, const char *name, unsigned pid, unsigned tid)
{
    const char *s = w->space, *l = w->line;
    if (w->layout == OPLI_KINETO_INDENTED)
        put(w, fprintf(w->to, ",\n  {%s\"pid\": %u,%s\"name\": \"%s\",%s\"tid\": %u,%s\"cat\": \"%s\",%s\"ph\": \"%s\"",
                       l, pid, l, name, l, tid, l, category, l, phase));
    else
        put(w, fprintf(w->to,
                       ",\n%s{%s\"ph\":%s\"%s\",%s\"cat\":%s\"%s\",%s\"name\":%s\"%s\",%s\"pid\":%s%u,%s\"tid\":%s%u",
                       w->layout == OPLI_KINETO_NATIVE ? "  " : "", l, s, phase, s, s, category, s, s, name, s, s, pid,
                       s, s, tid));
    w->events++;
}

static void put_time(writing *w, uint64_t start_ns, uint64_t duration_ns)
{
    put(w, fprintf(w->to, ",%s\"ts\":%s%llu.%03llu,%s\"dur\":%s%llu.%03llu", w->line, w->space,
                   (unsigned long long)(start_ns / 1000), (unsigned long long)(start_ns % 1000), w->space, w->space,
                   (unsigned long long)(duration_ns / 1000), (unsigned long long)(duration_ns % 1000)));
}

static void put_op(writing *w)
{
    uint32_t random = next(w), shape = next(w) % w->variety;
    const char *s = w->space;
    begin(w, "X", "cpu_op", ops[random % OPS], 4242, 4242 + random / 16 % 3);
    put_time(w, w->time_ns, 5000 + random % 9000);
    put(w,
        fprintf(
            w->to,
            ",%s\"args\":%s{%s\"External id\":%s%llu,%s\"Record function id\":%s0,%s\"Sequence number\":%s%u,%s\"Fwd "
            "thread id\":%s0,%s\"Input type\":%s[\"float\",%s\"float\"],%s\"Input Dims\":%s[[%u,%s%u],%s[%u]],%s\"Ev "
            "Idx\":%s%llu%s}%s}",
            w->line, s, w->deep, s, (unsigned long long)w->correlation, w->deep, s, w->deep, s, random % 5000, w->deep,
            s, w->deep, s, s, w->deep, s, 8 + shape % 64, s, 16 * (1 + shape), s, 16 * (1 + shape), w->deep, s,
            (unsigned long long)w->events, w->line, w->layout == OPLI_KINETO_COMPACT ? "" : "\n  "));
}

static void put_launch(writing *w)
{
    const char *s = w->space;
    begin(w, "X", "cuda_runtime", "cudaLaunchKernel", 4242, 4242);
    put_time(w, w->time_ns + 2000, 1000 + next(w) % 3000);
    put(w, fprintf(w->to, ",%s\"args\":%s{%s\"External id\":%s%llu,%s\"cbid\":%s211,%s\"correlation\":%s%llu%s}%s}",
                   w->line, s, w->deep, s, (unsigned long long)w->correlation, w->deep, s, s, s,
                   (unsigned long long)w->correlation, w->line, w->layout == OPLI_KINETO_COMPACT ? "" : "\n  "));
}

static void put_kernel(writing *w)
{
    const char *s = w->space;
    char name[160];
    snprintf(name, sizeof name,
             "void at::native::vectorized_elementwise_kernel<%u, at::native::CUDAFunctor_add<float> >(int)",
             next(w) % 40);
    begin(w, "X", "kernel", name, 0, 7);
    put_time(w, w->time_ns + 9000, 2000 + next(w) % 20000);
    put(w,
        fprintf(w->to,
                ",%s\"args\":%s{%s\"External id\":%s%llu,%s\"device\":%s0,%s\"stream\":%s7,%s\"correlation\":%s%llu,%s"
                "\"registers per thread\":%s%u,%s\"grid\":%s[%u,%s1,%s1],%s\"block\":%s[128,%s1,%s1]%s}%s}",
                w->line, s, w->deep, s, (unsigned long long)w->correlation, w->deep, s, s, s, w->deep, s,
                (unsigned long long)w->correlation, w->deep, s, 16 + next(w) % 8 * 8, w->deep, s,
                1 + next(w) % w->variety, s, s, w->deep, s, s, s, w->line,
                w->layout == OPLI_KINETO_COMPACT ? "" : "\n  "));
}

uint64_t opli_kineto_write(FILE *to, enum opli_kineto_layout layout, uint64_t bytes, unsigned variety)
{
    static const struct {
        const char *space, *line, *deep;
    } styles[] = {{" ", "\n    ", " "}, {"", "", ""}, {" ", "\n    ", "\n      "}};
    writing w = {.to = to,
                 .space = styles[layout].space,
                 .line = styles[layout].line,
                 .deep = styles[layout].deep,
                 .layout = layout,
                 .time_ns = UINT64_C(1419116105356596),
                 .correlation = 1,
                 .random = 1,
                 .variety = variety ? variety : 1};
    put(&w,
        fprintf(to,
                "{\"schemaVersion\": 1, \"traceEvents\": [\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 4242, "
                "\"tid\": 0, \"args\": {\"name\": \"python\"}}"));
    while (w.bytes < bytes) {
        put_op(&w);
        put_launch(&w);
        put_kernel(&w);
        w.time_ns += 20000 + next(&w) % 5000;
        w.correlation++;
    }
    put(&w, fprintf(to, "\n]}\n"));
    return w.events + 1;
}
