/* trace.c - the store's life, and small questions. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static void free_spans(opli_spans *spans)
{
    void *columns[] = {spans->start_ns,  spans->duration_ns, spans->name,  spans->category, spans->track, spans->parent,
                       spans->first_arg, spans->arg_count,   spans->depth, spans->lane,     spans->kind,  spans->flags};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        free(columns[i]);
}

void opli_trace_free(opli_trace *trace)
{
    opli_string_table_free(&trace->strings);
    opli_vector_free(&trace->processes);
    opli_vector_free(&trace->devices);
    opli_vector_free(&trace->tracks);
    free_spans(&trace->spans);
    opli_args_free(&trace->args);
    opli_vector_free(&trace->sums);
    opli_vector_free(&trace->instants);
    opli_vector_free(&trace->counters);
    opli_vector_free(&trace->memory);
    opli_vector_free(&trace->flows);
    opli_vector_free(&trace->notes);
    opli_vector_free(&trace->facts);
    memset(trace, 0, sizeof *trace);
}

uint32_t opli_trace_arg(const opli_trace *trace, uint32_t span, uint32_t key)
{
    uint32_t first = trace->spans.first_arg[span];
    for (uint32_t i = 0; i < trace->spans.arg_count[span]; i++)
        if (opli_args_key(&trace->args, first + i) == key)
            return first + i;
    return OPLI_NO_ROW;
}

/* Spans are sorted by track; of the others the first need not be the earliest. */
int64_t opli_trace_first_ns(const opli_trace *trace)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < trace->tracks.count; i++)
        if (trace->tracks.items[i].first < trace->tracks.items[i].end) {
            int64_t start = trace->spans.start_ns[trace->tracks.items[i].first];
            first = start < first ? start : first;
        }
    for (size_t i = 0; i < trace->instants.count; i++)
        first = trace->instants.items[i].time_ns < first ? trace->instants.items[i].time_ns : first;
    for (size_t i = 0; i < trace->counters.count; i++)
        first = trace->counters.items[i].time_ns < first ? trace->counters.items[i].time_ns : first;
    for (size_t i = 0; i < trace->memory.count; i++)
        first = trace->memory.items[i].time_ns < first ? trace->memory.items[i].time_ns : first;
    for (size_t i = 0; i < trace->flows.count; i++)
        first = trace->flows.items[i].time_ns < first ? trace->flows.items[i].time_ns : first;
    return first == INT64_MAX ? 0 : first;
}

uint64_t opli_trace_events(const opli_trace *trace)
{
    uint64_t count = trace->spans.count;
    for (size_t i = 0; i < trace->sums.count; i++)
        count += trace->sums.items[i].count;
    return count + trace->instants.count + trace->counters.count + trace->memory.count + trace->flows.count;
}
