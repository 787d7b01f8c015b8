/* steps.c - how long is each turn of the loop, and how much of it does a device work?
 *
 * A step is taken as its stretch of time: operators of any thread of its process that begin in it are its own, and so
 * is what they launch, whenever that runs. Busy is when any device works during the step; busy and idle are all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/busy.h"
#include "analysis/launch.h"
#include "analysis/moments.h"
#include "analysis/span_arg.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"

static const opli_column columns[] = {{"step", "step", OPLI_COLUMN_ID},
                                      {"name", "name", OPLI_COLUMN_TEXT},
                                      {"process", "pid", OPLI_COLUMN_ID},
                                      {"thread", "thread", OPLI_COLUMN_ID},
                                      {"start", "start_ns", OPLI_COLUMN_NS},
                                      {"duration", "duration_ns", OPLI_COLUMN_NS},
                                      {"operators", "operators", OPLI_COLUMN_COUNT},
                                      {"launched", "launched", OPLI_COLUMN_COUNT},
                                      {"device total", "device_total_ns", OPLI_COLUMN_NS},
                                      {"device busy", "device_busy_ns", OPLI_COLUMN_NS},
                                      {"device idle", "device_idle_ns", OPLI_COLUMN_NS}};

typedef struct stepping {
    const opli_trace *trace;
    opli_arg_keys number_keys;
    opli_launches launches;
    opli_busy busy;
    opli_moments operators, launched, device_ns; /* on the host's time: when they began, when it was launched */
} stepping;

static bool is_step(const opli_trace *trace, uint32_t span)
{
    return trace->spans.kind[span] == OPL_CAT_STEP && !opli_span_is_on_device(trace, span);
}

static uint32_t process_of(const opli_trace *trace, uint32_t span)
{
    return trace->tracks.items[trace->spans.track[span]].process;
}

static bool add_span(stepping *s, uint32_t span)
{
    const opli_spans *spans = &s->trace->spans;
    uint32_t launcher = s->launches.launcher[span];
    if (spans->kind[span] == OPL_CAT_OP && !opli_span_is_on_device(s->trace, span))
        return opli_moments_add(&s->operators, process_of(s->trace, span), spans->start_ns[span], 1);
    if (launcher == OPLI_NO_ROW)
        return true;
    uint32_t process = process_of(s->trace, launcher);
    return opli_moments_add(&s->launched, process, spans->start_ns[launcher], 1) &&
           opli_moments_add(&s->device_ns, process, spans->start_ns[launcher], spans->duration_ns[span]);
}

static bool collect(stepping *s)
{
    bool ok = opli_launches_find(s->trace, &s->launches) && opli_busy_find(&s->busy, s->trace);
    for (uint32_t i = 0; ok && i < s->trace->spans.count; i++)
        ok = add_span(s, i);
    opli_moments_sort(&s->operators);
    opli_moments_sort(&s->launched);
    opli_moments_sort(&s->device_ns);
    return ok;
}

/* ---- rows ---- */

/* The number behind the last # of the name, else the one it was given. */
static bool add_number(const stepping *s, uint32_t span, opli_table *table)
{
    const char *mark = strrchr(opli_trace_text(s->trace, s->trace->spans.name[span]), '#');
    char *end = NULL;
    int64_t number;
    long long named = mark ? strtoll(mark + 1, &end, 10) : 0;
    if (mark && end != mark + 1 && !*end)
        return opli_table_add_number(table, named);
    if (opli_span_arg_int(s->trace, span, &s->number_keys, &number))
        return opli_table_add_number(table, number);
    return opli_table_add_empty(table);
}

static bool add_row(const stepping *s, uint32_t span, opli_table *table)
{
    const opli_spans *spans = &s->trace->spans;
    const opli_track *track = &s->trace->tracks.items[spans->track[span]];
    int64_t start_ns = spans->start_ns[span], duration_ns = spans->duration_ns[span], end_ns = start_ns + duration_ns;
    int64_t busy_ns = opli_busy_within(&s->busy, start_ns, end_ns);
    return add_number(s, span, table) && opli_trace_cell_text(table, s->trace, spans->name[span]) &&
           opli_table_add_number(table, s->trace->processes.items[track->process].pid) &&
           opli_table_add_number(table, track->number) && opli_table_add_number(table, start_ns) &&
           opli_table_add_number(table, duration_ns) &&
           opli_table_add_number(table, opli_moments_within(&s->operators, track->process, start_ns, end_ns)) &&
           opli_table_add_number(table, opli_moments_within(&s->launched, track->process, start_ns, end_ns)) &&
           opli_table_add_number(table, opli_moments_within(&s->device_ns, track->process, start_ns, end_ns)) &&
           opli_table_add_number(table, busy_ns) && opli_table_add_number(table, duration_ns - busy_ns);
}

/* Most traces have no steps, and need no sums. */
static bool has_steps(const opli_trace *trace)
{
    for (uint32_t i = 0; i < trace->spans.count; i++)
        if (is_step(trace, i))
            return true;
    return false;
}

static opl_status run_steps(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    static const char *const numbers[] = {"step", "iteration", NULL};
    (void)question;
    stepping s = {.trace = trace, .number_keys = opli_arg_keys_find(trace, numbers)};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = true;
    if (has_steps(trace)) {
        ok = collect(&s);
        for (uint32_t i = 0; ok && i < trace->spans.count; i++)
            if (is_step(trace, i))
                ok = add_row(&s, i, table);
    }
    opli_launches_free(&s.launches);
    opli_busy_free(&s.busy);
    opli_moments_free(&s.operators);
    opli_moments_free(&s.launched);
    opli_moments_free(&s.device_ns);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the steps");
}

const opli_analysis opli_analysis_steps = {
    .name = "steps",
    .summary = "each turn of the loop: duration, operators, device time, busy and idle",
    .sorted_by = "start_ns",
    .run = run_steps,
};
