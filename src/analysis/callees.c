/* callees.c - whom does each function call, and what does it cost? */
#include "analysis/call_table.h"

static const opli_column columns[] = {
    {"file", "file", OPLI_COLUMN_TEXT},
    {"line", "line", OPLI_COLUMN_ID},
    {"function", "function", OPLI_COLUMN_TEXT},
    {"callee's file", "callee_file", OPLI_COLUMN_TEXT},
    {"line", "callee_line", OPLI_COLUMN_ID},
    {"callee", "callee_function", OPLI_COLUMN_TEXT},
    {"ncalls", "ncalls", OPLI_COLUMN_TEXT},
    {"calls", "calls", OPLI_COLUMN_COUNT},
    {"primitive", "primitive_calls", OPLI_COLUMN_COUNT},
    {"tottime", "tottime_ns", OPLI_COLUMN_NS},
    {"cumtime", "cumtime_ns", OPLI_COLUMN_NS},
};

static opl_status run_callees(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    (void)question;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    return opli_call_table_fill(trace, OPLI_CALL_CALLEES, table, err);
}

const opli_analysis opli_analysis_callees = {
    .name = "callees",
    .summary = "what each function called, how often, and for how long",
    .sorted_by = NULL,
    .run = run_callees,
};
