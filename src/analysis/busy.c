/* busy.c - when was any device at work? */
#include "analysis/busy.h"

#include <stdlib.h>

#include "analysis/launch.h"

static int by_start(const void *a, const void *b)
{
    const opli_busy_stretch *x = a, *y = b;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static bool collect(opli_busy *busy, const opli_trace *trace)
{
    const opli_spans *spans = &trace->spans;
    for (uint32_t i = 0; i < spans->count; i++) {
        if (!opli_span_is_device_work(trace, i) || spans->duration_ns[i] <= 0)
            continue;
        opli_busy_stretch *added = opli_vector_add(&busy->stretches);
        if (!added)
            return false;
        *added = (opli_busy_stretch){spans->start_ns[i], spans->start_ns[i] + spans->duration_ns[i], 0};
    }
    return true;
}

/* Makes one stretch of those that overlap or touch. */
static void join(opli_busy *busy)
{
    opli_busy_stretch *all = busy->stretches.items;
    size_t kept = 0;
    for (size_t i = 0; i < busy->stretches.count; i++) {
        opli_busy_stretch *last = kept ? &all[kept - 1] : NULL;
        if (last && all[i].start_ns <= last->end_ns) {
            last->end_ns = all[i].end_ns > last->end_ns ? all[i].end_ns : last->end_ns;
            continue;
        }
        int64_t before_ns = last ? last->before_ns + last->end_ns - last->start_ns : 0;
        all[kept++] = (opli_busy_stretch){all[i].start_ns, all[i].end_ns, before_ns};
    }
    busy->stretches.count = kept;
}

bool opli_busy_find(opli_busy *busy, const opli_trace *trace)
{
    *busy = (opli_busy){{0}};
    if (!collect(busy, trace))
        return false;
    if (busy->stretches.count)
        qsort(busy->stretches.items, busy->stretches.count, sizeof *busy->stretches.items, by_start);
    join(busy);
    return true;
}

void opli_busy_free(opli_busy *busy) { opli_vector_free(&busy->stretches); }

/* How much was worked before that moment. */
static int64_t worked_until(const opli_busy *busy, int64_t time_ns)
{
    size_t low = 0, high = busy->stretches.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (busy->stretches.items[middle].start_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return 0;
    const opli_busy_stretch *last = &busy->stretches.items[low - 1];
    return last->before_ns + (time_ns < last->end_ns ? time_ns : last->end_ns) - last->start_ns;
}

int64_t opli_busy_within(const opli_busy *busy, int64_t start_ns, int64_t end_ns)
{
    return end_ns > start_ns ? worked_until(busy, end_ns) - worked_until(busy, start_ns) : 0;
}
