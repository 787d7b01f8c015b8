/* summary.c - how long does an inference take? All of them, and those under each label. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_id.h"
#include "analysis/statistics.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {{"label", "label", OPLI_COLUMN_TEXT}, OPLI_STATISTICS_COLUMNS};

/* Group 0 is all; each label gets its own, the n-th label n + 1. */
static bool collect(const opli_span_ids *ids, opli_key_map *labels, opli_samples *samples)
{
    const opli_trace *trace = ids->trace;
    bool ok = true;
    for (uint32_t i = 0; ok && i < trace->spans.count; i++) {
        if (trace->spans.kind[i] != OPL_CAT_INFERENCE || opli_span_is_on_device(trace, i))
            continue;
        ok = opli_samples_add(samples, 0, trace->spans.duration_ns[i]);
        uint32_t label = opli_span_ids_nearest(ids, i, OPL_CAT_LABEL);
        if (!ok || label == OPLI_NO_ROW)
            continue;
        uint32_t group = opli_key_map_add(labels, (opli_key){{trace->spans.name[label]}});
        ok = group != OPLI_KEY_NONE && opli_samples_add(samples, group + 1, trace->spans.duration_ns[i]);
    }
    return ok;
}

static bool add_row(opli_table *table, const opli_trace *trace, uint32_t label, const opli_statistics *statistics)
{
    const char *text = opli_trace_text(trace, label);
    return opli_table_add_text(table, text, opli_string_length(&trace->strings, label)) &&
           opli_statistics_add_cells(statistics, table);
}

static bool fill(const opli_span_ids *ids, opli_key_map *labels, opli_samples *samples, opli_table *table)
{
    if (!collect(ids, labels, samples))
        return false;
    opli_statistics *statistics = opli_samples_statistics(samples, labels->count + 1);
    bool ok = statistics && opli_table_add_text(table, "all", 3) && opli_statistics_add_cells(&statistics[0], table);
    for (uint32_t i = 0; ok && i < labels->count; i++)
        ok = add_row(table, ids->trace, (uint32_t)labels->keys[i].words[0], &statistics[i + 1]);
    free(statistics);
    return ok;
}

static opl_status run_summary(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    (void)question;
    opli_span_ids ids;
    opli_key_map labels = {0};
    opli_samples samples = {0};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = opli_span_ids_init(&ids, trace) && fill(&ids, &labels, &samples, table);
    opli_span_ids_fini(&ids);
    opli_key_map_free(&labels);
    opli_samples_free(&samples);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the summary");
}

const opli_analysis opli_analysis_summary = {
    .name = "summary",
    .summary = "how long inferences take: count, min, max, mean, median and percentiles, in all and by label",
    .sorted_by = NULL,
    .run = run_summary,
};
