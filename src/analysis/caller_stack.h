/* caller_stack.h - who called a span: the next N callers, as one number that equal stacks share.
 *
 * Where the trace knows functions (PyTorch's with_stack), callers are functions: those a span lists itself, else those
 * around it. In other traces they are the spans around it. The nearest is first. */
#ifndef OPLI_ANALYSIS_CALLER_STACK_H
#define OPLI_ANALYSIS_CALLER_STACK_H

#include "analysis/span_arg.h"
#include "base/key_map.h"
#include "base/table.h"

#define OPLI_CALLER_STACK_MOST 1000

typedef struct opli_caller_stacks {
    const opli_trace *trace;
    uint32_t depth; /* N; 0: nobody is looked for */
    opli_arg_keys lists;
    bool has_functions;
    uint32_t *callers;          /* of the span at hand */
    opli_string_table prefixes; /* of lists, as far as they are meant */
    opli_key_map numbers;
} opli_caller_stacks;

/* False when there is no memory; free it either way. */
bool opli_caller_stacks_init(opli_caller_stacks *stacks, const opli_trace *trace, uint32_t depth);
void opli_caller_stacks_fini(opli_caller_stacks *stacks);

/* False when there is no memory. Number 0 has no callers. */
bool opli_caller_stacks_number(opli_caller_stacks *stacks, uint32_t span, uint32_t *number);

/* "inner;outer"; empty for number 0. False when there is no memory. */
bool opli_caller_stacks_add_cell(const opli_caller_stacks *stacks, uint32_t number, opli_table *table);

#endif
