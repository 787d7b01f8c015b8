/* table_function.c - make SQL know a table.
 *
 * A scan hands out runs of as many rows as a vector holds; whoever comes takes the next one. Only
 * the columns a query asks for are read, each straight from where it is stored. */
#include "query/table_function.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/failure.h"

/* One use of the table in one query. */
typedef struct scan {
    const opli_table_function *function;
    size_t rows_at_once;
    _Atomic size_t next; /* the first row nobody took; any thread */
    size_t column_count;
    uint64_t columns[]; /* what is asked for, in this order */
} scan;

#define ROWS_WORTH_A_THREAD 131072

/* DuckDB calls us back, so it is open. */
static const opli_duckdb *open_duckdb(void)
{
    const opli_duckdb *duckdb;
    opli_duckdb_get(&duckdb, NULL);
    return duckdb;
}

/* ---- which columns there are ---- */

static void add_column(const opli_duckdb *duckdb, opli_duck info, const opli_query_column *column)
{
    const opli_query_reader *reader = column->reader;
    opli_duck type = reader->words ? duckdb->create_enum_type((const char **)reader->words, reader->word_count)
                                   : duckdb->create_logical_type(reader->type);
    duckdb->bind_add_result_column(info, column->name, type);
    duckdb->destroy_logical_type(&type);
}

static void bind(opli_duck info)
{
    const opli_duckdb *duckdb = open_duckdb();
    opli_table_function *function = duckdb->bind_get_extra_info(info);
    opl_error err;
    if (function->make && function->make(function, &err) != OPL_OK) {
        duckdb->bind_set_error(info, err.message);
        return;
    }
    for (size_t c = 0; c < function->table.column_count; c++)
        add_column(duckdb, info, &function->table.columns[c]);
    duckdb->bind_set_cardinality(info, function->table.row_count, true);
}

/* ---- which of them are asked for ---- */

/* Numbers beyond the last column are DuckDB's own, for queries that only count rows. */
static const opli_query_column *column_at(const opli_table_function *function, uint64_t number)
{
    return number < function->table.column_count ? &function->table.columns[number] : NULL;
}

static bool prepare_columns(const scan *s)
{
    for (size_t i = 0; i < s->column_count; i++) {
        const opli_query_column *column = column_at(s->function, s->columns[i]);
        if (column && column->reader->prepare && !column->reader->prepare(s->function->store))
            return false;
    }
    return true;
}

static void init(opli_duck info)
{
    const opli_duckdb *duckdb = open_duckdb();
    opli_table_function *function = duckdb->init_get_extra_info(info);
    size_t count = duckdb->init_get_column_count(info);
    scan *s = calloc(1, sizeof *s + count * sizeof *s->columns);
    if (!s) {
        duckdb->init_set_error(info, "there is no memory to begin");
        return;
    }
    s->function = function;
    s->rows_at_once = duckdb->vector_size();
    s->column_count = count;
    for (size_t i = 0; i < count; i++)
        s->columns[i] = duckdb->init_get_column_index(info, i);
    duckdb->init_set_init_data(info, s, free);
    duckdb->init_set_max_threads(info, function->table.row_count / ROWS_WORTH_A_THREAD + 1);
    if (!prepare_columns(s))
        duckdb->init_set_error(info, "there is no memory for a column that has to be worked out");
}

/* ---- their values ---- */

static void fill(opli_duck info, opli_duck chunk)
{
    const opli_duckdb *duckdb = open_duckdb();
    scan *s = duckdb->function_get_init_data(info);
    size_t rows = s->function->table.row_count;
    size_t first = atomic_fetch_add_explicit(&s->next, s->rows_at_once, memory_order_relaxed);
    size_t count = first >= rows ? 0 : rows - first < s->rows_at_once ? rows - first : s->rows_at_once;
    for (size_t i = 0; count && i < s->column_count; i++) {
        const opli_query_column *column = column_at(s->function, s->columns[i]);
        if (!column)
            continue;
        opli_query_slice slice = {duckdb, duckdb->data_chunk_get_vector(chunk, i), NULL, NULL};
        slice.values = duckdb->vector_get_data(slice.vector);
        opli_row_run run = {s->function->store, column->items, column->stride, first, count};
        column->reader->read(&run, &slice);
    }
    duckdb->data_chunk_set_size(chunk, count);
}

/* ---- registering ---- */

opl_status opli_table_function_register(opli_table_function *function, opli_duck connection, opl_error *err)
{
    const opli_duckdb *duckdb = open_duckdb();
    opli_duck made = duckdb->create_table_function();
    char name[80];
    snprintf(name, sizeof name, OPLI_TABLE_FUNCTION_PREFIX "%s", function->table.name);
    duckdb->table_function_set_name(made, name);
    duckdb->table_function_set_extra_info(made, function, NULL);
    duckdb->table_function_set_bind(made, bind);
    duckdb->table_function_set_init(made, init);
    duckdb->table_function_set_function(made, fill);
    duckdb->table_function_supports_projection_pushdown(made, true);
    bool ok = duckdb->register_table_function(connection, made) == OPLI_DUCK_OK;
    duckdb->destroy_table_function(&made);
    return ok ? OPL_OK : opli_fail(err, OPL_STATE, "DuckDB does not accept the table '%s'", function->table.name);
}
