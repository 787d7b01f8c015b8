/* executions.c - each stretch of work on a device: how much of it ran, and how much waited?
 *
 * A device that says itself when an execution began and ended (Furiosa's NPU) is believed. Elsewhere an execution is
 * what one inference launched on one queue, from the first to the last. Run is the time that operators or kernels
 * cover; wait is the rest, and is negative, and flagged, where clocks disagree. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_id.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {
    {"trace id", "trace_id", OPLI_COLUMN_TEXT},
    {"span id", "span_id", OPLI_COLUMN_TEXT},
    {"device", "device", OPLI_COLUMN_TEXT},
    {"queue", "queue", OPLI_COLUMN_ID},
    {"execution", "execution_index", OPLI_COLUMN_ID},
    {"start", "start_ns", OPLI_COLUMN_NS},
    {"total", "total_ns", OPLI_COLUMN_NS},
    {"run", "run_ns", OPLI_COLUMN_NS},
    {"wait", "wait_ns", OPLI_COLUMN_NS},
    {"note", "note", OPLI_COLUMN_TEXT},
};

typedef struct execution {
    uint32_t owner, track; /* the execution's own span or the inference; its queue */
    int64_t start_ns, end_ns, run_ns;
} execution;

/* A piece of an execution's work. */
typedef struct piece {
    uint32_t execution;
    bool is_run; /* an operator or kernel, rather than a copy */
    int64_t start_ns, end_ns;
} piece;

typedef struct finding {
    const opli_trace *trace;
    opli_span_ids ids;
    opli_key_map numbers; /* of executions, by owner and track */
    OPLI_VECTOR(execution) executions;
    OPLI_VECTOR(piece) pieces;
} finding;

/* ---- which work belongs to which execution ---- */

static bool is_own_execution(const finding *f, uint32_t span)
{
    return f->trace->spans.kind[span] == OPL_CAT_INFERENCE && opli_span_is_on_device(f->trace, span);
}

static int64_t end_of(const opli_trace *trace, uint32_t span)
{
    return trace->spans.start_ns[span] + trace->spans.duration_ns[span];
}

/* The number of the execution, made on first mention with the span's times. */
static uint32_t number_of(finding *f, uint32_t owner, uint32_t span)
{
    const opli_trace *trace = f->trace;
    uint32_t track = is_own_execution(f, owner) ? trace->spans.track[owner] : trace->spans.track[span];
    uint32_t number = opli_key_map_add(&f->numbers, (opli_key){{owner, track}});
    if (number == OPLI_KEY_NONE || number < f->executions.count)
        return number;
    uint32_t timed = is_own_execution(f, owner) ? owner : span;
    execution *added = opli_vector_add(&f->executions);
    if (!added)
        return OPLI_KEY_NONE;
    *added = (execution){owner, track, trace->spans.start_ns[timed], end_of(trace, timed), 0};
    return number;
}

/* The nearest execution that the device told, else the inference that launched it; or OPLI_NO_ROW. */
static uint32_t owner_of(const finding *f, uint32_t span)
{
    uint32_t owner = opli_span_ids_nearest(&f->ids, span, OPL_CAT_INFERENCE);
    if (owner == OPLI_NO_ROW || is_own_execution(f, owner))
        return owner;
    return opli_span_ids_root(&f->ids, span);
}

static bool add_piece(finding *f, uint32_t span)
{
    const opli_spans *spans = &f->trace->spans;
    uint32_t owner = owner_of(f, span);
    if (owner == OPLI_NO_ROW)
        return true;
    uint32_t number = number_of(f, owner, span);
    piece *added = number == OPLI_KEY_NONE ? NULL : opli_vector_add(&f->pieces);
    if (!added)
        return false;
    bool is_run = spans->kind[span] == OPL_CAT_OP || spans->kind[span] == OPL_CAT_KERNEL;
    *added = (piece){number, is_run, spans->start_ns[span], end_of(f->trace, span)};
    return true;
}

static bool collect(finding *f)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->trace->spans.count; i++) {
        uint8_t kind = f->trace->spans.kind[i];
        bool is_work = kind == OPL_CAT_OP || kind == OPL_CAT_KERNEL || kind == OPL_CAT_COPY || kind == OPL_CAT_SET;
        if (is_own_execution(f, i))
            ok = number_of(f, i, i) != OPLI_KEY_NONE;
        else if (is_work && opli_span_is_on_device(f->trace, i))
            ok = add_piece(f, i);
    }
    return ok;
}

/* ---- how much of it ran ---- */

static int by_execution(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->execution != y->execution)
        return x->execution < y->execution ? -1 : 1;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

/* Adds up what the pieces cover; time that two share counts once. */
static void measure(finding *f)
{
    int64_t covered_ns = 0;
    if (f->pieces.count)
        qsort(f->pieces.items, f->pieces.count, sizeof *f->pieces.items, by_execution);
    for (size_t i = 0; i < f->pieces.count; i++) {
        const piece *p = &f->pieces.items[i];
        execution *e = &f->executions.items[p->execution];
        bool is_first = !i || f->pieces.items[i - 1].execution != p->execution;
        if (is_first)
            covered_ns = INT64_MIN;
        if (!is_own_execution(f, e->owner)) {
            e->start_ns = p->start_ns < e->start_ns ? p->start_ns : e->start_ns;
            e->end_ns = p->end_ns > e->end_ns ? p->end_ns : e->end_ns;
        }
        if (!p->is_run || p->end_ns <= covered_ns)
            continue;
        e->run_ns += p->end_ns - (p->start_ns > covered_ns ? p->start_ns : covered_ns);
        covered_ns = p->end_ns;
    }
}

/* ---- rows ---- */

static bool add_device(const opli_trace *trace, uint32_t track, opli_table *table)
{
    uint32_t row = trace->tracks.items[track].device;
    opli_text name = {0};
    if (row != OPLI_NO_ROW) {
        const opli_device *device = &trace->devices.items[row];
        opli_text_addf(&name, "%s %lld", opli_trace_text(trace, device->kind), (long long)device->id);
    }
    bool ok = !name.cut && opli_table_add_text(table, name.bytes ? name.bytes : "", name.length);
    opli_text_free(&name);
    return ok;
}

static bool add_row(const finding *f, const execution *e, opli_table *table)
{
    static const char skewed[] = "runs longer than it lasts: clocks disagree";
    int64_t total_ns = e->end_ns - e->start_ns, wait_ns = total_ns - e->run_ns;
    return opli_span_ids_add_trace(&f->ids, e->owner, table) && opli_span_ids_add_span(&f->ids, e->owner, table) &&
           add_device(f->trace, e->track, table) &&
           opli_table_add_number(table, f->trace->tracks.items[e->track].number) &&
           opli_span_ids_add_number(&f->ids, e->owner, "execution_index", table) &&
           opli_table_add_number(table, e->start_ns) && opli_table_add_number(table, total_ns) &&
           opli_table_add_number(table, e->run_ns) && opli_table_add_number(table, wait_ns) &&
           opli_table_add_text(table, skewed, wait_ns < 0 ? sizeof skewed - 1 : 0);
}

static opl_status run_executions(const opli_trace *trace, const opli_question *question, opli_table *table,
                                 opl_error *err)
{
    (void)question;
    finding f = {.trace = trace};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = opli_span_ids_init(&f.ids, trace) && collect(&f);
    if (ok)
        measure(&f);
    for (size_t i = 0; ok && i < f.executions.count; i++)
        ok = add_row(&f, &f.executions.items[i], table);
    opli_span_ids_fini(&f.ids);
    opli_key_map_free(&f.numbers);
    opli_vector_free(&f.executions);
    opli_vector_free(&f.pieces);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the executions");
}

const opli_analysis opli_analysis_executions = {
    .name = "executions",
    .summary = "each stretch of work on a device: total, run, and wait between its operators",
    .sorted_by = "start_ns",
    .run = run_executions,
};
