/* operators.c - which operators take a device's time? */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/statistics.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {
    {"name", "name", OPLI_COLUMN_TEXT}, {"total", "total_ns", OPLI_COLUMN_NS}, OPLI_STATISTICS_COLUMNS};

static bool collect(const opli_trace *trace, opli_key_map *names, opli_samples *samples)
{
    for (uint32_t i = 0; i < trace->spans.count; i++) {
        bool is_operator = trace->spans.kind[i] == OPL_CAT_OP || trace->spans.kind[i] == OPL_CAT_KERNEL;
        if (!is_operator || !opli_span_is_on_device(trace, i))
            continue;
        uint32_t group = opli_key_map_add(names, (opli_key){{trace->spans.name[i]}});
        if (group == OPLI_KEY_NONE || !opli_samples_add(samples, group, trace->spans.duration_ns[i]))
            return false;
    }
    return true;
}

static bool fill(const opli_trace *trace, opli_key_map *names, opli_samples *samples, opli_table *table)
{
    if (!collect(trace, names, samples))
        return false;
    opli_statistics *statistics = opli_samples_statistics(samples, names->count);
    bool ok = statistics != NULL;
    for (uint32_t i = 0; ok && i < names->count; i++) {
        uint32_t name = (uint32_t)names->keys[i].words[0];
        ok = opli_table_add_text(table, opli_trace_text(trace, name), opli_string_length(&trace->strings, name)) &&
             opli_table_add_number(table, statistics[i].total) && opli_statistics_add_cells(&statistics[i], table);
    }
    free(statistics);
    return ok;
}

static opl_status run_operators(const opli_trace *trace, const opli_question *question, opli_table *table,
                                opl_error *err)
{
    (void)question;
    opli_key_map names = {0};
    opli_samples samples = {0};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = fill(trace, &names, &samples, table);
    opli_key_map_free(&names);
    opli_samples_free(&samples);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the device's operators");
}

const opli_analysis opli_analysis_operators = {
    .name = "operators",
    .summary = "device time of each operator: total, count, min, max, mean and percentiles",
    .sorted_by = "-mean_ns",
    .run = run_operators,
};
