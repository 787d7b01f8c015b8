/* analysis_table.c - an analysis as a table of SQL. */
#include "query/analysis_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

/* ---- reading cells ---- */

static const opli_cell *cell_at(const opli_row_run *run, size_t i, opli_query_slice *to)
{
    const opli_cell *cell = opli_query_item(run, i);
    if (cell->empty)
        opli_query_slice_set_null(to, i);
    return cell;
}

static void read_cell_number(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        ((int64_t *)to->values)[i] = cell_at(run, i, to)->number;
}

static void read_cell_real(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        ((double *)to->values)[i] = cell_at(run, i, to)->real;
}

static void read_cell_text(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++) {
        const opli_cell *cell = cell_at(run, i, to);
        ((opli_query_text *)to->values)[i] = opli_query_text_of(cell->text, cell->length);
    }
}

OPLI_CELL_READERS(OPLI_DEFINE_READER)

static const opli_query_reader *reader_of(enum opli_column_type type)
{
    return type == OPLI_COLUMN_TEXT   ? &opli_reader_cell_text
           : type == OPLI_COLUMN_REAL ? &opli_reader_cell_real
                                      : &opli_reader_cell_number;
}

/* ---- asking ---- */

/* Replaces what is no UTF-8 in place. False when there is no memory. */
static bool mend(opli_cell *cell)
{
    opli_text mended = {0};
    if (!cell->text || opli_query_text_is_utf8(cell->text, cell->length))
        return true;
    opli_query_text_mend(cell->text, cell->length, &mended);
    if (mended.cut) {
        opli_text_free(&mended);
        return false;
    }
    free(cell->text);
    cell->text = mended.bytes;
    cell->length = mended.length;
    return true;
}

static bool take_columns(opli_analysis_table *table)
{
    const opli_table *answer = &table->answer;
    opli_query_column *columns = calloc(answer->column_count + 1, sizeof *columns);
    if (!columns)
        return false;
    for (size_t c = 0; c < answer->column_count; c++)
        columns[c] = (opli_query_column){answer->columns[c].key, reader_of(answer->columns[c].type),
                                         answer->cells.items ? answer->cells.items + c : NULL,
                                         answer->column_count * sizeof(opli_cell)};
    table->function.table.columns = columns;
    table->function.table.column_count = answer->column_count;
    table->function.table.row_count = opli_table_rows(answer);
    return true;
}

static opl_status ask(opli_table_function *function, opl_error *err)
{
    opli_analysis_table *table = (opli_analysis_table *)function;
    const opli_question question = {0};
    if (table->asked)
        return OPL_OK;
    opl_status st = table->analysis->run(function->store->trace, &question, &table->answer, err);
    bool ok = true;
    for (size_t i = 0; st == OPL_OK && ok && i < table->answer.cells.count; i++)
        ok = mend(&table->answer.cells.items[i]);
    if (st == OPL_OK && !(ok && take_columns(table)))
        st = opli_fail(err, OPL_NOMEM, "%s: there is no memory for the table", table->analysis->name);
    table->asked = st == OPL_OK;
    if (st != OPL_OK)
        opli_table_free(&table->answer);
    return st;
}

void opli_analysis_table_init(opli_analysis_table *table, const opli_analysis *analysis, opli_query_store *store)
{
    *table = (opli_analysis_table){.function = {.store = store, .make = ask}, .analysis = analysis};
    snprintf(table->name, sizeof table->name, "%s", analysis->name);
    for (char *hyphen = table->name; (hyphen = strchr(hyphen, '-'));)
        *hyphen = '_';
    table->function.table.name = table->name;
}

void opli_analysis_table_fini(opli_analysis_table *table)
{
    free(table->function.table.columns);
    opli_table_free(&table->answer);
}
