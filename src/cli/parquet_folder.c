/* parquet_folder.c - every table of a trace as a Parquet file, written by DuckDB. */
#include "cli/parquet_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failure.h"
#include "query/query.h"
#include "query/statement.h"

static opl_status make_folder(const char *path, opl_error *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return OPL_OK;
    int problem = errno;
    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode) ? OPL_OK : opli_fail(err, OPL_IO, "%s: is a file, and a folder is needed", path);
    return opli_fail(err, OPL_IO, "%s: cannot be made: %s", path, strerror(problem));
}

/* A file appears when it is complete. */
static opl_status write_table(opli_query *query, const char *folder, const char *table, opl_error *err)
{
    opli_text sql = {0}, partial = {0}, complete = {0};
    opli_answer answer = {.columns = NULL};
    opli_text_addf(&complete, "%s/%s.parquet", folder, table);
    opli_text_addf(&partial, "%s.part", complete.bytes);
    opli_text_addf(&sql, "copy (from \"%s\") to ", table);
    opli_statement_add_quoted(&sql, '\'', partial.bytes ? partial.bytes : "");
    opli_text_addf(&sql, " (format parquet, use_tmp_file false)");
    opl_status st = sql.cut || partial.cut ? opli_fail(err, OPL_NOMEM, "there is no memory for a path")
                                           : opli_query_run(query, sql.bytes, NULL, 0, &answer, err);
    if (st == OPL_OK && rename(partial.bytes, complete.bytes) != 0)
        st = opli_fail(err, OPL_IO, "%s: cannot be written: %s", complete.bytes, strerror(errno));
    if (st != OPL_OK && partial.bytes)
        remove(partial.bytes);
    opli_answer_free(&answer);
    opli_text_free(&sql);
    opli_text_free(&partial);
    opli_text_free(&complete);
    return st;
}

static opl_status write_tables(opli_query *query, const char *folder, opl_error *err)
{
    opli_text tables = {0};
    opl_status st = OPL_OK;
    char *rest = NULL;
    opli_query_add_tables(query, &tables);
    for (char *table = strtok_r(tables.bytes, ", ", &rest); st == OPL_OK && table; table = strtok_r(NULL, ", ", &rest))
        st = write_table(query, folder, table, err);
    opli_text_free(&tables);
    return st;
}

/* The SQL is ours, so it may reach files. */
opl_status opli_parquet_folder_write(const opli_trace *trace, const char *path, opl_error *err)
{
    opli_query *query = NULL;
    char *folder = strdup(path);
    if (!folder)
        return opli_fail(err, OPL_NOMEM, "there is no memory for a path");
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/';)
        folder[--length] = '\0';
    opl_status st = opli_query_open(trace, &(opli_query_options){.allow_files = true}, &query, err);
    if (st == OPL_OK)
        st = make_folder(folder, err);
    if (st == OPL_OK)
        st = write_tables(query, folder, err);
    opli_query_close(query);
    free(folder);
    return st;
}
