/* kernels.c - which kernels take a device's time, how were they launched, and by which operator? */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/launch.h"
#include "analysis/span_arg.h"
#include "analysis/statistics.h"
#include "analysis/tally.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {{"kernel", "name", OPLI_COLUMN_TEXT},
                                      {"device", "device", OPLI_COLUMN_TEXT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      OPLI_STATISTICS_COLUMNS,
                                      {"grid", "grid", OPLI_COLUMN_TEXT},
                                      {"block", "block", OPLI_COLUMN_TEXT},
                                      {"registers", "registers_per_thread", OPLI_COLUMN_COUNT},
                                      {"shared memory", "shared_memory_bytes", OPLI_COLUMN_BYTES},
                                      {"shapes", "launch_shapes", OPLI_COLUMN_COUNT},
                                      {"occupancy %", "occupancy_percent", OPLI_COLUMN_REAL},
                                      {"operator", "operator", OPLI_COLUMN_TEXT},
                                      {"others", "other_operators", OPLI_COLUMN_COUNT}};

#define NOT_SAID UINT64_MAX

/* What launches say of themselves. */
typedef struct keys {
    opli_arg_keys grid, block, registers, shared_memory, occupancy;
} keys;

/* Occupancy times duration, over the launches that say it. */
typedef struct occupied {
    double weighted, weight;
} occupied;

typedef struct collecting {
    const opli_trace *trace;
    keys keys;
    opli_launches launches;
    opli_key_map kernels; /* name and device */
    opli_key_map shapes;  /* grid and block, registers, shared memory: as a launch has them together */
    opli_tally shape_tally, operator_tally;
    opli_samples samples;
    OPLI_VECTOR(occupied) occupancies; /* by kernel */
} collecting;

static keys find_keys(const opli_trace *trace)
{
    static const char *const grid[] = {"grid", NULL}, *const block[] = {"block", NULL},
                             *const registers[] = {"registers per thread", "registers_per_thread", NULL},
                             *const shared_memory[] = {"shared memory", "shared_memory_bytes", NULL},
                             *const occupancy[] = {"est. achieved occupancy %", "occupancy_percent", NULL};
    return (keys){opli_arg_keys_find(trace, grid), opli_arg_keys_find(trace, block),
                  opli_arg_keys_find(trace, registers), opli_arg_keys_find(trace, shared_memory),
                  opli_arg_keys_find(trace, occupancy)};
}

static uint64_t number_of(const opli_trace *trace, uint32_t span, const opli_arg_keys *key)
{
    int64_t number;
    return opli_span_arg_int(trace, span, key, &number) ? (uint64_t)number : NOT_SAID;
}

static bool add_shape(collecting *c, uint32_t kernel, uint32_t span)
{
    uint64_t grid = opli_span_arg_text(c->trace, span, &c->keys.grid);
    uint64_t block = opli_span_arg_text(c->trace, span, &c->keys.block);
    opli_key key = {{grid << 32 | block, number_of(c->trace, span, &c->keys.registers),
                     number_of(c->trace, span, &c->keys.shared_memory)}};
    if (!key.words[0] && key.words[1] == NOT_SAID && key.words[2] == NOT_SAID)
        return true;
    uint32_t shape = opli_key_map_add(&c->shapes, key);
    return shape != OPLI_KEY_NONE && opli_tally_add(&c->shape_tally, kernel, shape);
}

/* The operator around the launch; where there is none, whatever launched it. */
static bool add_operator(collecting *c, uint32_t kernel, uint32_t span)
{
    const opli_spans *spans = &c->trace->spans;
    uint32_t launcher = c->launches.launcher[span], outer = launcher;
    while (outer != OPLI_NO_ROW && spans->kind[outer] != OPL_CAT_OP)
        outer = spans->parent[outer];
    uint32_t op = outer == OPLI_NO_ROW ? launcher : outer;
    return op == OPLI_NO_ROW || opli_tally_add(&c->operator_tally, kernel, spans->name[op]);
}

static void add_occupancy(const collecting *c, uint32_t span, occupied *to)
{
    double percent, weight = (double)c->trace->spans.duration_ns[span];
    if (!opli_span_arg_real(c->trace, span, &c->keys.occupancy, &percent))
        return;
    to->weighted += percent * weight;
    to->weight += weight;
}

static bool add_span(collecting *c, uint32_t span)
{
    const opli_spans *spans = &c->trace->spans;
    uint32_t device = c->trace->tracks.items[spans->track[span]].device;
    uint32_t kernel = opli_key_map_add(&c->kernels, (opli_key){{spans->name[span], device}});
    if (kernel == OPLI_KEY_NONE || kernel > c->occupancies.count)
        return false;
    occupied *o = kernel < c->occupancies.count ? &c->occupancies.items[kernel] : opli_vector_add(&c->occupancies);
    if (!o)
        return false;
    add_occupancy(c, span, o);
    return opli_samples_add(&c->samples, kernel, spans->duration_ns[span]) && add_shape(c, kernel, span) &&
           add_operator(c, kernel, span);
}

static bool collect(collecting *c)
{
    bool ok = opli_launches_find(c->trace, &c->launches);
    for (uint32_t i = 0; ok && i < c->trace->spans.count; i++)
        if (c->trace->spans.kind[i] == OPL_CAT_KERNEL)
            ok = add_span(c, i);
    return ok;
}

/* ---- rows ---- */

static bool add_said(opli_table *table, uint64_t number)
{
    return number == NOT_SAID ? opli_table_add_empty(table) : opli_table_add_number(table, (int64_t)number);
}

static bool add_text_or_empty(const collecting *c, opli_table *table, uint64_t text)
{
    return text ? opli_trace_cell_text(table, c->trace, (uint32_t)text) : opli_table_add_empty(table);
}

static bool add_shape_cells(const collecting *c, const opli_tally_result *result, opli_table *table)
{
    static const opli_key not_said = {{0, NOT_SAID, NOT_SAID}};
    const opli_key *shape = result->times ? &c->shapes.keys[result->value] : &not_said;
    return add_text_or_empty(c, table, shape->words[0] >> 32) &&
           add_text_or_empty(c, table, shape->words[0] & UINT32_MAX) && add_said(table, shape->words[1]) &&
           add_said(table, shape->words[2]) && opli_table_add_number(table, (int64_t)result->distinct);
}

static bool add_occupancy_cell(const occupied *o, opli_table *table)
{
    return o->weight > 0 ? opli_trace_cell_real(table, o->weighted / o->weight, 2) : opli_table_add_empty(table);
}

static bool add_operator_cells(const collecting *c, const opli_tally_result *result, opli_table *table)
{
    return add_text_or_empty(c, table, result->times ? result->value : 0) &&
           opli_table_add_number(table, result->distinct ? (int64_t)result->distinct - 1 : 0);
}

static bool add_rows(const collecting *c, opli_table *table)
{
    uint32_t count = c->kernels.count;
    opli_statistics *statistics = opli_samples_statistics(&c->samples, count);
    opli_tally_result *shapes = opli_tally_results(&c->shape_tally, count);
    opli_tally_result *operators = opli_tally_results(&c->operator_tally, count);
    bool ok = statistics && shapes && operators;
    for (uint32_t i = 0; ok && i < count; i++) {
        const opli_key *key = &c->kernels.keys[i];
        ok = opli_trace_cell_text(table, c->trace, (uint32_t)key->words[0]) &&
             opli_trace_cell_device(table, c->trace, (uint32_t)key->words[1]) &&
             opli_table_add_number(table, statistics[i].total) && opli_statistics_add_cells(&statistics[i], table) &&
             add_shape_cells(c, &shapes[i], table) && add_occupancy_cell(&c->occupancies.items[i], table) &&
             add_operator_cells(c, &operators[i], table);
    }
    free(statistics);
    free(shapes);
    free(operators);
    return ok;
}

static void collecting_free(collecting *c)
{
    opli_launches_free(&c->launches);
    opli_key_map_free(&c->kernels);
    opli_key_map_free(&c->shapes);
    opli_tally_free(&c->shape_tally);
    opli_tally_free(&c->operator_tally);
    opli_samples_free(&c->samples);
    opli_vector_free(&c->occupancies);
}

static opl_status run_kernels(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    (void)question;
    collecting c = {.trace = trace, .keys = find_keys(trace)};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = collect(&c) && add_rows(&c, table);
    collecting_free(&c);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the kernels");
}

const opli_analysis opli_analysis_kernels = {
    .name = "kernels",
    .summary = "device time of each kernel, how it is launched, and by which operator",
    .sorted_by = "-total_ns",
    .run = run_kernels,
};
