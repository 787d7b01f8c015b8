/* table_format.h - the ways to write a table, by name. */
#ifndef OPLI_BASE_TABLE_FORMAT_H
#define OPLI_BASE_TABLE_FORMAT_H

#include "base/table.h"

typedef struct opli_table_format {
    const char *name;   /* "csv" */
    const char *suffix; /* ".csv" */
    void (*print)(const opli_table *table, size_t width, opli_text *out);
} opli_table_format;

/* The format of that name, or the one whose suffix `path` ends in; NULL when there is none. */
const opli_table_format *opli_table_format_find(const char *name);
const opli_table_format *opli_table_format_of_path(const char *path);

/* "text, csv, json or markdown" */
const char *opli_table_format_names(void);

/* A box; where it is too wide for `width`, columns that are empty or 0 in every row are left out and named below. */
void opli_table_print_narrow(const opli_table *table, size_t width, opli_text *out);

/* RFC 4180: a header of keys, then exact numbers; a missing value is nothing, an empty text is "". */
void opli_table_print_csv(const opli_table *table, opli_text *out);

/* A table as GitHub and others show it; numbers as for a terminal. */
void opli_table_print_markdown(const opli_table *table, opli_text *out);

#endif
