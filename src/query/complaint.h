/* complaint.h - what DuckDB complains of, as a sentence of ours. */
#ifndef OPLI_QUERY_COMPLAINT_H
#define OPLI_QUERY_COMPLAINT_H

#include <stdbool.h>

#include <oplens/error.h>

/* Fills `err` from DuckDB's message: which tables there are follows when one is not known, else the
 * place in the SQL on lines of its own, if DuckDB shows it. */
opl_status opli_complaint(const char *message, const char *tables, opl_error *err);

/* Whether it is about a column that is not there; then a sentence with those that are follows, and the place. */
bool opli_complaint_is_of_column(const char *message);
opl_status opli_complaint_of_column(const char *message, const char *columns, opl_error *err);

#endif
