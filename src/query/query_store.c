/* query_store.c - what tables are read from. */
#include "query/query_store.h"

#include <stdlib.h>
#include <string.h>

void opli_query_store_init(opli_query_store *store, const opli_trace *trace)
{
    *store = (opli_query_store){.trace = trace};
    pthread_mutex_init(&store->lock, NULL);
}

void opli_query_store_fini(opli_query_store *store)
{
    free(store->texts);
    free(store->self_ns);
    free(store->arg_spans);
    free(store->arg_instants);
    opli_span_ids_fini(&store->ids);
    opli_text_free(&store->mended);
    pthread_mutex_destroy(&store->lock);
}

/* ---- texts ---- */

/* Mended texts stand one after the other; they move while more are added, so they are pointed to
 * only when all are there. */
static void point_to_mended(const opli_query_store *store, opli_query_text *texts, uint32_t count)
{
    size_t at = 0;
    for (uint32_t id = 0; id < count; id++) {
        const char *bytes = opli_string_get(&store->trace->strings, id);
        if (opli_query_text_is_utf8(bytes, opli_string_length(&store->trace->strings, id)))
            continue;
        size_t length = texts[id].length;
        texts[id] = opli_query_text_of(store->mended.bytes + at, length);
        at += length;
    }
}

static bool make_texts(opli_query_store *store)
{
    const opli_string_table *strings = &store->trace->strings;
    uint32_t count = strings->count ? strings->count : 1; /* text 0, the empty one, always is */
    opli_query_text *texts = calloc(count, sizeof *texts);
    if (!texts)
        return false;
    for (uint32_t id = 1; id < count; id++) {
        const char *bytes = opli_string_get(strings, id);
        size_t length = opli_string_length(strings, id), before = store->mended.length;
        if (opli_query_text_is_utf8(bytes, length)) {
            texts[id] = opli_query_text_of(bytes, length);
            continue;
        }
        opli_query_text_mend(bytes, length, &store->mended);
        texts[id].length = (uint32_t)(store->mended.length - before);
    }
    if (store->mended.cut) {
        free(texts);
        return false;
    }
    if (store->mended.length)
        point_to_mended(store, texts, count);
    store->texts = texts;
    store->text_count = count;
    return true;
}

/* ---- spans ---- */

static bool make_self(opli_query_store *store)
{
    const opli_spans *spans = &store->trace->spans;
    int64_t *self_ns = malloc((spans->count + 1) * sizeof *self_ns);
    if (!self_ns)
        return false;
    for (size_t row = 0; row < spans->count; row++) { /* a parent stands before its children */
        self_ns[row] = spans->duration_ns[row];
        if (spans->parent[row] != OPLI_NO_ROW)
            self_ns[spans->parent[row]] -= spans->duration_ns[row];
    }
    store->self_ns = self_ns;
    return true;
}

/* ---- arguments ---- */

static void own(uint32_t *owners, size_t count, size_t first, size_t args, size_t owner)
{
    for (size_t i = first; i < first + args && i < count; i++)
        owners[i] = (uint32_t)owner;
}

static bool make_arg_owners(opli_query_store *store)
{
    const opli_trace *trace = store->trace;
    size_t count = trace->args.count, bytes = (count + 1) * sizeof(uint32_t);
    uint32_t *spans = malloc(bytes), *instants = malloc(bytes);
    if (!spans || !instants) {
        free(spans);
        free(instants);
        return false;
    }
    memset(spans, 0xff, bytes); /* OPLI_NO_ROW */
    memset(instants, 0xff, bytes);
    for (size_t row = 0; row < trace->spans.count; row++)
        own(spans, count, trace->spans.first_arg[row], trace->spans.arg_count[row], row);
    for (size_t row = 0; row < trace->instants.count; row++)
        own(instants, count, trace->instants.items[row].first_arg, trace->instants.items[row].arg_count, row);
    store->arg_spans = spans;
    store->arg_instants = instants;
    return true;
}

/* ---- once ---- */

bool opli_query_store_texts(opli_query_store *store)
{
    pthread_mutex_lock(&store->lock);
    bool ok = store->texts || make_texts(store);
    pthread_mutex_unlock(&store->lock);
    return ok;
}

bool opli_query_store_self(opli_query_store *store)
{
    pthread_mutex_lock(&store->lock);
    bool ok = store->self_ns || make_self(store);
    pthread_mutex_unlock(&store->lock);
    return ok;
}

bool opli_query_store_ids(opli_query_store *store)
{
    pthread_mutex_lock(&store->lock);
    bool ok = store->ids.parent || opli_span_ids_init(&store->ids, store->trace);
    if (!ok)
        opli_span_ids_fini(&store->ids);
    pthread_mutex_unlock(&store->lock);
    return ok;
}

bool opli_query_store_arg_owners(opli_query_store *store)
{
    pthread_mutex_lock(&store->lock);
    bool ok = store->arg_instants || make_arg_owners(store);
    pthread_mutex_unlock(&store->lock);
    return ok;
}
