/* span_arg.c - a span's argument, under whichever of several keys its source uses. */
#include "analysis/span_arg.h"

#include <string.h>

opli_arg_keys opli_arg_keys_find(const opli_trace *trace, const char *const *words)
{
    opli_arg_keys keys = {.count = 0};
    for (; *words && keys.count < OPLI_ARG_KEYS_MAX; words++) {
        uint32_t text = opli_string_find(&trace->strings, *words, strlen(*words));
        if (text != OPLI_STRING_NONE)
            keys.texts[keys.count++] = text;
    }
    return keys;
}

static uint32_t find(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys)
{
    uint32_t arg = OPLI_NO_ROW;
    for (size_t i = 0; arg == OPLI_NO_ROW && i < keys->count; i++)
        arg = opli_trace_arg(trace, span, keys->texts[i]);
    return arg;
}

bool opli_span_arg_int(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, int64_t *value)
{
    uint32_t arg = find(trace, span, keys);
    if (arg == OPLI_NO_ROW || opli_args_type(&trace->args, arg) != OPLI_ARG_INT)
        return false;
    *value = (int64_t)opli_args_value(&trace->args, arg);
    return true;
}

bool opli_span_arg_real(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, double *value)
{
    uint32_t arg = find(trace, span, keys);
    uint8_t type = arg == OPLI_NO_ROW ? OPLI_ARG_TEXT : opli_args_type(&trace->args, arg);
    if (type != OPLI_ARG_INT && type != OPLI_ARG_REAL)
        return false;
    uint64_t bits = opli_args_value(&trace->args, arg);
    if (type == OPLI_ARG_INT)
        *value = (double)(int64_t)bits;
    else
        memcpy(value, &bits, sizeof *value);
    return true;
}

bool opli_span_arg_bool(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, bool *value)
{
    uint32_t arg = find(trace, span, keys);
    if (arg == OPLI_NO_ROW || opli_args_type(&trace->args, arg) != OPLI_ARG_BOOL)
        return false;
    *value = opli_args_value(&trace->args, arg) != 0;
    return true;
}

uint32_t opli_span_arg_text(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys)
{
    uint32_t arg = find(trace, span, keys);
    uint8_t type = arg == OPLI_NO_ROW ? OPLI_ARG_INT : opli_args_type(&trace->args, arg);
    return type == OPLI_ARG_TEXT || type == OPLI_ARG_JSON ? (uint32_t)opli_args_value(&trace->args, arg) : 0;
}
