/* input_shapes.c - the shapes of an operator's inputs, as one number. */
#include "analysis/input_shapes.h"

#include "import/json_scan.h"

void opli_input_shapes_init(opli_input_shapes *shapes, const opli_trace *trace)
{
    static const char *const plain[] = {"Input Dims", NULL}, *const described[] = {"input_type_shape", "inputs", NULL};
    *shapes = (opli_input_shapes){
        .trace = trace, .plain = opli_arg_keys_find(trace, plain), .described = opli_arg_keys_find(trace, described)};
}

void opli_input_shapes_fini(opli_input_shapes *shapes)
{
    opli_string_table_free(&shapes->texts);
    opli_text_free(&shapes->scratch);
}

/* A shape's numbers, spaced as PyTorch does. */
static void add_shape(opli_text *text, const opli_json_value *list)
{
    opli_json json = {list->text + 1, list->text + list->length};
    opli_json_value value;
    opli_text_addf(text, "%s[", text->length > 1 ? ", " : "");
    for (bool first = true; opli_json_element(&json, &value); first = false) {
        opli_text_addf(text, "%s", first ? "" : ", ");
        opli_text_add(text, value.text, value.length);
    }
    opli_text_addf(text, "]");
}

/* The one list in what is said of an input: {"float": [1, 28]}, {"name": "x", "dtype": "f32", "shape": [1, 28]}. */
static void add_input(opli_text *text, const opli_json_value *input)
{
    opli_json json = {input->text + 1, input->text + input->length};
    opli_json_value key, value;
    while (opli_json_member(&json, &key, &value))
        if (value.kind == OPLI_JSON_ARRAY) {
            add_shape(text, &value);
            return;
        }
}

static void add_inputs(opli_text *text, const char *list, size_t length)
{
    opli_json json = {list, list + length};
    opli_json_value input;
    if (opli_json_peek(&json) != '[')
        return;
    json.at++;
    opli_text_addf(text, "[");
    while (opli_json_element(&json, &input))
        if (input.kind == OPLI_JSON_OBJECT)
            add_input(text, &input);
    opli_text_addf(text, "]");
}

static bool number_text(opli_input_shapes *shapes, const char *text, size_t length, uint32_t *number)
{
    uint32_t id = length ? opli_string_add(&shapes->texts, text, length) : 0;
    *number = id == OPLI_STRING_NONE ? 0 : id;
    return id != OPLI_STRING_NONE;
}

bool opli_input_shapes_number(opli_input_shapes *shapes, uint32_t span, uint32_t *number)
{
    const opli_string_table *strings = &shapes->trace->strings;
    uint32_t plain = opli_span_arg_text(shapes->trace, span, &shapes->plain);
    uint32_t described = plain ? 0 : opli_span_arg_text(shapes->trace, span, &shapes->described);
    if (!described)
        return number_text(shapes, opli_string_get(strings, plain), opli_string_length(strings, plain), number);
    opli_text_reset(&shapes->scratch);
    add_inputs(&shapes->scratch, opli_string_get(strings, described), opli_string_length(strings, described));
    return !shapes->scratch.cut && number_text(shapes, shapes->scratch.bytes, shapes->scratch.length, number);
}

bool opli_input_shapes_add_cell(const opli_input_shapes *shapes, uint32_t number, opli_table *table)
{
    return opli_table_add_text(table, opli_string_get(&shapes->texts, number),
                               opli_string_length(&shapes->texts, number));
}
