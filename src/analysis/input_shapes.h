/* input_shapes.h - the shapes of an operator's inputs, as one number that equal shapes share.
 *
 * PyTorch writes them as a list of lists, which is kept. ONNX Runtime and our recorder write more about each input: of
 * that only the shapes are taken, in the same form. */
#ifndef OPLI_ANALYSIS_INPUT_SHAPES_H
#define OPLI_ANALYSIS_INPUT_SHAPES_H

#include "analysis/span_arg.h"
#include "base/table.h"

typedef struct opli_input_shapes {
    const opli_trace *trace;
    opli_arg_keys plain, described;
    opli_string_table texts; /* a number is an id of it */
    opli_text scratch;
} opli_input_shapes;

void opli_input_shapes_init(opli_input_shapes *shapes, const opli_trace *trace);
void opli_input_shapes_fini(opli_input_shapes *shapes);

/* False when there is no memory. Number 0: not said. */
bool opli_input_shapes_number(opli_input_shapes *shapes, uint32_t span, uint32_t *number);

/* "[[5, 3, 224, 224], [64, 3, 7, 7]]", nothing for number 0. False when there is no memory. */
bool opli_input_shapes_add_cell(const opli_input_shapes *shapes, uint32_t number, opli_table *table);

#endif
