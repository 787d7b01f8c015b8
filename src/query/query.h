/* query.h - ask a trace in SQL.
 *
 *     opli_query *query;
 *     opli_query_open(&trace, &(opli_query_options){0}, &query, &err);
 *     opli_query_run(query, "select name, count(*) from span group by 1", NULL, 0, &answer, &err);
 *
 * SQL sees the tables of the store and every analysis, by name; it can make views and tables of its
 * own, which last as long as the query object. It reaches no file and no network unless asked.
 * Threads: one at a time. Lifetime: the trace must outlive it. */
#ifndef OPLI_QUERY_QUERY_H
#define OPLI_QUERY_QUERY_H

#include "query/answer.h"
#include "trace/trace.h"

typedef struct opli_query opli_query;

/* `{0}` is sensible. */
typedef struct opli_query_options {
    unsigned threads;   /* 0: one, which answers with the same bytes every time */
    bool allow_files;   /* SQL may read and write files, and load extensions */
    const char *writes; /* the one file opli_query_write() may write; may be NULL */
} opli_query_options;

/* `$name` in SQL. */
typedef struct opli_query_param {
    const char *name, *value;
} opli_query_param;

/* OPL_OK, OPL_NOMEM, or OPL_UNSUPPORTED when DuckDB is not installed. */
opl_status opli_query_open(const opli_trace *trace, const opli_query_options *options, opli_query **out,
                           opl_error *err);
void opli_query_close(opli_query *query);

/* Runs one statement. The answer is the caller's to free; it is empty when there is nothing to say. */
opl_status opli_query_run(opli_query *query, const char *sql, const opli_query_param *params, size_t param_count,
                          opli_answer *answer, opl_error *err);

/* Runs one statement and writes its answer as Parquet to the file that was named when opening. The
 * file appears when it is complete. */
opl_status opli_query_write(opli_query *query, const char *sql, const opli_query_param *params, size_t param_count,
                            opl_error *err);

/* The names of all tables, with commas. */
void opli_query_add_tables(const opli_query *query, opli_text *out);

#endif
