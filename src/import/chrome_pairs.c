/* chrome_pairs.c - beginnings that wait for their ends. */
#include "import/chrome_pairs.h"

#include <stdlib.h>

#define LOOK_MAX 4096 /* how far out the span of an end's name is looked for */

/* Takes the pending arguments off the builder: they belong to a span that is not finished yet. */
static bool keep_args(opli_pairs *pairs, opli_builder *builder, opli_begun *begun)
{
    opli_args *args = &builder->trace->args;
    size_t first = args->count - builder->pending_args;
    begun->first_arg = pairs->args.count;
    begun->arg_count = builder->pending_args;
    for (size_t i = first; i < args->count; i++) {
        opli_begun_arg *arg = opli_vector_add(&pairs->args);
        if (!arg)
            return false;
        *arg = (opli_begun_arg){opli_args_key(args, i), opli_args_type(args, i), opli_args_value(args, i)};
    }
    opli_args_cut(args, first);
    builder->pending_args = 0;
    return true;
}

static bool add_begun(opli_pairs *pairs, opli_builder *builder, opli_begun begun)
{
    opli_begun *added = opli_vector_add(&pairs->begun);
    if (!added)
        return false;
    *added = begun;
    return keep_args(pairs, builder, added);
}

bool opli_pairs_begin(opli_pairs *pairs, opli_builder *builder, const opli_span_draft *draft)
{
    while (pairs->innermost.count <= draft->track) {
        uint32_t *row = opli_vector_add(&pairs->innermost);
        if (!row)
            return false;
        *row = OPLI_NO_ROW;
    }
    uint32_t *innermost = &pairs->innermost.items[draft->track];
    if (!add_begun(pairs, builder, (opli_begun){.draft = *draft, .outer = *innermost}))
        return false;
    *innermost = (uint32_t)pairs->begun.count - 1;
    return true;
}

static opli_key key_of(opli_pair_key key) { return (opli_key){{key.category, key.id, key.name}}; }

bool opli_pairs_begin_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, const opli_span_draft *draft)
{
    uint32_t number = opli_key_map_add(&pairs->async_keys, key_of(key));
    if (number == OPLI_KEY_NONE)
        return false;
    if (number == pairs->async.count) {
        uint32_t *added = opli_vector_add(&pairs->async);
        if (!added)
            return false;
        *added = OPLI_NO_ROW;
    }
    uint32_t *newest = &pairs->async.items[number];
    if (!add_begun(pairs, builder, (opli_begun){.draft = *draft, .outer = *newest}))
        return false;
    *newest = (uint32_t)pairs->begun.count - 1;
    return true;
}

static void emit(opli_pairs *pairs, opli_builder *builder, const opli_begun *begun, int64_t end_ns, uint8_t flags)
{
    opli_span_draft draft = begun->draft;
    bool overflows = __builtin_sub_overflow(end_ns, draft.start_ns, &draft.duration_ns);
    if (overflows)
        draft.duration_ns = INT64_MAX; /* the builder mends it */
    if (end_ns < draft.start_ns)
        draft.duration_ns = 0;
    draft.flags |= flags;
    if (end_ns < draft.start_ns) {
        draft.flags |= OPLI_SPAN_REPAIRED;
        opli_builder_note(builder, "spans end before they start: they were given no length", 1, false);
    }
    for (size_t i = 0; i < begun->arg_count; i++) {
        const opli_begun_arg *arg = &pairs->args.items[begun->first_arg + i];
        opli_builder_arg(builder, arg->key, arg->type, arg->value);
    }
    opli_builder_span(builder, &draft);
}

/* Emits what waits in `place`, which then holds what was around it. */
static void end_row(opli_pairs *pairs, opli_builder *builder, uint32_t *place, int64_t time_ns)
{
    uint32_t row = *place;
    emit(pairs, builder, &pairs->begun.items[row], time_ns, 0);
    *place = pairs->begun.items[row].outer;
    if (row + 1 == pairs->begun.count) { /* the usual case: the newest goes first, and its space with it */
        pairs->args.count = pairs->begun.items[row].first_arg;
        pairs->begun.count--;
    }
}

/* Where the innermost beginning of that name hangs; the innermost of all when there is none. */
static uint32_t *find_named(opli_pairs *pairs, opli_builder *builder, uint32_t *innermost, uint32_t name)
{
    uint32_t *place = innermost;
    for (int i = 0; i < LOOK_MAX && *place != OPLI_NO_ROW; i++) {
        opli_begun *begun = &pairs->begun.items[*place];
        if (begun->draft.name == name) {
            opli_builder_note(builder, "ends came for spans inside which others were still open", 1, false);
            return place;
        }
        place = &begun->outer;
    }
    opli_builder_note(builder, "ends have another name than the span they end", 1, false);
    return innermost;
}

bool opli_pairs_end(opli_pairs *pairs, opli_builder *builder, uint32_t track, uint32_t name, int64_t time_ns)
{
    if (track >= pairs->innermost.count || pairs->innermost.items[track] == OPLI_NO_ROW)
        return false;
    uint32_t *place = &pairs->innermost.items[track];
    if (name && pairs->begun.items[*place].draft.name != name)
        place = find_named(pairs, builder, place, name);
    end_row(pairs, builder, place, time_ns);
    return true;
}

bool opli_pairs_end_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, int64_t time_ns)
{
    uint32_t number = opli_key_map_find(&pairs->async_keys, key_of(key));
    if (number == OPLI_KEY_NONE || number >= pairs->async.count || pairs->async.items[number] == OPLI_NO_ROW)
        return false;
    end_row(pairs, builder, &pairs->async.items[number], time_ns);
    return true;
}

/* The end of the trace, as far as it is known: the latest event. */
static int64_t latest_event(const opli_pairs *pairs, const opli_builder *builder)
{
    int64_t latest = builder->latest_ns;
    for (size_t i = 0; i < pairs->begun.count; i++)
        if (pairs->begun.items[i].draft.start_ns > latest)
            latest = pairs->begun.items[i].draft.start_ns;
    return latest;
}

/* Emits all that still waits in these places; how many. */
static uint64_t emit_open(opli_pairs *pairs, opli_builder *builder, const uint32_t *places, size_t count, int64_t end)
{
    uint64_t open = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t row = places[i]; row != OPLI_NO_ROW; row = pairs->begun.items[row].outer, open++)
            emit(pairs, builder, &pairs->begun.items[row], end, OPLI_SPAN_OPEN);
    return open;
}

void opli_pairs_finish(opli_pairs *pairs, opli_builder *builder)
{
    int64_t end = latest_event(pairs, builder);
    uint64_t open = emit_open(pairs, builder, pairs->innermost.items, pairs->innermost.count, end);
    open += emit_open(pairs, builder, pairs->async.items, pairs->async.count, end);
    opli_builder_note(builder, "spans began and never ended: they are open", open, false);
    opli_key_map_free(&pairs->async_keys);
    opli_vector_free(&pairs->begun);
    opli_vector_free(&pairs->innermost);
    opli_vector_free(&pairs->async);
    opli_vector_free(&pairs->args);
}
