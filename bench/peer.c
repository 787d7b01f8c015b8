/* peer.c - measures another recorder as we measure ours, on one thread. */
#include "peer.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cost_table.h"
#include "floor.h"
#include "spread.h"
#include "stopwatch.h"

#define RUNS_MOST 99

typedef struct options {
    uint64_t spans;
    uint32_t runs;
    bool json;
} options;

static options read_options(int argc, char **argv)
{
    static const struct option known[] = {{"spans", required_argument, NULL, 's'},
                                          {"runs", required_argument, NULL, 'r'},
                                          {"json", no_argument, NULL, 'j'},
                                          {NULL, 0, NULL, 0}};
    options o = {.spans = 200000, .runs = 7};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 's': o.spans = strtoull(optarg, NULL, 10); break;
        case 'r': o.runs = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'j': o.json = true; break;
        default: exit(2);
        }
    }
    if (!o.spans || !o.runs || o.runs > RUNS_MOST) {
        fprintf(stderr, "%s: at least one span and 1 to %d runs are needed\n", argv[0], RUNS_MOST);
        exit(2);
    }
    return o;
}

/* CPU of this thread per span, and the floor around it. */
static double run_once(void (*loop)(uint64_t count), uint64_t spans, double *floor_ns)
{
    double floors[2 * OPLI_FLOOR_PIECES];
    opli_floor_measure(floors);
    int64_t start_ns = opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID);
    loop(spans);
    int64_t spent_ns = opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
    opli_floor_measure(floors + OPLI_FLOOR_PIECES);
    *floor_ns = opli_spread_take(floors, 2 * OPLI_FLOOR_PIECES).median;
    return (double)spent_ns / (double)spans;
}

static opli_cost measure(const options *o, void (*loop)(uint64_t count))
{
    double ns[RUNS_MOST], floors[RUNS_MOST], floor_ns[RUNS_MOST];
    for (uint32_t i = 0; i < o->runs; i++) {
        ns[i] = run_once(loop, o->spans, &floor_ns[i]);
        floors[i] = ns[i] / floor_ns[i];
    }
    return (opli_cost){.known = true,
                       .value = opli_spread_take(ns, o->runs),
                       .floors = opli_spread_take(floors, o->runs),
                       .floor_ns = opli_spread_take(floor_ns, o->runs).median};
}

int opli_peer_main(int argc, char **argv, const char *name, void (*loop)(uint64_t count))
{
    options o = read_options(argc, argv);
    opli_cost_row row = {.name = name, .unit = "ns", .decimals = 2, .cost = {measure(&o, loop)}};
    opli_cost_table table = {
        .out = stdout, .json = o.json, .headless = true, .group = "CPU of the recording thread, ns per span"};
    opli_cost_table_begin(&table);
    opli_cost_table_add(&table, &row);
    opli_cost_table_end(&table);
    return 0;
}
