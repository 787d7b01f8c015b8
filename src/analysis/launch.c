/* launch.c - which host span caused what a device did. */
#include "analysis/launch.h"

#include <stdlib.h>
#include <string.h>

/* A number that names a span of its file, and the span; sorted, they are looked up by halving. */
typedef struct mention {
    uint64_t id;
    uint32_t file;
    uint32_t span;
} mention;

typedef OPLI_VECTOR(mention) mentions;

static int by_id(const void *a, const void *b)
{
    const mention *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->span > y->span) - (x->span < y->span);
}

static uint32_t look_up(const mentions *m, uint64_t id, uint32_t file)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->items[middle].id < id || (m->items[middle].id == id && m->items[middle].file < file))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < m->count && m->items[low].id == id && m->items[low].file == file;
    return found ? m->items[low].span : OPLI_NO_ROW;
}

static uint32_t file_of(const opli_trace *trace, uint32_t span)
{
    return trace->tracks.items[trace->spans.track[span]].file;
}

static bool mention_add(const opli_trace *trace, mentions *m, uint64_t id, uint32_t span)
{
    mention *added = opli_vector_add(m);
    if (added)
        *added = (mention){id, file_of(trace, span), span};
    return added != NULL;
}

/* Most writers count upwards, so there is often nothing to do. */
static bool is_sorted(const mentions *m)
{
    for (size_t i = 1; i < m->count; i++)
        if (by_id(&m->items[i - 1], &m->items[i]) > 0)
            return false;
    return true;
}

static void mentions_sort(mentions *m)
{
    if (m->items && !is_sorted(m))
        qsort(m->items, m->count, sizeof *m->items, by_id);
}

/* ---- what spans say ---- */

bool opli_span_is_on_device(const opli_trace *trace, uint32_t span)
{
    return trace->tracks.items[trace->spans.track[span]].kind == OPLI_TRACK_QUEUE;
}

bool opli_span_is_device_work(const opli_trace *trace, uint32_t span)
{
    uint8_t kind = trace->spans.kind[span];
    return opli_span_is_on_device(trace, span) && kind != OPL_CAT_LABEL && kind != OPL_CAT_STEP &&
           kind != OPL_CAT_INFERENCE && kind != OPL_CAT_SYNC;
}

/* An integer argument; 0 ids are no ids. */
static bool id_of(const opli_trace *trace, uint32_t span, uint32_t key, uint64_t *id)
{
    if (key == OPLI_STRING_NONE)
        return false;
    uint32_t arg = opli_trace_arg(trace, span, key);
    if (arg == OPLI_NO_ROW || opli_args_type(&trace->args, arg) != OPLI_ARG_INT)
        return false;
    *id = opli_args_value(&trace->args, arg);
    return *id != 0;
}

typedef struct finding {
    const opli_trace *trace;
    uint32_t external_key, correlation_key;
    mentions by_external, by_correlation, by_flow;
} finding;

/* Operators and labels have ids of their own; runtime calls have the correlation of what they start. */
static bool collect_span(finding *f, uint32_t span)
{
    uint64_t id;
    if (opli_span_is_on_device(f->trace, span))
        return true;
    if (f->trace->spans.kind[span] == OPL_CAT_API)
        return !id_of(f->trace, span, f->correlation_key, &id) || mention_add(f->trace, &f->by_correlation, id, span);
    return !id_of(f->trace, span, f->external_key, &id) || mention_add(f->trace, &f->by_external, id, span);
}

static bool collect(finding *f)
{
    const opli_trace *trace = f->trace;
    bool ok = true;
    for (size_t i = 0; ok && i < trace->spans.count; i++)
        ok = collect_span(f, (uint32_t)i);
    for (size_t i = 0; ok && i < trace->flows.count; i++)
        if (trace->flows.items[i].phase == OPLI_FLOW_START && trace->flows.items[i].span != OPLI_NO_ROW)
            ok = mention_add(trace, &f->by_flow, trace->flows.items[i].id, trace->flows.items[i].span);
    mentions_sort(&f->by_external);
    mentions_sort(&f->by_correlation);
    mentions_sort(&f->by_flow);
    return ok;
}

static uint32_t launcher_of(const finding *f, uint32_t span)
{
    uint64_t id;
    uint32_t found = OPLI_NO_ROW;
    if (id_of(f->trace, span, f->external_key, &id))
        found = look_up(&f->by_external, id, file_of(f->trace, span));
    if (found == OPLI_NO_ROW && id_of(f->trace, span, f->correlation_key, &id)) {
        found = look_up(&f->by_correlation, id, file_of(f->trace, span));
        if (found != OPLI_NO_ROW && f->trace->spans.parent[found] != OPLI_NO_ROW)
            found = f->trace->spans.parent[found];
    }
    return found;
}

bool opli_launches_find(const opli_trace *trace, opli_launches *launches)
{
    finding f = {.trace = trace,
                 .external_key = opli_string_find(&trace->strings, "External id", strlen("External id")),
                 .correlation_key = opli_string_find(&trace->strings, "correlation", strlen("correlation"))};
    launches->launcher = malloc((trace->spans.count + 1) * sizeof *launches->launcher);
    bool ok = launches->launcher && collect(&f);
    for (size_t i = 0; ok && i < trace->spans.count; i++)
        launches->launcher[i] =
            opli_span_is_device_work(trace, (uint32_t)i) ? launcher_of(&f, (uint32_t)i) : OPLI_NO_ROW;
    for (size_t i = 0; ok && i < trace->flows.count; i++) {
        const opli_flow_row *flow = &trace->flows.items[i];
        bool ends = flow->phase == OPLI_FLOW_FINISH && flow->span != OPLI_NO_ROW;
        if (ends && opli_span_is_device_work(trace, flow->span) && launches->launcher[flow->span] == OPLI_NO_ROW)
            launches->launcher[flow->span] = look_up(&f.by_flow, flow->id, file_of(trace, flow->span));
    }
    opli_vector_free(&f.by_external);
    opli_vector_free(&f.by_correlation);
    opli_vector_free(&f.by_flow);
    if (!ok)
        opli_launches_free(launches);
    return ok;
}

void opli_launches_free(opli_launches *launches)
{
    free(launches->launcher);
    launches->launcher = NULL;
}
