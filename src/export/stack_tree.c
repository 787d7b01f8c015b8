/* stack_tree.c - every distinct stack of names, with its own time. */
#include "export/stack_tree.h"

#include <stdlib.h>

uint32_t opli_stack_tree_frame(opli_stack_tree *tree, uint32_t outer, uint32_t name, uint32_t space)
{
    uint32_t number = opli_key_map_add(&tree->frames, (opli_key){{outer, name, space}});
    if (number == OPLI_KEY_NONE || number < tree->self_ns.count)
        return number;
    const int64_t *added = opli_vector_add(&tree->self_ns);
    return added ? number : OPLI_KEY_NONE;
}

/* A span's time is its stack's own, less what the spans directly inside it take. */
bool opli_stack_tree_add_track(opli_stack_tree *tree, const opli_trace *trace, uint32_t track, uint32_t root)
{
    const opli_spans *spans = &trace->spans;
    size_t first = trace->tracks.items[track].first, end = trace->tracks.items[track].end;
    uint32_t *stacks = calloc(end - first + 1, sizeof *stacks);
    bool ok = stacks != NULL;
    for (size_t row = first; ok && row < end; row++) {
        uint32_t parent = spans->parent[row];
        uint32_t outer = parent == OPLI_NO_ROW ? root : stacks[parent - first];
        uint32_t stack = opli_stack_tree_frame(tree, outer, spans->name[row], 0);
        ok = stack != OPLI_KEY_NONE;
        if (!ok)
            break;
        stacks[row - first] = stack;
        tree->self_ns.items[stack] += spans->duration_ns[row];
        if (parent != OPLI_NO_ROW)
            tree->self_ns.items[outer] -= spans->duration_ns[row];
    }
    free(stacks);
    return ok;
}

void opli_stack_tree_free(opli_stack_tree *tree)
{
    opli_key_map_free(&tree->frames);
    opli_vector_free(&tree->self_ns);
}
