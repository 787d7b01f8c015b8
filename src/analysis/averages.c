/* averages.c - which operator takes the time and the memory, on the host and on the device?
 *
 * PyTorch's key_averages: one row for each name (and, if asked, each set of input shapes, overload, module or stack of
 * callers), host and device spans apart. A device's time counts for the host span that launched it and for all around
 * it; memory counts for the span it was taken in. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/flops.h"
#include "analysis/grouping.h"
#include "analysis/launch.h"
#include "analysis/span_role.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"
#include "base/key_map.h"

/* What one span adds to its row. */
typedef struct amounts {
    int64_t device_self_ns, device_total_ns;
    int64_t children_ns;
} amounts;

typedef struct memory_amounts {
    int64_t cpu_self, cpu, device_self, device;
} memory_amounts;

typedef struct group {
    uint32_t name;
    opli_traits traits; /* those all its spans share */
    bool on_device;
    bool has_share; /* of the whole: it is work that is not counted elsewhere too */
    uint64_t count;
    int64_t flops;
    int64_t total_ns, self_ns;
    amounts sum;
    memory_amounts memory;
} group;

typedef struct averaging {
    const opli_trace *trace;
    opli_grouping grouping;
    bool top_level;
    opli_launches launches;
    amounts *spans;
    memory_amounts *memory; /* of the spans, too; NULL when the trace says nothing of memory */
    uint32_t *counted_as;   /* the span itself, or the one it is merged into */
    OPLI_VECTOR(group) groups;
    opli_key_map numbers;      /* of groups, by name, side and what parts them */
    uint32_t *by_name;         /* number + 1 of the group that only a name and a side make: twice as many as texts */
    int64_t cpu_ns, device_ns; /* the whole: own time of all host spans, and of all work on devices */
} averaging;

/* A damaged trace may have sums that no number holds: they stay at the end of what it holds. */
static void add(int64_t *to, int64_t more)
{
    if (__builtin_add_overflow(*to, more, to))
        *to = more < 0 ? INT64_MIN : INT64_MAX;
}

/* ---- what each span has ---- */

/* An operator that only calls itself again, under the same name, is one call: PyTorch's rule. */
static void merge_repeats(averaging *a)
{
    const opli_spans *spans = &a->trace->spans;
    for (size_t i = 0; i < spans->count; i++)
        a->counted_as[i] = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (spans->parent[i] != OPLI_NO_ROW)
            a->counted_as[spans->parent[i]]++; /* for now: how many children it has */
    for (size_t i = spans->count; i-- > 0;) {
        uint32_t parent = spans->parent[i];
        bool only_child = parent != OPLI_NO_ROW && a->counted_as[parent] == 1;
        bool repeats = only_child && spans->name[i] == spans->name[parent] && spans->kind[i] == OPL_CAT_OP &&
                       spans->kind[parent] == OPL_CAT_OP;
        a->counted_as[i] = repeats ? parent : (uint32_t)i;
    }
    for (size_t i = 0; i < spans->count; i++)
        a->counted_as[i] = a->counted_as[a->counted_as[i]]; /* a parent stands before its children */
}

static void add_children(averaging *a)
{
    const opli_spans *spans = &a->trace->spans;
    for (size_t i = 0; i < spans->count; i++)
        if (spans->parent[i] != OPLI_NO_ROW && a->counted_as[i] == i)
            a->spans[a->counted_as[spans->parent[i]]].children_ns += spans->duration_ns[i];
}

static void add_device_time(averaging *a)
{
    const opli_spans *spans = &a->trace->spans;
    for (size_t i = 0; i < spans->count; i++) {
        uint32_t launcher = a->launches.launcher[i];
        if (launcher == OPLI_NO_ROW)
            continue;
        a->spans[a->counted_as[launcher]].device_self_ns += spans->duration_ns[i];
        for (uint32_t outer = launcher; outer != OPLI_NO_ROW; outer = spans->parent[outer])
            a->spans[outer].device_total_ns += spans->duration_ns[i];
    }
}

/* Runtime calls take no memory of their own: what happens in them belongs to the span around. */
static void add_memory(averaging *a)
{
    const opli_trace *trace = a->trace;
    for (size_t i = 0; i < trace->memory.count; i++) {
        const opli_memory_row *event = &trace->memory.items[i];
        uint32_t span = event->span;
        while (span != OPLI_NO_ROW && trace->spans.kind[span] == OPL_CAT_API)
            span = trace->spans.parent[span];
        bool on_host = event->device == OPLI_NO_ROW;
        memory_amounts *own = span == OPLI_NO_ROW ? NULL : &a->memory[a->counted_as[span]];
        if (own)
            add(on_host ? &own->cpu_self : &own->device_self, event->size_bytes);
        for (; span != OPLI_NO_ROW; span = trace->spans.parent[span])
            add(on_host ? &a->memory[span].cpu : &a->memory[span].device, event->size_bytes);
    }
}

/* ---- groups ---- */

static opli_key key_of(uint32_t name, bool on_device, const opli_traits *parting)
{
    return (opli_key){{(uint64_t)name << 1 | on_device, (uint64_t)parting->shapes << 32 | parting->overload,
                       (uint64_t)parting->stack << 32 | parting->module}};
}

static group *find_group(averaging *a, const group *wanted)
{
    opli_traits parting = opli_grouping_parting(&a->grouping, &wanted->traits);
    opli_key key = key_of(wanted->name, wanted->on_device, &parting);
    uint32_t *known = key.words[1] || key.words[2] ? NULL : &a->by_name[key.words[0]];
    if (known && *known)
        return &a->groups.items[*known - 1];
    uint32_t number = opli_key_map_add(&a->numbers, key);
    if (number == OPLI_KEY_NONE)
        return NULL;
    if (known)
        *known = number + 1;
    if (number < a->groups.count)
        return &a->groups.items[number];
    group *added = opli_vector_add(&a->groups);
    if (added)
        *added = *wanted;
    return added;
}

/* What its spans do not agree on is not the group's. */
static void keep_shared(opli_traits *traits, const opli_traits *more)
{
    traits->overload = traits->overload == more->overload ? traits->overload : 0;
    traits->module = traits->module == more->module ? traits->module : 0;
}

static void add_amounts(group *to, const amounts *more, const memory_amounts *memory)
{
    add(&to->sum.device_self_ns, more->device_self_ns);
    add(&to->sum.device_total_ns, more->device_total_ns);
    if (!memory)
        return;
    add(&to->memory.cpu_self, memory->cpu_self);
    add(&to->memory.cpu, memory->cpu);
    add(&to->memory.device_self, memory->device_self);
    add(&to->memory.device, memory->device);
}

/* A label over a device's work has no share, the work has; a profiler's overhead also passed in other spans. */
static bool has_share(const averaging *a, uint32_t span)
{
    return opli_span_is_on_device(a->trace, span) ? opli_span_is_device_work(a->trace, span)
                                                  : !opli_span_is_overhead(a->trace, span);
}

static bool add_to_group(averaging *a, uint32_t span, int64_t self_ns)
{
    group wanted = {.name = a->trace->spans.name[span],
                    .on_device = opli_span_is_on_device(a->trace, span),
                    .has_share = has_share(a, span)};
    if (!opli_grouping_traits(&a->grouping, span, &wanted.traits))
        return false;
    group *g = find_group(a, &wanted);
    if (!g)
        return false;
    keep_shared(&g->traits, &wanted.traits);
    g->has_share = g->has_share && wanted.has_share;
    g->count++;
    add(&g->flops, opli_span_flops(a->trace, span));
    g->total_ns += a->trace->spans.duration_ns[span];
    g->self_ns += self_ns;
    add_amounts(g, &a->spans[span], a->memory ? &a->memory[span] : NULL);
    return true;
}

static bool add_span(averaging *a, uint32_t span)
{
    if (a->counted_as[span] != span || opli_span_is_window(a->trace, span))
        return true;
    int64_t total_ns = a->trace->spans.duration_ns[span], self_ns = total_ns - a->spans[span].children_ns;
    bool on_device = opli_span_is_on_device(a->trace, span);
    if (has_share(a, span))
        *(on_device ? &a->device_ns : &a->cpu_ns) += on_device ? total_ns : self_ns;
    return (a->top_level && !opli_span_is_top_level(a->trace, span)) || add_to_group(a, span, self_ns);
}

/* ---- the table ---- */

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"calls", "count", OPLI_COLUMN_COUNT},
                                      {"self CPU", "cpu_self_ns", OPLI_COLUMN_NS},
                                      {"self CPU %", "cpu_self_percent", OPLI_COLUMN_REAL},
                                      {"CPU total", "cpu_total_ns", OPLI_COLUMN_NS},
                                      {"CPU total %", "cpu_total_percent", OPLI_COLUMN_REAL},
                                      {"CPU average", "cpu_average_ns", OPLI_COLUMN_NS},
                                      {"self device", "device_self_ns", OPLI_COLUMN_NS},
                                      {"self device %", "device_self_percent", OPLI_COLUMN_REAL},
                                      {"device total", "device_total_ns", OPLI_COLUMN_NS},
                                      {"device average", "device_average_ns", OPLI_COLUMN_NS},
                                      {"CPU memory", "cpu_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"self CPU memory", "cpu_self_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"device memory", "device_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"self device memory", "device_self_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"FLOPs", "flops", OPLI_COLUMN_COUNT},
                                      {"input shapes", "input_shapes", OPLI_COLUMN_TEXT},
                                      {"overload", "overload", OPLI_COLUMN_TEXT},
                                      {"module", "module", OPLI_COLUMN_TEXT},
                                      {"stack", "stack", OPLI_COLUMN_TEXT},
                                      {"side", "side", OPLI_COLUMN_TEXT}};

static bool add_cpu_cells(const averaging *a, opli_table *table, const group *g)
{
    int64_t self_ns = g->on_device ? 0 : g->self_ns, total_ns = g->on_device ? 0 : g->total_ns;
    int64_t whole_ns = g->has_share ? a->cpu_ns : 0;
    return opli_table_add_number(table, self_ns) && opli_trace_cell_percent(table, self_ns, whole_ns) &&
           opli_table_add_number(table, total_ns) && opli_trace_cell_percent(table, total_ns, whole_ns) &&
           opli_table_add_number(table, total_ns / (int64_t)g->count);
}

/* A device's own span has no time on the host, and its time on the device is its own. */
static bool add_device_cells(const averaging *a, opli_table *table, const group *g)
{
    int64_t self_ns = g->on_device ? g->total_ns : g->sum.device_self_ns;
    int64_t total_ns = g->on_device ? g->total_ns : g->sum.device_total_ns;
    return opli_table_add_number(table, self_ns) &&
           opli_trace_cell_percent(table, self_ns, g->has_share ? a->device_ns : 0) &&
           opli_table_add_number(table, total_ns) && opli_table_add_number(table, total_ns / (int64_t)g->count);
}

static bool add_memory_cells(opli_table *table, const memory_amounts *sum)
{
    return opli_table_add_number(table, sum->cpu) && opli_table_add_number(table, sum->cpu_self) &&
           opli_table_add_number(table, sum->device) && opli_table_add_number(table, sum->device_self);
}

static bool add_trait_cells(const averaging *a, opli_table *table, const opli_traits *traits)
{
    return opli_input_shapes_add_cell(&a->grouping.shapes, traits->shapes, table) &&
           (traits->overload ? opli_trace_cell_text(table, a->trace, traits->overload) : opli_table_add_empty(table)) &&
           opli_grouping_add_module(&a->grouping, traits->module, table) &&
           opli_caller_stacks_add_cell(&a->grouping.stacks, traits->stack, table);
}

static bool add_row(const averaging *a, opli_table *table, const group *g)
{
    const char *side = g->on_device ? "device" : "host";
    return opli_trace_cell_text(table, a->trace, g->name) && opli_table_add_number(table, (int64_t)g->count) &&
           add_cpu_cells(a, table, g) && add_device_cells(a, table, g) && add_memory_cells(table, &g->memory) &&
           opli_table_add_number(table, g->flops) && add_trait_cells(a, table, &g->traits) &&
           opli_table_add_text(table, side, strlen(side));
}

/* A trace that was added up when it was read: host spans only, and nothing but their time. */
static bool add_sums(averaging *a)
{
    for (size_t i = 0; i < a->trace->sums.count; i++) {
        const opli_name_sum *sum = &a->trace->sums.items[i];
        group *added = opli_vector_add(&a->groups);
        if (!added)
            return false;
        *added = (group){.name = sum->name,
                         .has_share = true,
                         .count = sum->count,
                         .total_ns = sum->total_ns,
                         .self_ns = sum->self_ns};
        a->cpu_ns += sum->self_ns;
    }
    return true;
}

static bool fill(averaging *a, opli_table *table)
{
    merge_repeats(a);
    add_children(a);
    add_device_time(a);
    bool ok = add_sums(a);
    add_memory(a);
    for (size_t i = 0; ok && i < a->trace->spans.count; i++)
        ok = add_span(a, (uint32_t)i);
    for (size_t i = 0; ok && i < a->groups.count; i++)
        ok = add_row(a, table, &a->groups.items[i]);
    return ok;
}

/* Launches come first: to find them takes memory of its own for a while. */
static bool prepare(averaging *a)
{
    size_t count = a->trace->spans.count;
    if (!opli_launches_find(a->trace, &a->launches))
        return false;
    a->spans = calloc(count + 1, sizeof *a->spans);
    a->memory = a->trace->memory.count ? calloc(count + 1, sizeof *a->memory) : NULL;
    a->counted_as = malloc((count + 1) * sizeof *a->counted_as);
    a->by_name = calloc(2 * ((size_t)a->trace->strings.count + 1), sizeof *a->by_name);
    return a->spans && a->counted_as && a->by_name && (a->memory || !a->trace->memory.count);
}

static void averaging_free(averaging *a)
{
    opli_launches_free(&a->launches);
    free(a->spans);
    free(a->memory);
    free(a->counted_as);
    free(a->by_name);
    opli_vector_free(&a->groups);
    opli_key_map_free(&a->numbers);
    opli_grouping_fini(&a->grouping);
}

static opl_status run_averages(const opli_trace *trace, const opli_question *question, opli_table *table,
                               opl_error *err)
{
    averaging a = {.trace = trace, .top_level = question->top_level};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    opl_status st = opli_grouping_init(&a.grouping, trace, question->group_by, err);
    if (st == OPL_OK && !(prepare(&a) && fill(&a, table)))
        st = opli_fail(err, OPL_NOMEM, "not enough memory for the averages");
    averaging_free(&a);
    return st;
}

/* What PyTorch's table can be sorted by; it puts the largest first. */
#define DEVICE_WORDS(device)                                                                                 \
    {device "_time", "-device_average_ns"}, {device "_time_total", "-device_total_ns"},                      \
        {"self_" device "_time_total", "-device_self_ns"}, {device "_memory_usage", "-device_memory_bytes"}, \
    {                                                                                                        \
        "self_" device "_memory_usage", "-device_self_memory_bytes"                                          \
    }
static const opli_sort_word sort_words[] = {{"cpu_time", "-cpu_average_ns"},
                                            {"cpu_time_total", "-cpu_total_ns"},
                                            {"self_cpu_time_total", "-cpu_self_ns"},
                                            {"cpu_memory_usage", "-cpu_memory_bytes"},
                                            {"self_cpu_memory_usage", "-cpu_self_memory_bytes"},
                                            DEVICE_WORDS("device"),
                                            DEVICE_WORDS("cuda"),
                                            DEVICE_WORDS("xpu"),
                                            DEVICE_WORDS("mtia"),
                                            DEVICE_WORDS("hpu"),
                                            DEVICE_WORDS("privateuse1"),
                                            {"key", "name"},
                                            {"overload_name", "overload"},
                                            {NULL, NULL}};

const opli_analysis opli_analysis_averages = {
    .name = "averages",
    .summary = "time, memory and FLOPs of each operator, on the host and on the device",
    .sorted_by = "-cpu_total_ns",
    .sums_will_do = true,
    .sort_words = sort_words,
    .run = run_averages,
};
