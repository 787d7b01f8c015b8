/* sql_table.c - a table as SQL sees it, into a file. */
#include "cli/sql_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "cli/output_file.h"
#include "cli/progress_bar.h"
#include "query/query.h"
#include "query/store_tables.h"

/* ---- names ---- */

/* Every trace has the same tables, also one with nothing in it. */
void opli_sql_table_add_names(opli_text *out)
{
    const opli_trace nothing = {.base_real_ns = 0};
    opli_query_table tables[OPLI_STORE_TABLE_COUNT] = {{.name = NULL}};
    opl_status st = opli_store_tables_make(&nothing, tables);
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++) {
        if (st == OPL_OK)
            opli_text_addf(out, "%s%s", i ? ", " : "", tables[i].name);
        free(tables[i].columns);
    }
}

bool opli_sql_table_is_stored(const char *name)
{
    opli_text names = {0};
    bool found = false;
    char *rest = NULL;
    opli_sql_table_add_names(&names);
    for (char *at = names.bytes ? strtok_r(names.bytes, ", ", &rest) : NULL; at && !found;
         at = strtok_r(NULL, ", ", &rest))
        found = strcmp(at, name) == 0;
    opli_text_free(&names);
    return found;
}

/* ---- writing ---- */

static void add_sql(opli_text *sql, const char *table)
{
    opli_text_addf(sql, "from ");
    for (; *table; table++)
        opli_text_addf(sql, "%c", *table == '-' ? '_' : *table);
}

static int print_answer(const opli_given *given, const opli_table *table, const opli_table_format *format,
                        const char *path)
{
    opli_text out = {0};
    FILE *file = opli_output_open(given, path);
    if (!file)
        return OPLI_EXIT_FAILED;
    format->print(table, 0, &out);
    if (out.length)
        fwrite(out.bytes, 1, out.length, file);
    if (out.cut)
        opli_complain(given, "there was not enough memory for the whole table");
    int status = opli_output_close(given, path, file);
    status = out.cut ? OPLI_EXIT_FAILED : status;
    opli_text_free(&out);
    return status;
}

int opli_sql_table_write(const opli_given *given, const opli_trace *trace, const char *name,
                         const opli_table_format *format, const char *path)
{
    opl_error err = {OPL_OK, ""};
    opli_query *query = NULL;
    opli_answer answer = {.columns = NULL};
    opli_progress_bar bar;
    opli_text sql = {0};
    add_sql(&sql, name);
    opli_progress_bar_begin(&bar, "making the table", 0);
    opl_status st = opli_query_open(trace, &(opli_query_options){.writes = format ? NULL : path}, &query, &err);
    if (st == OPL_OK && format)
        st = opli_query_run(query, sql.bytes, NULL, 0, &answer, &err);
    else if (st == OPL_OK)
        st = opli_query_write(query, sql.bytes, NULL, 0, &err);
    opli_progress_bar_end(&bar);
    if (st != OPL_OK)
        opli_complain(given, "%s", err.message);
    int status = st == OPL_OK ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
    if (st == OPL_OK && format)
        status = print_answer(given, &answer.table, format, path);
    opli_answer_free(&answer);
    opli_query_close(query);
    opli_text_free(&sql);
    return status;
}
