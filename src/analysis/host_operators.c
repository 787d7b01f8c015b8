/* host_operators.c - each operator that ran on the host. */
#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_id.h"
#include "analysis/span_role.h"
#include "base/failure.h"

static const opli_column columns[] = {
    {"trace id", "trace_id", OPLI_COLUMN_TEXT},  {"span id", "span_id", OPLI_COLUMN_TEXT},
    {"thread", "thread", OPLI_COLUMN_ID},        {"name", "name", OPLI_COLUMN_TEXT},
    {"index", "operator_index", OPLI_COLUMN_ID}, {"start", "start_ns", OPLI_COLUMN_NS},
    {"duration", "duration_ns", OPLI_COLUMN_NS},
};

static bool add_row(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    const opli_trace *trace = ids->trace;
    uint32_t name = trace->spans.name[span];
    return opli_span_ids_add_trace(ids, span, table) && opli_span_ids_add_span(ids, span, table) &&
           opli_table_add_number(table, trace->tracks.items[trace->spans.track[span]].number) &&
           opli_table_add_text(table, opli_trace_text(trace, name), opli_string_length(&trace->strings, name)) &&
           opli_span_ids_add_number(ids, span, "operator_index", table) &&
           opli_table_add_number(table, trace->spans.start_ns[span]) &&
           opli_table_add_number(table, trace->spans.duration_ns[span]);
}

static bool is_asked_for(const opli_trace *trace, const opli_question *question, uint32_t span)
{
    if (trace->spans.kind[span] != OPL_CAT_OP || opli_span_is_on_device(trace, span))
        return false;
    return !question->top_level || opli_span_is_top_level(trace, span);
}

static opl_status run_host_operators(const opli_trace *trace, const opli_question *question, opli_table *table,
                                     opl_error *err)
{
    opli_span_ids ids;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = opli_span_ids_init(&ids, trace);
    for (uint32_t i = 0; ok && i < trace->spans.count; i++)
        if (is_asked_for(trace, question, i))
            ok = add_row(&ids, i, table);
    opli_span_ids_fini(&ids);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the host's operators");
}

const opli_analysis opli_analysis_host_operators = {
    .name = "host-operators",
    .summary = "each operator that ran on the host: its ids, thread, index, start and duration",
    .sorted_by = "start_ns",
    .run = run_host_operators,
};
