/* table_order.h - find a table's columns by key, sort its rows, cut off those beyond a number. */
#ifndef OPLI_BASE_TABLE_ORDER_H
#define OPLI_BASE_TABLE_ORDER_H

#include <oplens/error.h>

#include "base/table.h"

/* The column of that key, with or without its unit ("total" for "total_ns"); column_count if there is none. */
size_t opli_table_column(const opli_table *table, const char *key, size_t length);

/* Says that there is no such column, and which there are. */
opl_status opli_table_no_column(const opli_table *table, const char *key, size_t length, opl_error *err);

/* Sorts by one key or several, as in "-cpu_total_ns,name": a minus puts the largest first. Rows
 * that are equal keep their order; missing values come last either way. OPL_INVALID for a key that
 * is not there, OPL_NOMEM; the table then stays as it was. */
opl_status opli_table_sort(opli_table *table, const char *keys, opl_error *err);

/* Keeps the first `most` rows; how many were left out. */
size_t opli_table_cut(opli_table *table, size_t most);

#endif
