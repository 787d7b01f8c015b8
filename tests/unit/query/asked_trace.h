/* asked_trace.h - a small trace with something in every table, and SQL asked of it.
 *
 *     asked_trace *a = asked_trace_open();             // skips the test when DuckDB is not installed
 *     CHECK_EQ(asked_number(a, "select count(*) from span"), 5);
 *     asked_trace_close(a);
 */
#ifndef OPLI_TESTS_ASKED_TRACE_H
#define OPLI_TESTS_ASKED_TRACE_H

#include "query/query.h"
#include "trace/builder.h"

typedef struct asked_trace {
    opli_trace trace;
    opli_query *query;
} asked_trace;

#define LONG_NAME "void at::native::vectorized_elementwise_kernel<4>"
#define BAD_NAME "\xff\xfe is no UTF-8, and longer than twelve bytes"
#define MENDED_NAME "\xef\xbf\xbd\xef\xbf\xbd is no UTF-8, and longer than twelve bytes"

asked_trace *asked_trace_open(void);
asked_trace *asked_trace_open_with(const opli_query_options *options);
/* Many spans of a few names on two threads, nested three deep. */
asked_trace *asked_trace_open_large(size_t spans);
void asked_trace_close(asked_trace *a);

/* The answer, which must be one; to be freed. */
opli_answer asked(asked_trace *a, const char *sql);

/* The only cell of an answer. */
int64_t asked_number(asked_trace *a, const char *sql);

/* An answer as JSON; good until the next call. */
const char *asked_json(asked_trace *a, const char *sql);

/* Why the SQL fails, as it must; good until the next call. */
const char *asked_complaint(asked_trace *a, const char *sql);

#endif
