/* stack_tree.h - every distinct stack of names, with the time that was spent in it and in none below. */
#ifndef OPLI_EXPORT_STACK_TREE_H
#define OPLI_EXPORT_STACK_TREE_H

#include "base/key_map.h"
#include "base/vector.h"
#include "trace/trace.h"

#define OPLI_STACK_ROOT UINT32_MAX

/* A stack is a number: its innermost frame, whose key leads to the stack around it. */
typedef struct opli_stack_tree {
    opli_key_map frames; /* {stack around it, name, kind of name} */
    OPLI_VECTOR(int64_t) self_ns;
} opli_stack_tree;

/* Adds the spans of a track inside the stack `root`. False when there is no memory. */
bool opli_stack_tree_add_track(opli_stack_tree *tree, const opli_trace *trace, uint32_t track, uint32_t root);

/* The stack of `name` inside `outer`, made on first mention; OPLI_KEY_NONE when there is no memory.
 * `space` keeps numbers of different meaning apart: 0 is for names of spans. */
uint32_t opli_stack_tree_frame(opli_stack_tree *tree, uint32_t outer, uint32_t name, uint32_t space);

void opli_stack_tree_free(opli_stack_tree *tree);

#endif
