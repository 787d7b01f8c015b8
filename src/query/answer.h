/* answer.h - what DuckDB answers, as a table of ours. */
#ifndef OPLI_QUERY_ANSWER_H
#define OPLI_QUERY_ANSWER_H

#include "base/table.h"
#include "query/duckdb_library.h"

typedef struct opli_answer {
    opli_table table;
    opli_column *columns; /* what the table borrows; titles are owned here */
} opli_answer;

/* Whether values of the type can be read; others are to be cast in SQL. */
bool opli_answer_reads(int type);

/* Reads a whole result. OPL_OK, OPL_NOMEM, OPL_UNSUPPORTED for a type that cannot be read. */
opl_status opli_answer_read(opli_answer *answer, const opli_duckdb *duckdb, opli_duck_result *result, opl_error *err);
void opli_answer_free(opli_answer *answer);

#endif
