/* table.c - named, typed columns of cells. */
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define NARROWEST 40u /* columns; below that a box stays one, and the terminal breaks it */

/* ---- filling ---- */

bool opli_table_add_text(opli_table *table, const char *text, size_t length)
{
    opli_cell *cell = opli_vector_add(&table->cells);
    if (!cell)
        return false;
    cell->text = malloc(length + 1);
    if (!cell->text)
        return false;
    memcpy(cell->text, text, length);
    cell->text[length] = '\0';
    cell->length = length;
    return true;
}

bool opli_table_add_number(opli_table *table, int64_t number)
{
    opli_cell *cell = opli_vector_add(&table->cells);
    if (cell)
        cell->number = number;
    return cell != NULL;
}

bool opli_table_add_real(opli_table *table, double real)
{
    opli_cell *cell = opli_vector_add(&table->cells);
    if (cell)
        cell->real = real;
    return cell != NULL;
}

bool opli_table_add_empty(opli_table *table)
{
    opli_cell *cell = opli_vector_add(&table->cells);
    if (cell)
        cell->empty = true;
    return cell != NULL;
}

size_t opli_table_rows(const opli_table *table)
{
    return table->column_count ? table->cells.count / table->column_count : 0;
}

void opli_table_free(opli_table *table)
{
    for (size_t i = 0; i < table->cells.count; i++)
        free(table->cells.items[i].text);
    opli_vector_free(&table->cells);
}

/* ---- text ---- */

static void add_signed_bytes(opli_text *out, int64_t bytes)
{
    opli_text_addf(out, "%s", bytes < 0 ? "-" : "");
    opli_text_add_bytes(out, bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes);
}

void opli_table_show_cell(const opli_column *column, const opli_cell *cell, opli_text *out)
{
    if (cell->empty)
        return;
    switch (column->type) {
    case OPLI_COLUMN_TEXT: opli_text_add_printable(out, cell->text, cell->length); break;
    case OPLI_COLUMN_ID: opli_text_addf(out, "%" PRId64, cell->number); break;
    case OPLI_COLUMN_COUNT: opli_text_add_count(out, (uint64_t)cell->number); break;
    case OPLI_COLUMN_NS: opli_text_add_ns(out, cell->number); break;
    case OPLI_COLUMN_BYTES: add_signed_bytes(out, cell->number); break;
    case OPLI_COLUMN_REAL: opli_text_addf(out, "%.12g", cell->real); break;
    }
}

static void add_times(opli_text *out, const char *glyph, size_t times)
{
    for (size_t i = 0; i < times; i++)
        opli_text_add(out, glyph, strlen(glyph));
}

/* A box holds the first column and those from `from` up to `end`. */
typedef struct box {
    const opli_table *table;
    const size_t *widths;
    size_t from, end;
} box;

/* The column at a place of the box, its count when there is none. */
static size_t column_at(const box *b, size_t place)
{
    size_t column = place ? b->from + place - 1 : 0;
    return column < b->end || (!place && b->table->column_count) ? column : b->table->column_count;
}

static void add_rule(opli_text *out, const box *b, const char *const glyphs[4])
{
    size_t count = b->table->column_count;
    opli_text_add(out, glyphs[0], strlen(glyphs[0]));
    for (size_t place = 0, c; (c = column_at(b, place)) < count; place++) {
        add_times(out, glyphs[1], b->widths[c] + 2);
        const char *corner = column_at(b, place + 1) < count ? glyphs[2] : glyphs[3];
        opli_text_add(out, corner, strlen(corner));
    }
    opli_text_add(out, "\n", 1);
}

/* The text in its column: numbers to the right, words to the left, what is too long ends in dots. */
static void add_aligned(opli_text *out, const char *text, size_t length, size_t width, bool right)
{
    size_t shown = opli_utf8_width(text, length);
    if (shown > width) {
        size_t at = 0;
        for (size_t kept = 0; kept + 2 < width; kept++) {
            size_t step = opli_utf8_length(text + at, length - at);
            at += step ? step : 1;
        }
        opli_text_add(out, text, at);
        opli_text_add(out, "..", 2);
        return;
    }
    add_times(out, " ", right ? width - shown : 0);
    opli_text_add(out, text, length);
    add_times(out, " ", right ? 0 : width - shown);
}

static void add_row(opli_text *out, const box *b, const opli_cell *cells)
{
    const opli_table *table = b->table;
    opli_text shown = {0};
    for (size_t place = 0, c; (c = column_at(b, place)) < table->column_count; place++) {
        bool right = table->columns[c].type != OPLI_COLUMN_TEXT;
        opli_text_reset(&shown);
        if (cells)
            opli_table_show_cell(&table->columns[c], &cells[c], &shown);
        else
            opli_text_add(&shown, table->columns[c].title, strlen(table->columns[c].title));
        opli_text_add(out, place ? "┆ " : "│ ", strlen("│ "));
        add_aligned(out, shown.bytes ? shown.bytes : "", shown.length, b->widths[c], right);
        opli_text_add(out, " ", 1);
    }
    opli_text_add(out, "│\n", strlen("│\n"));
    opli_text_free(&shown);
}

static void measure(const opli_table *table, size_t *widths)
{
    opli_text shown = {0};
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = opli_utf8_width(table->columns[c].title, strlen(table->columns[c].title));
    for (size_t i = 0; table->column_count && i < table->cells.count; i++) {
        size_t c = i % table->column_count;
        opli_text_reset(&shown);
        opli_table_show_cell(&table->columns[c], &table->cells.items[i], &shown);
        size_t width = opli_utf8_width(shown.bytes ? shown.bytes : "", shown.length);
        if (width > widths[c])
            widths[c] = width;
    }
    opli_text_free(&shown);
}

static size_t box_width(const opli_table *table, const size_t *widths)
{
    size_t total = 1;
    for (size_t c = 0; c < table->column_count; c++)
        total += widths[c] + 3;
    return total;
}

/* Takes from the widest text column until the box fits, or nothing more can be taken. */
static void squeeze(const opli_table *table, size_t *widths, size_t width)
{
    for (;;) {
        size_t total = box_width(table, widths), widest = table->column_count;
        for (size_t c = 0; c < table->column_count; c++)
            if (table->columns[c].type == OPLI_COLUMN_TEXT && widths[c] > 8 &&
                (widest == table->column_count || widths[c] > widths[widest]))
                widest = c;
        if (total <= width || widest == table->column_count)
            return;
        size_t spare = widths[widest] - 8, excess = total - width;
        widths[widest] -= excess < spare ? excess : spare;
    }
}

static void add_box(opli_text *out, const box *b)
{
    static const char *const top[] = {"┌", "─", "┬", "┐"}, *const middle[] = {"╞", "═", "╪", "╡"},
                             *const bottom[] = {"└", "─", "┴", "┘"};
    add_rule(out, b, top);
    add_row(out, b, NULL);
    add_rule(out, b, middle);
    for (size_t row = 0; row < opli_table_rows(b->table); row++)
        add_row(out, b, &b->table->cells.items[row * b->table->column_count]);
    add_rule(out, b, bottom);
}

/* Several boxes, one below the other, each with the first column and as many others as fit. Texts take half the width
 * at most. */
static void add_boxes(opli_text *out, const opli_table *table, size_t *widths, size_t width)
{
    measure(table, widths);
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].type == OPLI_COLUMN_TEXT && widths[c] > width / 2 - 4)
            widths[c] = width / 2 - 4;
    for (size_t from = 1, end; from < table->column_count; from = end) {
        size_t taken = 1 + widths[0] + 3;
        for (end = from; end < table->column_count && (end == from || taken + widths[end] + 3 <= width); end++)
            taken += widths[end] + 3;
        add_box(out, &(box){table, widths, from, end});
    }
}

void opli_table_print(const opli_table *table, size_t width, opli_text *out)
{
    size_t *widths = calloc(table->column_count + 1, sizeof *widths);
    if (!widths)
        return;
    measure(table, widths);
    if (width)
        squeeze(table, widths, width);
    if (width >= NARROWEST && table->column_count > 2 && box_width(table, widths) > width)
        add_boxes(out, table, widths, width);
    else
        add_box(out, &(box){table, widths, 1, table->column_count});
    free(widths);
}

/* ---- JSON ---- */

static void add_json_cell(opli_text *out, const opli_column *column, const opli_cell *cell)
{
    bool no_word = column->type == OPLI_COLUMN_REAL && !isfinite(cell->real); /* JSON has none for it */
    if (cell->empty || no_word)
        opli_text_addf(out, "null");
    else if (column->type == OPLI_COLUMN_TEXT)
        opli_text_add_json(out, cell->text, cell->length);
    else if (column->type == OPLI_COLUMN_REAL)
        opli_text_addf(out, "%.17g", cell->real);
    else
        opli_text_addf(out, "%" PRId64, cell->number);
}

void opli_table_print_json(const opli_table *table, opli_text *out)
{
    opli_text_addf(out, "[");
    for (size_t i = 0; table->column_count && i < table->cells.count; i++) {
        size_t c = i % table->column_count;
        opli_text_addf(out, "%s", c ? ", " : i ? ", {" : "{");
        opli_text_add_json(out, table->columns[c].key, strlen(table->columns[c].key));
        opli_text_addf(out, ": ");
        add_json_cell(out, &table->columns[c], &table->cells.items[i]);
        if (c + 1 == table->column_count)
            opli_text_addf(out, "}");
    }
    opli_text_addf(out, "]");
}
