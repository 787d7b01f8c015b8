/* analysis_table.h - an analysis as a table of SQL: asked when a query first names it. */
#ifndef OPLI_QUERY_ANALYSIS_TABLE_H
#define OPLI_QUERY_ANALYSIS_TABLE_H

#include "analysis/analysis.h"
#include "query/table_function.h"

typedef struct opli_analysis_table {
    opli_table_function function; /* comes first: DuckDB only knows this part */
    const opli_analysis *analysis;
    char name[64];     /* the analysis', with underscores: SQL takes a hyphen for a minus */
    opli_table answer; /* its texts are UTF-8 */
    bool asked;
} opli_analysis_table;

void opli_analysis_table_init(opli_analysis_table *table, const opli_analysis *analysis, opli_query_store *store);
void opli_analysis_table_fini(opli_analysis_table *table);

#endif
