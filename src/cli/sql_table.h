/* sql_table.h - a table as SQL sees it, into a file: one of the store's (span, arg ...), or any as Parquet. */
#ifndef OPLI_CLI_SQL_TABLE_H
#define OPLI_CLI_SQL_TABLE_H

#include "base/table_format.h"
#include "cli/command.h"
#include "trace/trace.h"

/* Whether the store has a table of that name; and all their names, with commas. */
bool opli_sql_table_is_stored(const char *name);
void opli_sql_table_add_names(opli_text *out);

/* Writes the table to `path`, in the format or, where that is NULL, as Parquet. An exit status; complains when it is
 * not OPLI_EXIT_OK. */
int opli_sql_table_write(const opli_given *given, const opli_trace *trace, const char *name,
                         const opli_table_format *format, const char *path);

#endif
