/* averages.c - which operator takes the time and the memory, on the host and on the device?
 *
 * PyTorch's key_averages: one row for each name (and, if asked, each set of input shapes), host and
 * device spans apart. A device's time counts for the host span that launched it and for all around
 * it; memory counts for the span it was taken in. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/flops.h"
#include "analysis/launch.h"
#include "base/failure.h"

/* What one span adds to its row. */
typedef struct amounts {
    int64_t device_self_ns, device_total_ns;
    int64_t cpu_self_memory, cpu_memory, device_self_memory, device_memory;
    int64_t children_ns;
} amounts;

typedef struct group {
    uint32_t name, shapes, overload;
    bool on_device;
    uint64_t count;
    int64_t flops;
    int64_t total_ns, self_ns;
    amounts sum;
} group;

typedef struct averaging {
    const opli_trace *trace;
    bool by_shape;
    bool top_level;
    uint32_t shapes_key;
    amounts *spans;
    uint32_t *counted_as; /* the span itself, or the one it is merged into */
    OPLI_VECTOR(group) groups;
    uint32_t *places; /* hash table of groups, row + 1 */
    size_t place_mask;
} averaging;

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

static bool add_device_time(averaging *a)
{
    const opli_spans *spans = &a->trace->spans;
    opli_launches launches;
    if (!opli_launches_find(a->trace, &launches))
        return false;
    for (size_t i = 0; i < spans->count; i++) {
        uint32_t launcher = launches.launcher[i];
        if (launcher == OPLI_NO_ROW)
            continue;
        a->spans[a->counted_as[launcher]].device_self_ns += spans->duration_ns[i];
        for (uint32_t outer = launcher; outer != OPLI_NO_ROW; outer = spans->parent[outer])
            a->spans[outer].device_total_ns += spans->duration_ns[i];
    }
    opli_launches_free(&launches);
    return true;
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
        amounts *own = span == OPLI_NO_ROW ? NULL : &a->spans[a->counted_as[span]];
        if (own)
            *(on_host ? &own->cpu_self_memory : &own->device_self_memory) += event->size_bytes;
        for (; span != OPLI_NO_ROW; span = trace->spans.parent[span])
            *(on_host ? &a->spans[span].cpu_memory : &a->spans[span].device_memory) += event->size_bytes;
    }
}

/* ---- groups ---- */

static uint32_t shapes_of(const averaging *a, uint32_t span)
{
    if (!a->by_shape || a->shapes_key == OPLI_STRING_NONE)
        return 0;
    uint32_t arg = opli_trace_arg(a->trace, span, a->shapes_key);
    return arg == OPLI_NO_ROW ? 0 : (uint32_t)opli_args_value(&a->trace->args, arg);
}

static size_t hash_group(const group *g)
{
    uint64_t hash = ((uint64_t)g->name << 32 | g->shapes) * 0x9e3779b97f4a7c15u;
    return (size_t)((hash ^ hash >> 29) + g->on_device);
}

static bool same_group(const group *a, const group *b)
{
    return a->name == b->name && a->shapes == b->shapes && a->on_device == b->on_device;
}

static bool grow_places(averaging *a)
{
    size_t larger = a->place_mask ? (a->place_mask + 1) * 2 : 1024;
    uint32_t *places = calloc(larger, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < a->groups.count; i++) {
        size_t at = hash_group(&a->groups.items[i]) & (larger - 1);
        while (places[at])
            at = (at + 1) & (larger - 1);
        places[at] = (uint32_t)i + 1;
    }
    free(a->places);
    a->places = places;
    a->place_mask = larger - 1;
    return true;
}

static group *find_group(averaging *a, const group *wanted)
{
    if ((!a->places || a->groups.count * 2 > a->place_mask) && !grow_places(a))
        return NULL;
    size_t at = hash_group(wanted) & a->place_mask;
    for (; a->places[at]; at = (at + 1) & a->place_mask)
        if (same_group(&a->groups.items[a->places[at] - 1], wanted))
            return &a->groups.items[a->places[at] - 1];
    group *added = opli_vector_add(&a->groups);
    if (!added)
        return NULL;
    *added = *wanted;
    a->places[at] = (uint32_t)a->groups.count;
    return added;
}

static void add_amounts(amounts *to, const amounts *more)
{
    to->device_self_ns += more->device_self_ns;
    to->device_total_ns += more->device_total_ns;
    to->cpu_self_memory += more->cpu_self_memory;
    to->cpu_memory += more->cpu_memory;
    to->device_self_memory += more->device_self_memory;
    to->device_memory += more->device_memory;
}

static bool add_span(averaging *a, uint32_t span)
{
    const opli_spans *spans = &a->trace->spans;
    if ((a->top_level && spans->parent[span] != OPLI_NO_ROW) || a->counted_as[span] != span)
        return true;
    group wanted = {
        .name = spans->name[span], .shapes = shapes_of(a, span), .on_device = opli_span_is_on_device(a->trace, span)};
    group *g = find_group(a, &wanted);
    if (!g)
        return false;
    g->count++;
    g->flops += opli_span_flops(a->trace, span);
    g->total_ns += spans->duration_ns[span];
    g->self_ns += spans->duration_ns[span] - a->spans[span].children_ns;
    add_amounts(&g->sum, &a->spans[span]);
    return true;
}

/* ---- the table ---- */

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"calls", "count", OPLI_COLUMN_COUNT},
                                      {"self CPU", "cpu_self_ns", OPLI_COLUMN_NS},
                                      {"CPU total", "cpu_total_ns", OPLI_COLUMN_NS},
                                      {"CPU average", "cpu_average_ns", OPLI_COLUMN_NS},
                                      {"self device", "device_self_ns", OPLI_COLUMN_NS},
                                      {"device total", "device_total_ns", OPLI_COLUMN_NS},
                                      {"CPU memory", "cpu_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"self CPU memory", "cpu_self_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"device memory", "device_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"self device memory", "device_self_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"FLOPs", "flops", OPLI_COLUMN_COUNT},
                                      {"input shapes", "input_shapes", OPLI_COLUMN_TEXT}};

static bool add_text(const averaging *a, opli_table *table, uint32_t text)
{
    return opli_table_add_text(table, opli_trace_text(a->trace, text), opli_string_length(&a->trace->strings, text));
}

/* A device's own span has no time on the host, and its time on the device is its own. */
static bool add_row(const averaging *a, opli_table *table, const group *g)
{
    int64_t cpu_self = g->on_device ? 0 : g->self_ns, cpu_total = g->on_device ? 0 : g->total_ns;
    int64_t device_self = g->on_device ? g->total_ns : g->sum.device_self_ns;
    int64_t device_total = g->on_device ? g->total_ns : g->sum.device_total_ns;
    return add_text(a, table, g->name) && opli_table_add_number(table, (int64_t)g->count) &&
           opli_table_add_number(table, cpu_self) && opli_table_add_number(table, cpu_total) &&
           opli_table_add_number(table, cpu_total / (int64_t)g->count) && opli_table_add_number(table, device_self) &&
           opli_table_add_number(table, device_total) && opli_table_add_number(table, g->sum.cpu_memory) &&
           opli_table_add_number(table, g->sum.cpu_self_memory) && opli_table_add_number(table, g->sum.device_memory) &&
           opli_table_add_number(table, g->sum.device_self_memory) && opli_table_add_number(table, g->flops) &&
           add_text(a, table, g->shapes);
}

static opl_status fill(averaging *a, opli_table *table)
{
    merge_repeats(a);
    add_children(a);
    bool ok = add_device_time(a);
    add_memory(a);
    for (size_t i = 0; ok && i < a->trace->spans.count; i++)
        ok = add_span(a, (uint32_t)i);
    for (size_t i = 0; ok && i < a->groups.count; i++)
        ok = add_row(a, table, &a->groups.items[i]);
    return ok ? OPL_OK : OPL_NOMEM;
}

static opl_status run_averages(const opli_trace *trace, const opli_question *question, opli_table *table,
                               opl_error *err)
{
    const char *group_by = question->group_by;
    if (group_by && strcmp(group_by, "shape") != 0 && strcmp(group_by, "name") != 0)
        return opli_fail(err, OPL_INVALID, "averages cannot be grouped by '%s'; there are name and shape", group_by);
    averaging a = {.trace = trace, .top_level = question->top_level};
    a.by_shape = group_by && strcmp(group_by, "shape") == 0;
    a.shapes_key = opli_string_find(&trace->strings, "Input Dims", strlen("Input Dims"));
    a.spans = calloc(trace->spans.count + 1, sizeof *a.spans);
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    a.counted_as = malloc((trace->spans.count + 1) * sizeof *a.counted_as);
    opl_status st = a.spans && a.counted_as ? fill(&a, table) : OPL_NOMEM;
    free(a.spans);
    free(a.counted_as);
    free(a.places);
    opli_vector_free(&a.groups);
    return st == OPL_OK ? st : opli_fail(err, st, "not enough memory for the averages");
}

const opli_analysis opli_analysis_averages = {
    .name = "averages",
    .summary = "time, memory and FLOPs of each operator, on the host and on the device",
    .sorted_by = "-cpu_total_ns",
    .run = run_averages,
};
