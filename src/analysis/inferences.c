/* inferences.c - each inference: when it ran, where, and how long. */
#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_id.h"
#include "base/failure.h"

static const opli_column columns[] = {
    {"trace id", "trace_id", OPLI_COLUMN_TEXT},  {"span id", "span_id", OPLI_COLUMN_TEXT},
    {"thread", "thread", OPLI_COLUMN_ID},        {"label", "label", OPLI_COLUMN_TEXT},
    {"name", "name", OPLI_COLUMN_TEXT},          {"start", "start_ns", OPLI_COLUMN_NS},
    {"duration", "duration_ns", OPLI_COLUMN_NS},
};

static bool add_string(opli_table *table, const opli_trace *trace, uint32_t id)
{
    return opli_table_add_text(table, opli_trace_text(trace, id), opli_string_length(&trace->strings, id));
}

static bool add_row(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    const opli_trace *trace = ids->trace;
    uint32_t label = opli_span_ids_nearest(ids, span, OPL_CAT_LABEL);
    return opli_span_ids_add_trace(ids, span, table) && opli_span_ids_add_span(ids, span, table) &&
           opli_table_add_number(table, trace->tracks.items[trace->spans.track[span]].number) &&
           add_string(table, trace, label == OPLI_NO_ROW ? 0 : trace->spans.name[label]) &&
           add_string(table, trace, trace->spans.name[span]) &&
           opli_table_add_number(table, trace->spans.start_ns[span]) &&
           opli_table_add_number(table, trace->spans.duration_ns[span]);
}

static opl_status run_inferences(const opli_trace *trace, const opli_question *question, opli_table *table,
                                 opl_error *err)
{
    (void)question;
    opli_span_ids ids;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = opli_span_ids_init(&ids, trace);
    for (uint32_t i = 0; ok && i < trace->spans.count; i++)
        if (trace->spans.kind[i] == OPL_CAT_INFERENCE && !opli_span_is_on_device(trace, i))
            ok = add_row(&ids, i, table);
    opli_span_ids_fini(&ids);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the inferences");
}

const opli_analysis opli_analysis_inferences = {
    .name = "inferences",
    .summary = "each inference: its ids, thread, label, start and duration",
    .sorted_by = "start_ns",
    .run = run_inferences,
};
