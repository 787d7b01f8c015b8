/* input_trace.h - the files and directories a user named, as one trace. */
#ifndef OPLI_CLI_INPUT_TRACE_H
#define OPLI_CLI_INPUT_TRACE_H

#include "cli/command.h"
#include "trace/trace.h"

/* Opens all operands as one trace, which the caller frees, and says on stderr what had to be mended
 * and what is missing. A file that was found in a directory and cannot be read is skipped, and that is
 * said, as long as another one can. An exit status; complains when it is not OPLI_EXIT_OK. */
int opli_input_trace_open(const opli_given *given, opli_trace *trace);

/* The same for who wants no more than the trace's sums; it may come with spans all the same. */
int opli_input_trace_open_sums(const opli_given *given, opli_trace *trace);

#endif
