/* table_narrow.c - a table for a terminal that may be too narrow for it: columns that say nothing are left out. */
#include <stdlib.h>
#include <string.h>

#include "base/table_format.h"
#include "base/utf8.h"

static bool says_something(const opli_column *column, const opli_cell *cell)
{
    if (cell->empty)
        return false;
    return column->type == OPLI_COLUMN_TEXT   ? cell->length > 0
           : column->type == OPLI_COLUMN_REAL ? cell->real != 0
                                              : cell->number != 0;
}

static bool is_silent(const opli_table *table, size_t column)
{
    for (size_t i = column; i < table->cells.count; i += table->column_count)
        if (says_something(&table->columns[column], &table->cells.items[i]))
            return false;
    return true;
}

/* The columns that are kept, and their cells, which stay the table's own. False when there is no memory. */
static bool pick(const opli_table *table, opli_column *kept, opli_table *picked, opli_text *left_out)
{
    bool *silent = calloc(table->column_count + 1, sizeof *silent);
    bool ok = silent != NULL;
    picked->columns = kept;
    for (size_t c = 0; ok && c < table->column_count; c++) {
        silent[c] = is_silent(table, c);
        if (silent[c])
            opli_text_addf(left_out, "%s%s", left_out->length ? ", " : "", table->columns[c].title);
        else
            kept[picked->column_count++] = table->columns[c];
    }
    for (size_t i = 0, c = 0; ok && i < table->cells.count; i++, c = c + 1 < table->column_count ? c + 1 : 0) {
        opli_cell *cell = silent[c] ? NULL : opli_vector_add(&picked->cells);
        ok = cell || silent[c];
        if (cell)
            *cell = table->cells.items[i];
    }
    free(silent);
    return ok;
}

static bool fits(const opli_table *table, size_t width)
{
    opli_text whole = {0};
    opli_table_print(table, 0, &whole);
    const char *end = whole.bytes ? strchr(whole.bytes, '\n') : NULL;
    bool ok = !end || opli_utf8_width(whole.bytes, (size_t)(end - whole.bytes)) <= width;
    opli_text_free(&whole);
    return ok;
}

void opli_table_print_narrow(const opli_table *table, size_t width, opli_text *out)
{
    opli_table picked = {.column_count = 0};
    opli_text left_out = {0};
    bool is_whole = !width || !opli_table_rows(table) || fits(table, width);
    opli_column *kept = is_whole ? NULL : calloc(table->column_count + 1, sizeof *kept);
    bool is_picked = kept && pick(table, kept, &picked, &left_out) && picked.column_count && left_out.length;
    opli_table_print(is_picked ? &picked : table, width, out);
    if (is_picked)
        opli_text_addf(out, "empty or 0 in every row shown: %s\n", left_out.bytes);
    free(kept);
    opli_vector_free(&picked.cells);
    opli_text_free(&left_out);
}
