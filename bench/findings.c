/* findings.c - from samples to rows: one group of rows per promise. */
#include "findings.h"

#include <stddef.h>

#define MEMORY_MIB 16.0
#define CLOSE_MS 1.0

/* ---- from samples to a cost ---- */

static double field(const opli_sample *sample, size_t offset)
{
    return *(const double *)(const void *)((const char *)sample + offset);
}

static opli_spread spread_of(const opli_sample *samples, uint32_t runs, size_t offset, bool in_floors)
{
    double values[OPLI_FINDINGS_RUNS];
    for (uint32_t i = 0; i < runs; i++)
        values[i] = field(&samples[i], offset) / (in_floors ? samples[i].floor_ns : 1);
    return opli_spread_take(values, runs);
}

static bool is_lossy(const opli_tally *tally) { return tally->found >= 0 && tally->found != tally->recorded; }

/* A ratio is taken within each run, to the floor around that run; its median is not that of the
 * nanoseconds divided by that of the floors. */
static opli_cost cost_of(const opli_findings *f, uint32_t what, uint32_t threads, size_t offset, bool in_floors)
{
    const opli_sample *samples = f->samples[what][threads];
    opli_cost cost = {.known = true, .value = spread_of(samples, f->runs, offset, false)};
    cost.floor_ns = spread_of(samples, f->runs, offsetof(opli_sample, floor_ns), false).median;
    cost.lossy = is_lossy(&f->tallies[what][threads]);
    if (in_floors)
        cost.floors = spread_of(samples, f->runs, offset, true);
    if (cost.value.median <= 0)
        cost = (opli_cost){.instead = "not measured"};
    return cost;
}

/* ---- groups ---- */

static void add_costs(opli_cost_table *table, const opli_findings *f, opli_cost_row row, uint32_t what, size_t offset,
                      bool in_floors)
{
    for (uint32_t threads = 0; threads < OPLI_TRIAL_THREADS; threads++)
        row.cost[threads] = cost_of(f, what, threads, offset, in_floors);
    opli_cost_table_add(table, &row);
}

/* The floor of all runs of the first case stands for all; each run is held against its own. */
static void add_floor(opli_cost_table *table, const opli_findings *f)
{
    opli_cost_row row = {.name = "two clock reads", .unit = "ns", .decimals = 2};
    add_costs(table, f, row, 0, offsetof(opli_sample, floor_ns), false);
}

static void print_thread(opli_cost_table *table, const opli_findings *f)
{
    opli_cost_table_group(table, "CPU of the recording thread, ns per span");
    add_floor(table, f);
    for (uint32_t i = 0; i < OPLI_SPAN_CASES; i++) {
        const opli_span_case *what = &opli_span_cases[i];
        opli_cost_row row = {.name = what->name,
                             .unit = "ns",
                             .decimals = 2,
                             .promised = what->thread_floors > 0 || what->thread_ns > 0,
                             .promised_in_floors = what->thread_floors > 0,
                             .at_most = what->thread_floors > 0 ? what->thread_floors : what->thread_ns};
        add_costs(table, f, row, i, offsetof(opli_sample, thread_ns), !what->disabled);
    }
}

static void print_all(opli_cost_table *table, const opli_findings *f)
{
    opli_cost_table_group(table, "CPU of the whole process until the bytes are in the file, ns per span");
    for (uint32_t i = 0; i < OPLI_SPAN_CASES; i++) {
        const opli_span_case *what = &opli_span_cases[i];
        opli_cost_row row = {.name = what->name,
                             .unit = "ns",
                             .decimals = 2,
                             .promised = what->all_floors > 0,
                             .promised_in_floors = true,
                             .at_most = what->all_floors};
        if (!what->disabled)
            add_costs(table, f, row, i, offsetof(opli_sample, all_ns), true);
    }
}

static void print_bytes(opli_cost_table *table, const opli_findings *f, const char *group, size_t offset, bool closed)
{
    opli_cost_table_group(table, group);
    for (uint32_t i = 0; i < OPLI_SPAN_CASES; i++) {
        const opli_span_case *what = &opli_span_cases[i];
        double at_most = closed ? what->file_bytes : what->stream_bytes;
        opli_cost_row row = {
            .name = what->name, .unit = "B", .decimals = 2, .promised = at_most > 0, .at_most = at_most};
        if (!what->disabled)
            add_costs(table, f, row, i, offset, false);
    }
}

static void print_close(opli_cost_table *table, const opli_findings *f)
{
    opli_cost_table_group(table, "time to stop and close the file, ms");
    for (uint32_t i = 0; i < OPLI_SPAN_CASES; i++) {
        opli_cost_row row = {
            .name = opli_span_cases[i].name, .unit = "ms", .decimals = 2, .promised = true, .at_most = CLOSE_MS};
        if (!opli_span_cases[i].disabled)
            add_costs(table, f, row, i, offsetof(opli_sample, close_ms), false);
    }
}

/* ---- loss and memory ---- */

static opli_cost one_value(double value) { return (opli_cost){.known = true, .value = {value, value, value}}; }

/* A trace with more spans than were recorded is as wrong as one with fewer. */
static opli_cost cost_of_tally(const opli_tally *tally)
{
    if (tally->found < 0)
        return (opli_cost){.instead = "not checked"};
    double wrong = (double)(tally->recorded - tally->found);
    return one_value(wrong < 0 ? -wrong : wrong);
}

static void print_loss(opli_cost_table *table, const opli_findings *f)
{
    opli_cost_table_group(table, "spans recorded that are not in the file");
    for (uint32_t i = 0; i < OPLI_SPAN_CASES; i++) {
        opli_cost_row row = {.name = opli_span_cases[i].name, .unit = "lost", .promised = true};
        for (uint32_t threads = 0; threads < OPLI_TRIAL_THREADS; threads++)
            row.cost[threads] = cost_of_tally(&f->tallies[i][threads]);
        if (!opli_span_cases[i].disabled)
            opli_cost_table_add(table, &row);
    }
    for (unsigned i = 0; i < 2; i++) {
        const opli_footprint *print = &f->footprints[i];
        opli_cost_row row = {.name = print->name, .unit = "lost", .promised = true};
        row.cost[0] = cost_of_tally(&print->tally);
        if (print->spans)
            opli_cost_table_add(table, &row);
    }
}

static void print_memory(opli_cost_table *table, const opli_findings *f)
{
    if (!f->footprints[0].spans)
        return;
    opli_cost_table_group(table, "peak memory that recording adds, MiB");
    for (unsigned i = 0; i < 2; i++) {
        const opli_footprint *print = &f->footprints[i];
        opli_cost_row row = {
            .name = print->name, .unit = "MiB", .decimals = 2, .promised = true, .at_most = MEMORY_MIB};
        row.cost[0] = one_value(print->mib);
        opli_cost_table_add(table, &row);
    }
}

void opli_findings_print(const opli_findings *findings, opli_cost_table *table)
{
    opli_cost_table_begin(table);
    print_thread(table, findings);
    print_all(table, findings);
    print_bytes(table, findings, "bytes per span while recording (records of the stream)",
                offsetof(opli_sample, stream_bytes), false);
    print_bytes(table, findings, "bytes per span of the closed file, its length (st_size)",
                offsetof(opli_sample, file_bytes), true);
    print_bytes(table, findings, "bytes per span of the closed file, on the disk (st_blocks)",
                offsetof(opli_sample, disk_bytes), true);
    print_close(table, findings);
    print_loss(table, findings);
    print_memory(table, findings);
    opli_cost_table_end(table);
}
