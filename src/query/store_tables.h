/* store_tables.h - the tables of a trace, as SQL sees them. */
#ifndef OPLI_QUERY_STORE_TABLES_H
#define OPLI_QUERY_STORE_TABLES_H

#include "query/query_table.h"

#define OPLI_STORE_TABLE_COUNT 12

/* Fills the tables of the trace, in the order of docs/reference/query.md. OPL_OK or OPL_NOMEM. */
opl_status opli_store_tables_make(const opli_trace *trace, opli_query_table tables[OPLI_STORE_TABLE_COUNT]);

#endif
