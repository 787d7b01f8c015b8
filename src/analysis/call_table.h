/* call_table.h - cells that the tables of functions and of calls between them share. */
#ifndef OPLI_ANALYSIS_CALL_TABLE_H
#define OPLI_ANALYSIS_CALL_TABLE_H

#include "analysis/analysis.h"
#include "trace/call_graph.h"

/* "7", or "7/3" where only 3 of 7 calls are primitive. */
bool opli_call_table_add_calls(opli_table *table, const opli_call_totals *totals);

/* File, line and name. */
bool opli_call_table_add_function(opli_table *table, const opli_trace *trace, const opli_call_function *function);

enum opli_call_side { OPLI_CALL_CALLERS, OPLI_CALL_CALLEES };

/* A row for each edge: the function, then the one at its other side. Functions that take longest come first, and for
 * each of them the others in the order of file, line and name, as pstats prints them. */
opl_status opli_call_table_fill(const opli_trace *trace, enum opli_call_side side, opli_table *table, opl_error *err);

#endif
