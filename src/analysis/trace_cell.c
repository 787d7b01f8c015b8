/* trace_cell.c - cells of a table that come from a trace. */
#include "analysis/trace_cell.h"

#include <math.h>
#include <string.h>

bool opli_trace_cell_text(opli_table *table, const opli_trace *trace, uint32_t text)
{
    return opli_table_add_text(table, opli_trace_text(trace, text), opli_string_length(&trace->strings, text));
}

bool opli_trace_cell_device(opli_table *table, const opli_trace *trace, uint32_t device)
{
    opli_text name = {0};
    if (device == OPLI_NO_ROW)
        return opli_table_add_text(table, "host", strlen("host"));
    const opli_device *row = &trace->devices.items[device];
    opli_text_addf(&name, "%s %lld", opli_trace_text(trace, row->kind), (long long)row->id);
    bool ok = !name.cut && opli_table_add_text(table, name.bytes ? name.bytes : "", name.length);
    opli_text_free(&name);
    return ok;
}

bool opli_trace_cell_real(opli_table *table, double value, int decimals)
{
    double scale = pow(10, decimals);
    return opli_table_add_real(table, round(value * scale) / scale);
}

bool opli_trace_cell_percent(opli_table *table, int64_t part, int64_t whole)
{
    return whole ? opli_trace_cell_real(table, 100.0 * (double)part / (double)whole, 2) : opli_table_add_empty(table);
}
