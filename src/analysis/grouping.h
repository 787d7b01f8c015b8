/* grouping.h - what tells spans of one name apart: shapes of inputs, overload, module, callers. */
#ifndef OPLI_ANALYSIS_GROUPING_H
#define OPLI_ANALYSIS_GROUPING_H

#include <oplens/error.h>

#include "analysis/caller_stack.h"
#include "analysis/input_shapes.h"

typedef struct opli_grouping {
    const opli_trace *trace;
    bool by_shape, by_overload, by_module;
    opli_input_shapes shapes;
    opli_arg_keys overload_keys, module_keys;
    bool has_module_spans;
    opli_caller_stacks stacks;
} opli_grouping;

/* What is known of a span: texts, and the numbers of its shapes and its stack; 0: not known, or not asked for. */
typedef struct opli_traits {
    uint32_t shapes, overload, module, stack;
} opli_traits;

/* Reads "shape", "stack:5" and the like; several are joined by commas, NULL asks for none. OPL_INVALID with the right
 * words, OPL_NOMEM; free it either way. */
opl_status opli_grouping_init(opli_grouping *grouping, const opli_trace *trace, const char *how, opl_error *err);
void opli_grouping_fini(opli_grouping *grouping);

/* False when there is no memory. */
bool opli_grouping_traits(opli_grouping *grouping, uint32_t span, opli_traits *traits);

/* Those that keep spans of one name apart; the others are only shown where all of a group agree. */
opli_traits opli_grouping_parting(const opli_grouping *grouping, const opli_traits *traits);

/* The module's name as a cell, empty for 0. False when there is no memory. */
bool opli_grouping_add_module(const opli_grouping *grouping, uint32_t module, opli_table *table);

#endif
