/* table.h - named, typed columns of cells: what every analysis returns and one printer shows. */
#ifndef OPLI_BASE_TABLE_H
#define OPLI_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

enum opli_column_type {
    OPLI_COLUMN_TEXT,
    OPLI_COLUMN_ID, /* a number that is only a name */
    OPLI_COLUMN_COUNT,
    OPLI_COLUMN_NS,    /* JSON key ends in _ns */
    OPLI_COLUMN_BYTES, /* JSON key ends in _bytes */
    OPLI_COLUMN_REAL,
};

typedef struct opli_column {
    const char *title; /* for people */
    const char *key;   /* for programs: carries the unit */
    enum opli_column_type type;
} opli_column;

typedef struct opli_cell {
    bool empty;
    int64_t number;
    double real;
    char *text; /* owned */
    size_t length;
} opli_cell;

typedef struct opli_table {
    const opli_column *columns; /* borrowed, usually static */
    size_t column_count;
    OPLI_VECTOR(opli_cell) cells; /* row by row */
} opli_table;

/* Cells are added left to right, row by row. False when there is no memory. */
bool opli_table_add_text(opli_table *table, const char *text, size_t length);
bool opli_table_add_number(opli_table *table, int64_t number);
bool opli_table_add_real(opli_table *table, double real);
bool opli_table_add_empty(opli_table *table);
size_t opli_table_rows(const opli_table *table);
void opli_table_free(opli_table *table);

/* A cell as people read it: 1.234 ms, 81.3 MB; nothing when it is empty. */
void opli_table_show_cell(const opli_column *column, const opli_cell *cell, opli_text *out);

/* A box drawn for a terminal of `width` columns (0: as wide as it needs): long texts are
 * shortened, and columns that still do not fit stand in further boxes below. */
void opli_table_print(const opli_table *table, size_t width, opli_text *out);

/* An array of objects, with exact numbers. */
void opli_table_print_json(const opli_table *table, opli_text *out);

#endif
