/* asked_table.h - the table a user asked for: the analysis by name, then sorted, filtered and cut. */
#ifndef OPLI_CLI_ASKED_TABLE_H
#define OPLI_CLI_ASKED_TABLE_H

#include "analysis/analysis.h"
#include "cli/command.h"

/* The analysis of that name; NULL after complaining with the list of those there are. */
const opli_analysis *opli_asked_analysis(const opli_given *given, const char *name);

/* All analyses and what they answer, as a table the caller frees. */
bool opli_asked_list(opli_table *table);

/* Runs the analysis and obeys those of --sort, --filter, --limit, --group-by and --top-level that the command has.
 * `left_out` rows were cut off by the limit. An exit status; complains when it is not OPLI_EXIT_OK. */
int opli_asked_table(const opli_given *given, const opli_analysis *analysis, const opli_trace *trace, opli_table *table,
                     size_t *left_out);

#endif
