/* table_markdown.c - a table as Markdown. */
#include <string.h>

#include "base/table_format.h"

/* Names of kernels are full of signs that Markdown would take for its own. */
static void add_escaped(opli_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] && strchr("\\`*_<>[]|~&#", text[i]))
            opli_text_add(out, "\\", 1);
        opli_text_add(out, text + i, 1);
    }
}

static void add_row(opli_text *out, const opli_table *table, const opli_cell *cells)
{
    opli_text shown = {0};
    for (size_t c = 0; c < table->column_count; c++) {
        opli_text_reset(&shown);
        opli_table_show_cell(&table->columns[c], &cells[c], &shown);
        opli_text_add(out, "| ", 2);
        add_escaped(out, shown.bytes ? shown.bytes : "", shown.length);
        opli_text_add(out, " ", shown.length ? 1 : 0);
    }
    opli_text_add(out, "|\n", 2);
    opli_text_free(&shown);
}

void opli_table_print_markdown(const opli_table *table, opli_text *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        opli_text_add(out, "| ", 2);
        add_escaped(out, table->columns[c].title, strlen(table->columns[c].title));
        opli_text_add(out, " ", 1);
    }
    opli_text_add(out, "|\n", 2);
    for (size_t c = 0; c < table->column_count; c++)
        opli_text_addf(out, "%s", table->columns[c].type == OPLI_COLUMN_TEXT ? "|---" : "|---:");
    opli_text_add(out, "|\n", 2);
    for (size_t row = 0; row < opli_table_rows(table); row++)
        add_row(out, table, &table->cells.items[row * table->column_count]);
}
