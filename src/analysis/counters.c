/* counters.c - what values were reported over time? */
#include "analysis/analysis.h"
#include "base/failure.h"

static const opli_column columns[] = {{"time", "time_ns", OPLI_COLUMN_NS},
                                      {"process", "pid", OPLI_COLUMN_ID},
                                      {"name", "name", OPLI_COLUMN_TEXT},
                                      {"series", "series", OPLI_COLUMN_TEXT},
                                      {"value", "value", OPLI_COLUMN_REAL}};

static bool add_row(const opli_trace *trace, opli_table *table, const opli_counter_row *row, int64_t first_ns)
{
    return opli_table_add_number(table, row->time_ns - first_ns) &&
           opli_table_add_number(table, trace->processes.items[row->process].pid) &&
           opli_table_add_text(table, opli_trace_text(trace, row->name),
                               opli_string_length(&trace->strings, row->name)) &&
           opli_table_add_text(table, opli_trace_text(trace, row->series),
                               opli_string_length(&trace->strings, row->series)) &&
           opli_table_add_real(table, row->value);
}

static opl_status run_counters(const opli_trace *trace, const opli_question *question, opli_table *table,
                               opl_error *err)
{
    (void)question;
    bool ok = true;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    int64_t first_ns = opli_trace_first_ns(trace);
    for (size_t i = 0; ok && i < trace->counters.count; i++)
        ok = add_row(trace, table, &trace->counters.items[i], first_ns);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the table of counters");
}

const opli_analysis opli_analysis_counters = {
    .name = "counters",
    .summary = "every value of every counter, in the order of time",
    .run = run_counters,
};
