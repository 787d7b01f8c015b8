/* query_store.h - what tables are read from: a trace, and what is derived from it when asked.
 *
 * Threads: deriving takes a lock; what is derived never changes again. */
#ifndef OPLI_QUERY_QUERY_STORE_H
#define OPLI_QUERY_QUERY_STORE_H

#include <pthread.h>

#include "analysis/span_id.h"
#include "query/query_text.h"
#include "trace/trace.h"

typedef struct opli_query_store {
    const opli_trace *trace;
    pthread_mutex_t lock;   /* guards making, not reading, of what follows */
    opli_query_text *texts; /* one for each text of the trace */
    uint32_t text_count;
    opli_text mended;       /* texts that were no UTF-8 */
    int64_t *self_ns;       /* of each span: its duration less that of its children */
    opli_span_ids ids;      /* of spans; its parents are made once */
    uint32_t *arg_spans;    /* of each argument: the span it belongs to, or OPLI_NO_ROW */
    uint32_t *arg_instants; /* of each argument: the instant it belongs to, or OPLI_NO_ROW */
} opli_query_store;

void opli_query_store_init(opli_query_store *store, const opli_trace *trace);
void opli_query_store_fini(opli_query_store *store);

/* Each derives its part once. False when there is no memory. */
bool opli_query_store_texts(opli_query_store *store);
bool opli_query_store_self(opli_query_store *store);
bool opli_query_store_ids(opli_query_store *store);
bool opli_query_store_arg_owners(opli_query_store *store);

/* The text with that id, the empty one when there is none. Texts must have been derived. */
static inline opli_query_text opli_query_store_text(const opli_query_store *store, uint64_t id)
{
    return store->texts[id < store->text_count ? id : 0];
}

#endif
