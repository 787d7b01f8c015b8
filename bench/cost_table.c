/* cost_table.c - prints costs beside what was promised. A text line is at most 100 columns. */
#include "cost_table.h"

#include <string.h>

/* ---- what is said about a cost ---- */

static bool has_floors(const opli_cost *cost) { return cost->floors.median > 0; }

/* "pass", "miss", or nothing when nothing was promised or measured; "lost" when that is no question
 * any more. The median is judged as it is, not as it is printed. */
static const char *verdict(const opli_cost_row *row, const opli_cost *cost)
{
    if (cost->lossy)
        return "lost";
    if (!row->promised || !cost->known)
        return "";
    double judged = row->promised_in_floors ? cost->floors.median : cost->value.median;
    return judged <= row->at_most ? "pass" : "miss";
}

static const opli_spread *shown_spread(const opli_cost *cost)
{
    return has_floors(cost) ? &cost->floors : &cost->value;
}

/* ---- text ---- */

#define COST_COLUMNS 32
#define SPREAD_TEXT 40

/* Nothing where all runs came to the same. */
static void write_spread(char text[SPREAD_TEXT], const opli_spread *spread, int decimals)
{
    char low[16], high[16];
    snprintf(low, sizeof low, "%.*f", decimals, spread->low);
    snprintf(high, sizeof high, "%.*f", decimals, spread->high);
    text[0] = '\0';
    if (strcmp(low, high) != 0)
        snprintf(text, SPREAD_TEXT, "%s..%s", low, high);
}

static void write_cost(char text[COST_COLUMNS + 1], const opli_cost_row *row, const opli_cost *cost)
{
    char floors[16] = "", spread[SPREAD_TEXT];
    if (!cost->known) {
        snprintf(text, COST_COLUMNS + 1, "  %s", cost->instead ? cost->instead : "");
        return;
    }
    write_spread(spread, shown_spread(cost), has_floors(cost) ? 2 : row->decimals);
    if (has_floors(cost))
        snprintf(floors, sizeof floors, "%.2f", cost->floors.median);
    snprintf(text, COST_COLUMNS + 1, "%8.*f %5s %12s %4s", row->decimals, cost->value.median, floors, spread,
             verdict(row, cost));
}

static void print_row(const opli_cost_table *table, const opli_cost_row *row)
{
    char goal[24] = "", costs[2][COST_COLUMNS + 1], line[128];
    if (row->promised)
        snprintf(goal, sizeof goal, "%s%.4g %s", row->at_most > 0 ? "<= " : "", row->at_most,
                 row->promised_in_floors ? "x" : row->unit);
    write_cost(costs[0], row, &row->cost[0]);
    write_cost(costs[1], row, &row->cost[1]);
    int length = snprintf(line, sizeof line, "  %-20s %-10s%-*s %s", row->name, goal, COST_COLUMNS, costs[0], costs[1]);
    while (length > 0 && line[length - 1] == ' ')
        length--;
    fprintf(table->out, "%.*s\n", length, line);
}

static void print_head(const opli_cost_table *table)
{
    const char *columns = "  median floors    low..high";
    fprintf(table->out, "%-33s%-*s %s\n", "", COST_COLUMNS, "  ---------- 1 thread ----------",
            "  ---------- 2 threads ---------");
    fprintf(table->out, "%-23s%-10s%-*s %s\n", "", "promised", COST_COLUMNS, columns, columns);
}

/* ---- JSON ---- */

static void print_spread(const opli_cost_table *table, const char *name, const opli_spread *spread)
{
    fprintf(table->out, ", \"%s\": {\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", name, spread->median,
            spread->low, spread->high);
}

static void print_object(opli_cost_table *table, const opli_cost_row *row, int threads)
{
    const opli_cost *cost = &row->cost[threads - 1];
    const char *judged = verdict(row, cost);
    if (!cost->known && !cost->instead)
        return;
    fprintf(table->out, "%s\n  {\"measure\": \"%s\", \"case\": \"%s\", \"threads\": %d, \"unit\": \"%s\"",
            table->printed++ ? "," : "", table->group ? table->group : "", row->name, threads, row->unit);
    if (cost->known)
        print_spread(table, "value", &cost->value);
    else
        fprintf(table->out, ", \"value\": null, \"why\": \"%s\"", cost->instead);
    if (cost->known && has_floors(cost)) {
        print_spread(table, "floors", &cost->floors);
        fprintf(table->out, ", \"floor_ns\": %.6g", cost->floor_ns);
    }
    if (row->promised)
        fprintf(table->out, ", \"promised\": {\"at_most\": %.6g, \"of\": \"%s\"}", row->at_most,
                row->promised_in_floors ? "floors" : "value");
    if (*judged)
        fprintf(table->out, ", \"verdict\": \"%s\"", judged);
    fputc('}', table->out);
}

/* ---- the table ---- */

void opli_cost_table_begin(opli_cost_table *table)
{
    if (table->json)
        fputc('[', table->out);
    else if (!table->headless)
        print_head(table);
}

void opli_cost_table_group(opli_cost_table *table, const char *group)
{
    table->group = group;
    if (!table->json)
        fprintf(table->out, "%s\n", group);
}

void opli_cost_table_add(opli_cost_table *table, const opli_cost_row *row)
{
    if (table->json) {
        print_object(table, row, 1);
        print_object(table, row, 2);
    } else {
        print_row(table, row);
    }
}

void opli_cost_table_end(opli_cost_table *table)
{
    if (table->json)
        fputs("\n]\n", table->out);
    fflush(table->out);
}
