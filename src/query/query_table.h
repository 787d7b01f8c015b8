/* query_table.h - a table as SQL sees it: columns that are copied out in runs of rows.
 *
 * A column knows where its first item is, how far the next one is, and the reader that turns a run
 * of items into values. So the store's columns, its rows of structs and the tables that analyses
 * return are all read in place, and a column nobody asks for costs nothing.
 * Threads: several may read one table, each its own rows. */
#ifndef OPLI_QUERY_QUERY_TABLE_H
#define OPLI_QUERY_QUERY_TABLE_H

#include "query/query_reader.h"

typedef struct opli_query_column {
    const char *name;
    const opli_query_reader *reader;
    const void *items; /* that of row 0; NULL where there are none */
    size_t stride;
} opli_query_column;

typedef struct opli_query_table {
    const char *name;
    opli_query_column *columns; /* owned */
    size_t column_count, row_count;
} opli_query_table;

#endif
