/* span_id.h - ids of spans, who is whose parent across tracks, and which inference a span belongs to.
 *
 * Where the source gave ids (Furiosa) they are shown as they are, and its parents count. Elsewhere ids are derived from
 * the trace itself, so that recording pays nothing for them and reading twice gives the same: 64 bits for a span, and
 * 128 bits shared by all descendants of one inference. */
#ifndef OPLI_ANALYSIS_SPAN_ID_H
#define OPLI_ANALYSIS_SPAN_ID_H

#include "base/table.h"
#include "trace/trace.h"

typedef struct opli_span_ids {
    const opli_trace *trace;
    uint32_t *parent; /* of each span: the source's, else the one around it, else the one that launched it */
    uint32_t trace_key, span_key, parent_key; /* texts of the source's own ids, or OPLI_STRING_NONE */
    uint64_t seed;
} opli_span_ids;

/* False when there is no memory; free it either way. */
bool opli_span_ids_init(opli_span_ids *ids, const opli_trace *trace);
void opli_span_ids_fini(opli_span_ids *ids);

/* The outermost inference around the span, or itself; where there is none, the outermost span. */
uint32_t opli_span_ids_root(const opli_span_ids *ids, uint32_t span);

/* The nearest span around it, or itself, of that kind; OPLI_NO_ROW if there is none. */
uint32_t opli_span_ids_nearest(const opli_span_ids *ids, uint32_t span, opl_category kind);

/* Cells of 32 and 16 hexadecimal digits; a root's parent is 16 zeros. */
bool opli_span_ids_add_trace(const opli_span_ids *ids, uint32_t span, opli_table *table);
bool opli_span_ids_add_span(const opli_span_ids *ids, uint32_t span, opli_table *table);
bool opli_span_ids_add_parent(const opli_span_ids *ids, uint32_t span, opli_table *table);

/* The span's whole number of that key as a cell, which stays empty if it has none. */
bool opli_span_ids_add_number(const opli_span_ids *ids, uint32_t span, const char *key, opli_table *table);

#endif
