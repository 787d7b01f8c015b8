/* trim.h - a smaller trace: a stretch of time, some steps, a thread, some kinds of spans.
 *
 * What is kept is kept whole: a span that only reaches into the stretch has its full length, so no
 * duration is ever made up. How many were left out is noted. */
#ifndef OPLI_TRACE_TRIM_H
#define OPLI_TRACE_TRIM_H

#include "trace/trace.h"

/* What to keep; `{0}` keeps everything. */
typedef struct opli_trim {
    bool has_from, has_to, has_steps;
    int64_t from_ns, to_ns;        /* since the trace's first event; `to` itself is outside */
    int64_t first_step, last_step; /* by the number in their name (ProfilerStep#7), or else counted from 0 */
    const char *thread;            /* a track's number or name; NULL: all */
    const char *categories;        /* "op,kernel": kinds, or the source's own words; NULL: all */
} opli_trim;

/* Makes a new trace, which the caller frees. OPL_OK, OPL_NOMEM, or OPL_INVALID with what there is
 * instead when there is no such thread, step or category. */
opl_status opli_trace_trim(const opli_trace *trace, const opli_trim *trim, opli_trace *out, opl_error *err);

#endif
