/* operator.c - all that an operator's record can carry, under the names the reports know. */
#include <oplens/annotate.h>

static void add_text(const opl_span *span, opl_site *key, const char *text)
{
    if (text)
        opl_arg_text(span, key, text);
}

static void add_index(const opl_span *span, opl_site *key, uint32_t index)
{
    if (index)
        opl_arg_int(span, key, (int64_t)index - 1);
}

static void add_ns(const opl_span *span, opl_site *key, int64_t ns)
{
    if (ns)
        opl_arg_int(span, key, ns);
}

/* An attribute's key is "attr." and its name, found by content. */
static void add_attribute(const opl_span *span, const opl_attribute *attribute)
{
    char key[128] = "attr.";
    if (!attribute->name || !attribute->value)
        return;
    strncat(key, attribute->name, sizeof key - sizeof "attr.");
    opl_arg_text(span, opl_key_find(key), attribute->value);
}

void opl_arg_operator(const opl_span *span, const opl_operator *op)
{
    if (!span->record)
        return;
    add_text(span, OPL_KEY("op_type"), op->op_type);
    if (op->input_count)
        opl_arg_tensors(span, OPL_KEY("inputs"), op->inputs, op->input_count);
    if (op->output_count)
        opl_arg_tensors(span, OPL_KEY("outputs"), op->outputs, op->output_count);
    for (size_t i = 0; i < op->attribute_count; i++)
        add_attribute(span, &op->attributes[i]);
    add_ns(span, OPL_KEY("prepare_ns"), op->prepare_ns);
    add_ns(span, OPL_KEY("forward_ns"), op->forward_ns);
    add_index(span, OPL_KEY("execution_index"), op->execution_index);
    add_index(span, OPL_KEY("instruction_index"), op->instruction_index);
    add_index(span, OPL_KEY("operator_index"), op->operator_index);
}
