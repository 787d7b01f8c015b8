/* table_function.h - make SQL know a table: a function of DuckDB's that fills vectors from it. */
#ifndef OPLI_QUERY_TABLE_FUNCTION_H
#define OPLI_QUERY_TABLE_FUNCTION_H

#include "query/query_table.h"

/* Must stay where it is as long as the database is open. */
typedef struct opli_table_function {
    opli_query_store *store;
    opli_query_table table;
    /* Fills in the table when a query first names it; NULL: it is there already. */
    opl_status (*make)(struct opli_table_function *function, opl_error *err);
} opli_table_function;

/* What a table's function is called: apart from DuckDB's own, such as summary(). */
#define OPLI_TABLE_FUNCTION_PREFIX "oplens_"

/* SQL can then say `from oplens_NAME()`. */
opl_status opli_table_function_register(opli_table_function *function, opli_duck connection, opl_error *err);

#endif
