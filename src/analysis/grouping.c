/* grouping.c - what tells spans of one name apart. */
#include "analysis/grouping.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

/* PyTorch calls the functions of its modules so. */
static const char module_mark[] = "nn.Module: ";
#define MODULE_MARK_LENGTH (sizeof module_mark - 1)

static bool is_module(const opli_trace *trace, uint32_t name)
{
    return strncmp(opli_trace_text(trace, name), module_mark, MODULE_MARK_LENGTH) == 0;
}

static bool has_modules(const opli_trace *trace)
{
    for (uint32_t i = 1; i < trace->strings.count; i++)
        if (is_module(trace, i))
            return true;
    return false;
}

/* ---- how it is asked for ---- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool read_depth(const char *text, size_t length, uint32_t *depth)
{
    static const char mark[] = "stack:";
    char *end;
    if (length <= strlen(mark) || memcmp(text, mark, strlen(mark)) != 0)
        return false;
    long number = strtol(text + strlen(mark), &end, 10);
    if (end != text + length || number < 1 || number > OPLI_CALLER_STACK_MOST)
        return false;
    *depth = (uint32_t)number;
    return true;
}

static opl_status read_word(opli_grouping *g, const char *text, size_t length, uint32_t *depth, opl_error *err)
{
    bool *flag = is_word(text, length, "shape")      ? &g->by_shape
                 : is_word(text, length, "overload") ? &g->by_overload
                 : is_word(text, length, "module")   ? &g->by_module
                                                     : NULL;
    if (flag)
        *flag = true;
    else if (!is_word(text, length, "name") && !read_depth(text, length, depth))
        return opli_fail(err, OPL_INVALID,
                         "averages cannot be grouped by '%.*s'; there are name, shape, overload, module and stack:N "
                         "with N from 1 to %d",
                         (int)(length < 60 ? length : 60), text, OPLI_CALLER_STACK_MOST);
    return OPL_OK;
}

opl_status opli_grouping_init(opli_grouping *g, const opli_trace *trace, const char *how, opl_error *err)
{
    static const char *const modules[] = {"Module Hierarchy", NULL}, *const overloads[] = {"Overload Name",
                                                                                           "Overload name",
                                                                                           "overload_name", NULL};
    uint32_t depth = 0;
    opl_status st = OPL_OK;
    *g = (opli_grouping){.trace = trace};
    while (how && st == OPL_OK) {
        size_t length = strcspn(how, ",");
        st = read_word(g, how, length, &depth, err);
        how = how[length] ? how + length + 1 : NULL;
    }
    if (st != OPL_OK)
        return st;
    opli_input_shapes_init(&g->shapes, trace);
    g->overload_keys = opli_arg_keys_find(trace, overloads);
    g->module_keys = opli_arg_keys_find(trace, modules);
    g->has_module_spans = has_modules(trace);
    return opli_caller_stacks_init(&g->stacks, trace, depth)
               ? OPL_OK
               : opli_fail(err, OPL_NOMEM, "not enough memory for the stacks of callers");
}

void opli_grouping_fini(opli_grouping *g)
{
    opli_caller_stacks_fini(&g->stacks);
    opli_input_shapes_fini(&g->shapes);
}

/* ---- what a span has ---- */

/* The module it says itself, else the nearest one around it. */
static uint32_t module_of(const opli_grouping *g, uint32_t span)
{
    uint32_t module = opli_span_arg_text(g->trace, span, &g->module_keys);
    if (module || !g->has_module_spans)
        return module;
    const opli_spans *spans = &g->trace->spans;
    while (span != OPLI_NO_ROW && !is_module(g->trace, spans->name[span]))
        span = spans->parent[span];
    return span == OPLI_NO_ROW ? 0 : spans->name[span];
}

bool opli_grouping_traits(opli_grouping *g, uint32_t span, opli_traits *traits)
{
    *traits =
        (opli_traits){.overload = opli_span_arg_text(g->trace, span, &g->overload_keys), .module = module_of(g, span)};
    return (!g->by_shape || opli_input_shapes_number(&g->shapes, span, &traits->shapes)) &&
           opli_caller_stacks_number(&g->stacks, span, &traits->stack);
}

opli_traits opli_grouping_parting(const opli_grouping *g, const opli_traits *traits)
{
    return (opli_traits){.shapes = traits->shapes,
                         .overload = g->by_overload ? traits->overload : 0,
                         .module = g->by_module ? traits->module : 0,
                         .stack = traits->stack};
}

bool opli_grouping_add_module(const opli_grouping *g, uint32_t module, opli_table *table)
{
    const char *name = opli_trace_text(g->trace, module);
    size_t length = opli_string_length(&g->trace->strings, module);
    size_t mark = is_module(g->trace, module) ? MODULE_MARK_LENGTH : 0;
    return length ? opli_table_add_text(table, name + mark, length - mark) : opli_table_add_empty(table);
}
