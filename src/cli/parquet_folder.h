/* parquet_folder.h - every table of a trace as a Parquet file of its own, in one folder. */
#ifndef OPLI_CLI_PARQUET_FOLDER_H
#define OPLI_CLI_PARQUET_FOLDER_H

#include <oplens/error.h>

#include "trace/trace.h"

/* Writes the tables that SQL sees, the store's and the analyses', as PATH/NAME.parquet; the folder is made if it is not
 * there. OPL_UNSUPPORTED, with how to get it, when DuckDB is not installed; OPL_IO, OPL_NOMEM, OPL_INVALID. */
opl_status opli_parquet_folder_write(const opli_trace *trace, const char *path, opl_error *err);

#endif
