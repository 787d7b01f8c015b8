/* cost_table.h - prints costs beside what was promised, as aligned text or as JSON.
 *
 *     opli_cost_table table = {.out = stdout};
 *     opli_cost_table_begin(&table);
 *     opli_cost_table_group(&table, "all CPU");
 *     opli_cost_table_add(&table, &row);
 *     opli_cost_table_end(&table);
 */
#ifndef OPLI_BENCH_COST_TABLE_H
#define OPLI_BENCH_COST_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "spread.h"

/* One number. Zeroed, there is none. */
typedef struct opli_cost {
    bool known;
    const char *instead; /* said in place of an unknown one */
    opli_spread value;
    opli_spread floors; /* the same as a multiple of the floor; 0: the floor is no measure of it */
    double floor_ns;
    bool lossy; /* not all was recorded, so the number flatters */
} opli_cost;

/* One thing that was measured, with one thread and with two. */
typedef struct opli_cost_row {
    const char *name;
    const char *unit;
    int decimals;
    bool promised;
    bool promised_in_floors; /* else in the unit */
    double at_most;
    opli_cost cost[2];
} opli_cost_row;

typedef struct opli_cost_table {
    FILE *out;
    bool json;
    bool headless; /* text without the two lines that name the columns */
    const char *group;
    unsigned printed;
} opli_cost_table;

void opli_cost_table_begin(opli_cost_table *table);
void opli_cost_table_group(opli_cost_table *table, const char *group);
void opli_cost_table_add(opli_cost_table *table, const opli_cost_row *row);
void opli_cost_table_end(opli_cost_table *table);

#endif
