/* analysis.h - a question one can ask of a trace; the answer is a table.
 *
 * A new one: one file that ends in its descriptor, and one word in OPLI_ANALYSES. An analysis only
 * reads, never prints, and gives the same bytes when asked again. Sorting, filtering and cutting
 * the table is done for all of them by the one who asks. */
#ifndef OPLI_ANALYSIS_ANALYSIS_H
#define OPLI_ANALYSIS_ANALYSIS_H

#include "analysis/sort_word.h"
#include "base/table.h"
#include "trace/trace.h"

/* How the question is put; `{0}` is sensible. */
typedef struct opli_question {
    const char *group_by; /* "shape", "stack:5", "shape,module"; NULL: by name */
    bool top_level;       /* only spans that are not inside another of their kind */
} opli_question;

typedef struct opli_analysis {
    const char *name;                 /* "averages" */
    const char *summary;              /* one line */
    const char *sorted_by;            /* the key the table comes sorted by, as in "-cpu_total_ns"; NULL: as it is */
    bool sums_will_do;                /* the plain question can be answered from the trace's sums alone */
    const opli_sort_word *sort_words; /* what other tools call the columns; NULL: nothing else */
    /* OPL_OK, OPL_NOMEM, OPL_INVALID (with the right words in the message). */
    opl_status (*run)(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err);
} opli_analysis;

/* clang-format off */
#define OPLI_ANALYSES(X) \
    X(info) X(summary) X(inferences) X(executions) X(operators) X(host_operators) \
    X(averages) X(kernels) X(copies) X(steps) X(labels) \
    X(functions) X(callers) X(callees) X(tree) \
    X(memory_events) X(counters)
/* clang-format on */

#define OPLI_DECLARE_ANALYSIS(name) extern const opli_analysis opli_analysis_##name;
OPLI_ANALYSES(OPLI_DECLARE_ANALYSIS)
#undef OPLI_DECLARE_ANALYSIS

#endif
