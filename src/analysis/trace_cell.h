/* trace_cell.h - cells of a table that come from a trace. Each is false when there is no memory. */
#ifndef OPLI_ANALYSIS_TRACE_CELL_H
#define OPLI_ANALYSIS_TRACE_CELL_H

#include "base/table.h"
#include "trace/trace.h"

/* The text with that id. */
bool opli_trace_cell_text(opli_table *table, const opli_trace *trace, uint32_t text);

/* "gpu 0", or "host" for OPLI_NO_ROW. */
bool opli_trace_cell_device(opli_table *table, const opli_trace *trace, uint32_t device);

/* Rounded to that many decimals. */
bool opli_trace_cell_real(opli_table *table, double value, int decimals);

/* `part` of `whole` in percent, with two decimals; empty when the whole is nothing. */
bool opli_trace_cell_percent(opli_table *table, int64_t part, int64_t whole);

#endif
