/* id_reader.c - ids of spans as hexadecimal digits. They are worked out for the rows that are asked for. */
#include "analysis/span_id.h"
#include "query/query_reader.h"

typedef bool add_id(const opli_span_ids *ids, uint32_t span, opli_table *table);

/* A source's own id may be of any bytes. */
static void write_id(opli_query_slice *to, size_t i, const opli_cell *cell)
{
    opli_text mended = {0};
    opli_query_text_mend(cell->text, cell->length, &mended);
    to->duckdb->vector_assign_string_element_len(to->vector, i, mended.bytes ? mended.bytes : "", mended.length);
    opli_text_free(&mended);
}

static void read_ids(const opli_row_run *run, opli_query_slice *to, add_id *add)
{
    opli_table cells = {.column_count = 1};
    for (size_t i = 0; i < run->count; i++) {
        bool added = add(&run->store->ids, (uint32_t)(run->first + i), &cells);
        if (added && cells.cells.items[i].text)
            write_id(to, i, &cells.cells.items[i]);
        else
            opli_query_slice_set_null(to, i);
    }
    opli_table_free(&cells);
}

static void read_trace_id(const opli_row_run *run, opli_query_slice *to) { read_ids(run, to, opli_span_ids_add_trace); }

static void read_span_id(const opli_row_run *run, opli_query_slice *to) { read_ids(run, to, opli_span_ids_add_span); }

static void read_parent_id(const opli_row_run *run, opli_query_slice *to)
{
    read_ids(run, to, opli_span_ids_add_parent);
}

OPLI_ID_READERS(OPLI_DEFINE_READER)
