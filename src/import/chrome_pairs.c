/* chrome_pairs.c - beginnings that wait for their ends. */
#include "import/chrome_pairs.h"

#include <stdlib.h>

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

bool opli_pairs_begin_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, const opli_span_draft *draft)
{
    uint32_t *waiting = opli_vector_add(&pairs->async);
    if (!waiting || !add_begun(pairs, builder, (opli_begun){.draft = *draft, .key = key, .outer = OPLI_NO_ROW}))
        return false;
    *waiting = (uint32_t)pairs->begun.count - 1;
    return true;
}

static void emit(opli_pairs *pairs, opli_builder *builder, opli_begun *begun, int64_t end_ns, uint8_t flags)
{
    opli_span_draft draft = begun->draft;
    draft.duration_ns = end_ns > draft.start_ns ? end_ns - draft.start_ns : 0;
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

bool opli_pairs_end(opli_pairs *pairs, opli_builder *builder, uint32_t track, int64_t time_ns)
{
    if (track >= pairs->innermost.count || pairs->innermost.items[track] == OPLI_NO_ROW)
        return false;
    uint32_t row = pairs->innermost.items[track];
    emit(pairs, builder, &pairs->begun.items[row], time_ns, 0);
    pairs->innermost.items[track] = pairs->begun.items[row].outer;
    if (row + 1 == pairs->begun.count) { /* the usual case: the newest goes first, and its space with it */
        pairs->args.count = pairs->begun.items[row].first_arg;
        pairs->begun.count--;
    }
    return true;
}

static bool same_key(opli_pair_key a, opli_pair_key b)
{
    return a.category == b.category && a.id == b.id && a.name == b.name;
}

bool opli_pairs_end_async(opli_pairs *pairs, opli_builder *builder, opli_pair_key key, int64_t time_ns)
{
    for (size_t i = pairs->async.count; i-- > 0;) {
        opli_begun *begun = &pairs->begun.items[pairs->async.items[i]];
        if (!same_key(begun->key, key))
            continue;
        emit(pairs, builder, begun, time_ns, 0);
        pairs->async.items[i] = pairs->async.items[--pairs->async.count];
        return true;
    }
    return false;
}

/* The end of the trace, as far as it is known: the latest end of a span. */
static int64_t latest_end(const opli_pairs *pairs)
{
    int64_t latest = 0;
    for (size_t i = 0; i < pairs->begun.count; i++)
        if (pairs->begun.items[i].draft.start_ns > latest)
            latest = pairs->begun.items[i].draft.start_ns;
    return latest;
}

void opli_pairs_finish(opli_pairs *pairs, opli_builder *builder)
{
    int64_t end = latest_end(pairs);
    uint64_t open = pairs->async.count;
    for (size_t track = 0; track < pairs->innermost.count; track++) {
        for (uint32_t row = pairs->innermost.items[track]; row != OPLI_NO_ROW; row = pairs->begun.items[row].outer) {
            emit(pairs, builder, &pairs->begun.items[row], end, OPLI_SPAN_OPEN);
            open++;
        }
    }
    for (size_t i = 0; i < pairs->async.count; i++)
        emit(pairs, builder, &pairs->begun.items[pairs->async.items[i]], end, OPLI_SPAN_OPEN);
    opli_builder_note(builder, "spans began and never ended: they are open", open, false);
    opli_vector_free(&pairs->begun);
    opli_vector_free(&pairs->innermost);
    opli_vector_free(&pairs->async);
    opli_vector_free(&pairs->args);
}
