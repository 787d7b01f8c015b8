/* caller_stack.c - who called a span: the next N callers, as one number.
 *
 * A stack of callers is numbered as its nearest one and the number of the rest; a list that a span brings along as the
 * text of its first N. */
#include "analysis/caller_stack.h"

#include <stdlib.h>
#include <string.h>

enum form { FORM_CALLERS, FORM_LIST };

static bool has_functions(const opli_trace *trace)
{
    for (size_t i = 0; i < trace->spans.count; i++)
        if (trace->spans.kind[i] == OPL_CAT_FUNCTION)
            return true;
    return false;
}

bool opli_caller_stacks_init(opli_caller_stacks *stacks, const opli_trace *trace, uint32_t depth)
{
    static const char *const lists[] = {"Call stack", NULL};
    *stacks = (opli_caller_stacks){.trace = trace, .depth = depth};
    if (!depth)
        return true;
    stacks->lists = opli_arg_keys_find(trace, lists);
    stacks->has_functions = stacks->lists.count || has_functions(trace);
    stacks->callers = calloc(depth, sizeof *stacks->callers);
    return stacks->callers != NULL;
}

void opli_caller_stacks_fini(opli_caller_stacks *stacks)
{
    free(stacks->callers);
    stacks->callers = NULL;
    opli_string_table_free(&stacks->prefixes);
    opli_key_map_free(&stacks->numbers);
}

static bool number_key(opli_caller_stacks *stacks, opli_key key, uint32_t *number)
{
    uint32_t found = opli_key_map_add(&stacks->numbers, key);
    *number = found == OPLI_KEY_NONE ? 0 : found + 1;
    return found != OPLI_KEY_NONE;
}

/* How much of the list its first callers take. */
static size_t list_length(const char *list, size_t length, uint32_t depth)
{
    for (size_t at = 0; at < length; at++)
        if (list[at] == ';' && --depth == 0)
            return at;
    return length;
}

static bool number_list(opli_caller_stacks *stacks, uint32_t list, uint32_t *number)
{
    const char *text = opli_trace_text(stacks->trace, list);
    size_t length = list_length(text, opli_string_length(&stacks->trace->strings, list), stacks->depth);
    uint32_t prefix = opli_string_add(&stacks->prefixes, text, length);
    return prefix != OPLI_STRING_NONE && number_key(stacks, (opli_key){{prefix, 0, FORM_LIST}}, number);
}

static uint32_t find_callers(opli_caller_stacks *stacks, uint32_t span)
{
    const opli_spans *spans = &stacks->trace->spans;
    uint32_t count = 0;
    for (uint32_t at = spans->parent[span]; at != OPLI_NO_ROW && count < stacks->depth; at = spans->parent[at])
        if (!stacks->has_functions || spans->kind[at] == OPL_CAT_FUNCTION)
            stacks->callers[count++] = spans->name[at];
    return count;
}

bool opli_caller_stacks_number(opli_caller_stacks *stacks, uint32_t span, uint32_t *number)
{
    *number = 0;
    if (!stacks->depth)
        return true;
    uint32_t list = opli_span_arg_text(stacks->trace, span, &stacks->lists);
    if (list)
        return number_list(stacks, list, number);
    bool ok = true;
    for (uint32_t left = find_callers(stacks, span); ok && left > 0; left--)
        ok = number_key(stacks, (opli_key){{stacks->callers[left - 1], *number, FORM_CALLERS}}, number);
    return ok;
}

bool opli_caller_stacks_add_cell(const opli_caller_stacks *stacks, uint32_t number, opli_table *table)
{
    opli_text text = {0};
    if (!number)
        return opli_table_add_empty(table);
    while (number) {
        const opli_key *key = &stacks->numbers.keys[number - 1];
        uint32_t id = (uint32_t)key->words[0];
        const opli_string_table *texts = key->words[2] == FORM_LIST ? &stacks->prefixes : &stacks->trace->strings;
        opli_text_add(&text, ";", text.length ? 1 : 0);
        opli_text_add(&text, opli_string_get(texts, id), opli_string_length(texts, id));
        number = (uint32_t)key->words[1];
    }
    bool ok = !text.cut && opli_table_add_text(table, text.bytes ? text.bytes : "", text.length);
    opli_text_free(&text);
    return ok;
}
