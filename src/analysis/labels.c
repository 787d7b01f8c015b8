/* labels.c - how long do the stretches take that users named? */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_arg.h"
#include "analysis/span_role.h"
#include "analysis/statistics.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {{"label", "name", OPLI_COLUMN_TEXT},
                                      {"warm-up", "warm_up", OPLI_COLUMN_TEXT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      OPLI_STATISTICS_COLUMNS,
                                      {"device total", "device_total_ns", OPLI_COLUMN_NS}};

enum warm_up { WARM_UP_UNKNOWN, WARM_UP_NO, WARM_UP_YES };

/* Device time of a label, and the work that was added last: a label inside itself counts it once. */
typedef struct device_time {
    int64_t total_ns;
    uint32_t last; /* row of the work + 1 */
} device_time;

typedef struct collecting {
    const opli_trace *trace;
    opli_arg_keys warm_up_keys;
    opli_key_map labels; /* name, warm-up */
    opli_samples samples;
    opli_launches launches;
    device_time *devices; /* by label */
} collecting;

static bool is_label(const opli_trace *trace, uint32_t span)
{
    return trace->spans.kind[span] == OPL_CAT_LABEL && !opli_span_is_on_device(trace, span) &&
           !opli_span_is_window(trace, span);
}

static opli_key key_of(const collecting *c, uint32_t span)
{
    bool flag;
    bool is_known = opli_span_arg_bool(c->trace, span, &c->warm_up_keys, &flag);
    enum warm_up warm_up = !is_known ? WARM_UP_UNKNOWN : flag ? WARM_UP_YES : WARM_UP_NO;
    return (opli_key){{c->trace->spans.name[span], warm_up}};
}

static bool add_label(collecting *c, uint32_t span)
{
    uint32_t label = opli_key_map_add(&c->labels, key_of(c, span));
    return label != OPLI_KEY_NONE && opli_samples_add(&c->samples, label, c->trace->spans.duration_ns[span]);
}

/* Adds the work to every label around its launch. */
static void add_work(collecting *c, uint32_t work)
{
    const opli_spans *spans = &c->trace->spans;
    for (uint32_t outer = c->launches.launcher[work]; outer != OPLI_NO_ROW; outer = spans->parent[outer]) {
        if (!is_label(c->trace, outer))
            continue;
        device_time *device = &c->devices[opli_key_map_find(&c->labels, key_of(c, outer))];
        if (device->last != work + 1)
            device->total_ns += spans->duration_ns[work];
        device->last = work + 1;
    }
}

static bool collect(collecting *c)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->trace->spans.count; i++)
        if (is_label(c->trace, i))
            ok = add_label(c, i);
    c->devices = calloc((size_t)c->labels.count + 1, sizeof *c->devices);
    ok = ok && c->devices && opli_launches_find(c->trace, &c->launches);
    for (uint32_t i = 0; ok && c->labels.count && i < c->trace->spans.count; i++)
        add_work(c, i);
    return ok;
}

static bool add_rows(const collecting *c, opli_table *table)
{
    static const char *const words[] = {"", "no", "yes"};
    opli_statistics *statistics = opli_samples_statistics(&c->samples, c->labels.count);
    bool ok = statistics != NULL;
    for (uint32_t i = 0; ok && i < c->labels.count; i++) {
        const opli_key *key = &c->labels.keys[i];
        const char *word = words[key->words[1]];
        ok = opli_trace_cell_text(table, c->trace, (uint32_t)key->words[0]) &&
             (*word ? opli_table_add_text(table, word, strlen(word)) : opli_table_add_empty(table)) &&
             opli_table_add_number(table, statistics[i].total) && opli_statistics_add_cells(&statistics[i], table) &&
             opli_table_add_number(table, c->devices[i].total_ns);
    }
    free(statistics);
    return ok;
}

static opl_status run_labels(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    static const char *const warm_ups[] = {"warm_up", "warm-up", "warmup", NULL};
    (void)question;
    collecting c = {.trace = trace, .warm_up_keys = opli_arg_keys_find(trace, warm_ups)};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = collect(&c) && add_rows(&c, table);
    opli_key_map_free(&c.labels);
    opli_samples_free(&c.samples);
    opli_launches_free(&c.launches);
    free(c.devices);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the labels");
}

const opli_analysis opli_analysis_labels = {
    .name = "labels",
    .summary = "how long labels take: total, count, min, max, mean, percentiles and device time",
    .sorted_by = "-total_ns",
    .run = run_labels,
};
