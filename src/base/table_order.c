/* table_order.c - sort and cut a table's rows. */
#define _GNU_SOURCE
#include "base/table_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

/* ---- columns by key ---- */

/* A key's length without its unit. */
static size_t bare_length(const opli_column *column)
{
    size_t length = strlen(column->key);
    const char *unit = column->type == OPLI_COLUMN_NS ? "_ns" : column->type == OPLI_COLUMN_BYTES ? "_bytes" : "";
    size_t unit_length = strlen(unit);
    bool has_unit = unit_length && length > unit_length && strcmp(column->key + length - unit_length, unit) == 0;
    return has_unit ? length - unit_length : length;
}

size_t opli_table_column(const opli_table *table, const char *key, size_t length)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (strlen(table->columns[c].key) == length && memcmp(table->columns[c].key, key, length) == 0)
            return c;
    for (size_t c = 0; c < table->column_count; c++)
        if (length && bare_length(&table->columns[c]) == length && memcmp(table->columns[c].key, key, length) == 0)
            return c;
    return table->column_count;
}

opl_status opli_table_no_column(const opli_table *table, const char *key, size_t length, opl_error *err)
{
    opli_text keys = {0};
    for (size_t c = 0; c < table->column_count; c++)
        opli_text_addf(&keys, "%s%s", c ? ", " : "", table->columns[c].key);
    opli_fail(err, OPL_INVALID, "there is no column '%.*s'; there are %s", (int)(length < 60 ? length : 60), key,
              keys.bytes ? keys.bytes : "none");
    opli_text_free(&keys);
    return OPL_INVALID;
}

/* ---- sorting ---- */

typedef struct sort_key {
    size_t column;
    bool descending;
} sort_key;

typedef struct sorting {
    const opli_table *table;
    OPLI_VECTOR(sort_key) keys;
} sorting;

static opl_status read_keys(sorting *s, const char *keys, opl_error *err)
{
    for (const char *at = keys;; at++) {
        bool descending = *at == '-';
        at += descending;
        size_t length = strcspn(at, ",");
        size_t column = opli_table_column(s->table, at, length);
        if (column == s->table->column_count)
            return opli_table_no_column(s->table, at, length, err);
        sort_key *key = opli_vector_add(&s->keys);
        if (!key)
            return opli_fail(err, OPL_NOMEM, "no memory to sort the table");
        *key = (sort_key){column, descending};
        at += length;
        if (!*at)
            return OPL_OK;
    }
}

static int compare_texts(const opli_cell *a, const opli_cell *b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static bool is_missing(const opli_column *column, const opli_cell *cell)
{
    return cell->empty || (column->type == OPLI_COLUMN_REAL && isnan(cell->real));
}

static int compare_cells(const opli_column *column, const opli_cell *a, const opli_cell *b, bool descending)
{
    bool no_a = is_missing(column, a), no_b = is_missing(column, b);
    if (no_a || no_b)
        return no_a - no_b;
    int order = column->type == OPLI_COLUMN_TEXT   ? compare_texts(a, b)
                : column->type == OPLI_COLUMN_REAL ? (a->real > b->real) - (a->real < b->real)
                                                   : (a->number > b->number) - (a->number < b->number);
    return descending ? -order : order;
}

/* Rows that are equal in every key stand as they stood: qsort alone would not promise that. */
static int compare_rows(const void *a, const void *b, void *context)
{
    const sorting *s = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const opli_cell *cells = s->table->cells.items;
    for (size_t i = 0; i < s->keys.count; i++) {
        size_t c = s->keys.items[i].column;
        int order = compare_cells(&s->table->columns[c], &cells[x * s->table->column_count + c],
                                  &cells[y * s->table->column_count + c], s->keys.items[i].descending);
        if (order)
            return order;
    }
    return (x > y) - (x < y);
}

static opl_status sort_rows(opli_table *table, sorting *s, opl_error *err)
{
    size_t rows = opli_table_rows(table), width = table->column_count;
    size_t *order = calloc(rows + 1, sizeof *order);
    opli_cell *moved = calloc(rows * width + 1, sizeof *moved);
    if (order && moved) {
        for (size_t i = 0; i < rows; i++)
            order[i] = i;
        qsort_r(order, rows, sizeof *order, compare_rows, s);
        for (size_t i = 0; i < rows; i++)
            memcpy(&moved[i * width], &table->cells.items[order[i] * width], width * sizeof *moved);
        if (rows)
            memcpy(table->cells.items, moved, rows * width * sizeof *moved);
    }
    bool ok = order && moved;
    free(order);
    free(moved);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "no memory to sort the table");
}

opl_status opli_table_sort(opli_table *table, const char *keys, opl_error *err)
{
    sorting s = {.table = table};
    opl_status st = read_keys(&s, keys, err);
    if (st == OPL_OK)
        st = sort_rows(table, &s, err);
    opli_vector_free(&s.keys);
    return st;
}

size_t opli_table_cut(opli_table *table, size_t most)
{
    size_t rows = opli_table_rows(table);
    if (rows <= most)
        return 0;
    for (size_t i = most * table->column_count; i < table->cells.count; i++)
        free(table->cells.items[i].text);
    table->cells.count = most * table->column_count;
    return rows - most;
}
