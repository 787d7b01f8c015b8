/* memory_events.c - what was allocated and released, when, where and by which operator? */
#include <stdio.h>

#include "analysis/analysis.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"

static const opli_column columns[] = {
    {"time", "time_ns", OPLI_COLUMN_NS},       {"device", "device", OPLI_COLUMN_TEXT},
    {"address", "address", OPLI_COLUMN_TEXT},  {"size", "size_bytes", OPLI_COLUMN_BYTES},
    {"used", "used_bytes", OPLI_COLUMN_BYTES}, {"allocated", "allocated_bytes", OPLI_COLUMN_BYTES},
    {"operator", "operator", OPLI_COLUMN_TEXT}};

static bool add_known(opli_table *table, int64_t bytes)
{
    return bytes < 0 ? opli_table_add_empty(table) : opli_table_add_number(table, bytes);
}

static bool add_row(const opli_trace *trace, opli_table *table, const opli_memory_row *row, int64_t first_ns)
{
    char address[24];
    int length = snprintf(address, sizeof address, "%016llx", (unsigned long long)row->address);
    return opli_table_add_number(table, row->time_ns - first_ns) && opli_trace_cell_device(table, trace, row->device) &&
           opli_table_add_text(table, address, (size_t)length) && opli_table_add_number(table, row->size_bytes) &&
           add_known(table, row->used_bytes) && add_known(table, row->allocated_bytes) &&
           (row->span == OPLI_NO_ROW ? opli_table_add_empty(table)
                                     : opli_trace_cell_text(table, trace, trace->spans.name[row->span]));
}

static opl_status run_memory_events(const opli_trace *trace, const opli_question *question, opli_table *table,
                                    opl_error *err)
{
    (void)question;
    bool ok = true;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    int64_t first_ns = opli_trace_first_ns(trace);
    for (size_t i = 0; ok && i < trace->memory.count; i++)
        ok = add_row(trace, table, &trace->memory.items[i], first_ns);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the table of memory events");
}

const opli_analysis opli_analysis_memory_events = {
    .name = "memory-events",
    .summary = "every allocation and release, with the operator it happened in",
    .run = run_memory_events,
};
