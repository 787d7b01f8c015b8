/* table_csv.c - a table as CSV, after RFC 4180. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table_format.h"

/* Quotes what would end the field, the line or the quotes. */
static void add_field(opli_text *out, const char *text, size_t length)
{
    bool plain = length && text[0] != ' ' && text[length - 1] != ' ';
    for (size_t i = 0; plain && i < length; i++)
        plain = text[i] != ',' && text[i] != '"' && text[i] != '\n' && text[i] != '\r';
    if (plain) {
        opli_text_add(out, text, length);
        return;
    }
    opli_text_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++)
        opli_text_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
    opli_text_add(out, "\"", 1);
}

/* The fewest digits that read back as the same number. */
static void add_real(opli_text *out, double real)
{
    char digits[40] = "";
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, real);
        if (strtod(digits, NULL) == real || isnan(real))
            break;
    }
    opli_text_add(out, digits, strlen(digits));
}

static void add_cell(opli_text *out, const opli_column *column, const opli_cell *cell)
{
    if (cell->empty)
        return;
    if (column->type == OPLI_COLUMN_TEXT)
        add_field(out, cell->text, cell->length);
    else if (column->type == OPLI_COLUMN_REAL)
        add_real(out, cell->real);
    else
        opli_text_addf(out, "%" PRId64, cell->number);
}

void opli_table_print_csv(const opli_table *table, opli_text *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        opli_text_add(out, ",", c ? 1 : 0);
        add_field(out, table->columns[c].key, strlen(table->columns[c].key));
    }
    opli_text_add(out, "\r\n", 2);
    for (size_t i = 0; table->column_count && i < table->cells.count; i++) {
        size_t c = i % table->column_count;
        opli_text_add(out, ",", c ? 1 : 0);
        add_cell(out, &table->columns[c], &table->cells.items[i]);
        opli_text_add(out, "\r\n", c + 1 == table->column_count ? 2 : 0);
    }
}
