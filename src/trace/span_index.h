/* span_index.h - which span of a track holds a moment?
 *
 * Where spans only nest, the last one that began before leads to it by its parents. Where some overlap,
 * and stand in lanes, it may have nothing to do with the last: then we keep the latest end of every 64
 * rows in a tree.
 * Lifetime: borrows the trace; free it once, also when it could not be made. */
#ifndef OPLI_TRACE_SPAN_INDEX_H
#define OPLI_TRACE_SPAN_INDEX_H

#include "trace/trace.h"

typedef struct opli_span_index {
    const opli_trace *trace;
    int64_t *latest; /* a binary tree over blocks of rows, node 1 the root; NULL: nothing overlaps */
    size_t leaves;
} opli_span_index;

/* Of a trace that is nested. False when there is no memory. */
bool opli_span_index_init(opli_span_index *index, const opli_trace *trace);
void opli_span_index_fini(opli_span_index *index);

/* The innermost span of the track at that moment, its end included: of those that hold it, the one that
 * began last. OPLI_NO_ROW when there is none. */
uint32_t opli_span_index_find(const opli_span_index *index, uint32_t track, int64_t time_ns);

#endif
