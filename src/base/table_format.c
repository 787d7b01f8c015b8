/* table_format.c - the ways to write a table, by name. */
#include "base/table_format.h"

#include <string.h>

static void print_csv(const opli_table *table, size_t width, opli_text *out)
{
    (void)width;
    opli_table_print_csv(table, out);
}

static void print_json(const opli_table *table, size_t width, opli_text *out)
{
    (void)width;
    opli_table_print_json(table, out);
    opli_text_add(out, "\n", 1);
}

static void print_markdown(const opli_table *table, size_t width, opli_text *out)
{
    (void)width;
    opli_table_print_markdown(table, out);
}

static const opli_table_format formats[] = {
    {"text", ".txt", opli_table_print_narrow},
    {"csv", ".csv", print_csv},
    {"json", ".json", print_json},
    {"markdown", ".md", print_markdown},
};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const opli_table_format *opli_table_format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const opli_table_format *opli_table_format_of_path(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        size_t suffix = strlen(formats[i].suffix);
        if (length > suffix && strcmp(path + length - suffix, formats[i].suffix) == 0)
            return &formats[i];
    }
    return NULL;
}

const char *opli_table_format_names(void) { return "text, csv, json or markdown"; }
