/* span_id.c - ids of spans, and who is whose parent across tracks. */
#include "analysis/span_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/launch.h"
#include "base/key_map.h"

/* ---- derived ids ---- */

/* Mixes bits one to one: different numbers stay different. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Two traces should not share ids, so theirs depend on when and where they were taken. */
static uint64_t seed_of(const opli_trace *trace)
{
    uint64_t seed = mix((uint64_t)trace->base_real_ns + 0x9e3779b97f4a7c15u);
    for (size_t i = 0; i < trace->processes.count; i++)
        seed = mix(seed ^ (uint64_t)trace->processes.items[i].pid);
    if (trace->spans.count)
        seed = mix(seed ^ (uint64_t)trace->spans.start_ns[0]);
    return mix(seed ^ trace->spans.count);
}

/* Never zero, which would say that there is no span. */
static uint64_t derive(uint64_t seed, uint32_t span)
{
    uint64_t id = mix(seed + span);
    return id ? id : mix(seed - 1);
}

/* ---- parents ---- */

static uint32_t text_arg(const opli_trace *trace, uint32_t span, uint32_t key)
{
    uint32_t arg = key == OPLI_STRING_NONE ? OPLI_NO_ROW : opli_trace_arg(trace, span, key);
    bool is_text = arg != OPLI_NO_ROW && opli_args_type(&trace->args, arg) == OPLI_ARG_TEXT;
    return is_text ? (uint32_t)opli_args_value(&trace->args, arg) : 0;
}

/* The spans by the source's ids. An id that is used twice is the first one's. */
typedef struct index {
    opli_key_map numbers;
    OPLI_VECTOR(uint32_t) spans;
} index_of_ids;

static bool index_ids(const opli_span_ids *ids, index_of_ids *index)
{
    for (uint32_t i = 0; i < ids->trace->spans.count; i++) {
        uint32_t text = text_arg(ids->trace, i, ids->span_key);
        uint32_t number = text ? opli_key_map_add(&index->numbers, (opli_key){{text}}) : 0;
        if (number == OPLI_KEY_NONE)
            return false;
        uint32_t *added = text && number == index->spans.count ? opli_vector_add(&index->spans) : NULL;
        if (added)
            *added = i;
        else if (text && number == index->spans.count)
            return false;
    }
    return true;
}

/* Parents by the source's ids, over those found before. */
static bool use_own_ids(opli_span_ids *ids)
{
    index_of_ids index = {0};
    bool ok = ids->span_key == OPLI_STRING_NONE || ids->parent_key == OPLI_STRING_NONE || index_ids(ids, &index);
    for (uint32_t i = 0; ok && index.spans.count && i < ids->trace->spans.count; i++) {
        uint32_t text = text_arg(ids->trace, i, ids->parent_key);
        uint32_t number = text ? opli_key_map_find(&index.numbers, (opli_key){{text}}) : OPLI_KEY_NONE;
        if (number != OPLI_KEY_NONE)
            ids->parent[i] = index.spans.items[number];
    }
    opli_key_map_free(&index.numbers);
    opli_vector_free(&index.spans);
    return ok;
}

/* Ids of a damaged file may lead in a circle: it is cut where it closes. */
static bool cut_circles(opli_span_ids *ids)
{
    size_t count = ids->trace->spans.count;
    uint32_t *seen_from = calloc(count + 1, sizeof *seen_from);
    if (!seen_from)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t row = i; row != OPLI_NO_ROW && !seen_from[row]; row = ids->parent[row]) {
            seen_from[row] = i + 1;
            uint32_t parent = ids->parent[row];
            if (parent != OPLI_NO_ROW && seen_from[parent] == i + 1)
                ids->parent[row] = OPLI_NO_ROW;
        }
    }
    free(seen_from);
    return true;
}

static bool find_parents(opli_span_ids *ids)
{
    const opli_spans *spans = &ids->trace->spans;
    opli_launches launches = {0};
    ids->parent = calloc(spans->count + 1, sizeof *ids->parent);
    if (!ids->parent || !opli_launches_find(ids->trace, &launches))
        return false;
    for (size_t i = 0; i < spans->count; i++)
        ids->parent[i] = spans->parent[i] != OPLI_NO_ROW ? spans->parent[i] : launches.launcher[i];
    opli_launches_free(&launches);
    return use_own_ids(ids) && cut_circles(ids);
}

bool opli_span_ids_init(opli_span_ids *ids, const opli_trace *trace)
{
    *ids = (opli_span_ids){.trace = trace, .seed = seed_of(trace)};
    ids->trace_key = opli_string_find(&trace->strings, "trace_id", strlen("trace_id"));
    ids->span_key = opli_string_find(&trace->strings, "span_id", strlen("span_id"));
    ids->parent_key = opli_string_find(&trace->strings, "parent_span_id", strlen("parent_span_id"));
    return find_parents(ids);
}

void opli_span_ids_fini(opli_span_ids *ids)
{
    free(ids->parent);
    ids->parent = NULL;
}

uint32_t opli_span_ids_root(const opli_span_ids *ids, uint32_t span)
{
    uint32_t inference = OPLI_NO_ROW, outermost = span;
    for (; span != OPLI_NO_ROW; span = ids->parent[span]) {
        outermost = span;
        if (ids->trace->spans.kind[span] == OPL_CAT_INFERENCE)
            inference = span;
    }
    return inference != OPLI_NO_ROW ? inference : outermost;
}

uint32_t opli_span_ids_nearest(const opli_span_ids *ids, uint32_t span, opl_category kind)
{
    while (span != OPLI_NO_ROW && ids->trace->spans.kind[span] != kind)
        span = ids->parent[span];
    return span;
}

/* ---- cells ---- */

/* The source's own id; false when it has none. */
static bool own_id(const opli_span_ids *ids, uint32_t span, uint32_t key, opli_table *table, bool *added)
{
    uint32_t text = text_arg(ids->trace, span, key);
    if (text)
        *added = opli_table_add_text(table, opli_trace_text(ids->trace, text),
                                     opli_string_length(&ids->trace->strings, text));
    return text != 0;
}

bool opli_span_ids_add_trace(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    char digits[33];
    bool added;
    if (own_id(ids, span, ids->trace_key, table, &added))
        return added;
    uint32_t root = opli_span_ids_root(ids, span);
    uint64_t high = derive(mix(ids->seed), root), low = derive(mix(ids->seed + 1), root);
    snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, high, low);
    return opli_table_add_text(table, digits, 32);
}

static bool add_derived(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, span == OPLI_NO_ROW ? 0 : derive(ids->seed, span));
    return opli_table_add_text(table, digits, 16);
}

bool opli_span_ids_add_span(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    bool added;
    return own_id(ids, span, ids->span_key, table, &added) ? added : add_derived(ids, span, table);
}

bool opli_span_ids_add_parent(const opli_span_ids *ids, uint32_t span, opli_table *table)
{
    bool added;
    if (own_id(ids, span, ids->parent_key, table, &added))
        return added;
    uint32_t parent = ids->parent[span];
    return parent == OPLI_NO_ROW ? add_derived(ids, parent, table) : opli_span_ids_add_span(ids, parent, table);
}

bool opli_span_ids_add_number(const opli_span_ids *ids, uint32_t span, const char *key, opli_table *table)
{
    const opli_trace *trace = ids->trace;
    uint32_t text = opli_string_find(&trace->strings, key, strlen(key));
    uint32_t arg = text == OPLI_STRING_NONE ? OPLI_NO_ROW : opli_trace_arg(trace, span, text);
    if (arg == OPLI_NO_ROW || opli_args_type(&trace->args, arg) != OPLI_ARG_INT)
        return opli_table_add_empty(table);
    return opli_table_add_number(table, (int64_t)opli_args_value(&trace->args, arg));
}
