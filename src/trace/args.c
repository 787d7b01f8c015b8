/* args.c - the arguments of events. */
#include "trace/args.h"

#include <stdlib.h>

static bool is_wide(enum opli_arg_type type, uint64_t value)
{
    return type == OPLI_ARG_INT ? (int64_t)value != (int32_t)value : value >> 32 != 0 || type == OPLI_ARG_REAL;
}

/* ---- forms ---- */

static uint32_t find_form(opli_args *args, opli_arg_form form)
{
    opli_key key = {{form.key, form.type, form.wide}};
    uint32_t row = opli_key_map_add(&args->form_rows, key);
    if (row != args->forms.count)
        return row;
    opli_arg_form *added = opli_vector_add(&args->forms);
    if (!added)
        return OPLI_KEY_NONE;
    *added = form;
    return row;
}

/* The row of the form, OPLI_KEY_NONE when there is no memory. The same few come again and again. */
static inline uint32_t form_of(opli_args *args, opli_arg_form form)
{
    uint32_t *recent = &args->recent[(form.key * 16 + form.type * 2 + form.wide) * 0x9e3779b1u >> 24];
    if (*recent < args->forms.count) {
        const opli_arg_form *known = &args->forms.items[*recent];
        if (known->key == form.key && known->type == form.type && known->wide == form.wide)
            return *recent;
    }
    uint32_t row = find_form(args, form);
    if (row != OPLI_KEY_NONE)
        *recent = row;
    return row;
}

/* More forms than 16 bits can count: the rows get 32. */
static bool widen_forms(opli_args *args)
{
    opli_array wider = {0};
    if (!opli_array_reserve(&wider, args->room * sizeof(uint32_t)))
        return false;
    for (size_t i = 0; i < args->count; i++)
        ((uint32_t *)wider.items)[i] = ((const uint16_t *)args->form.items)[i];
    opli_array_free(&args->form);
    args->form = wider;
    args->many_forms = true;
    return true;
}

/* ---- rows ---- */

/* Room for another row, and for many more while we are at it. */
static bool make_room(opli_args *args)
{
    size_t form_bytes = args->many_forms ? sizeof(uint32_t) : sizeof(uint16_t);
    if (!opli_array_reserve(&args->form, (args->count + 1) * form_bytes) ||
        !opli_array_reserve(&args->values, (args->count + 1) * sizeof(uint32_t)))
        return false;
    size_t forms = args->form.capacity_bytes / form_bytes, values = args->values.capacity_bytes / sizeof(uint32_t);
    args->room = forms < values ? forms : values;
    return true;
}

static bool put_form(opli_args *args, uint32_t form)
{
    if (form > UINT16_MAX && !args->many_forms && !widen_forms(args))
        return false;
    if (args->many_forms)
        ((uint32_t *)args->form.items)[args->count] = form;
    else
        ((uint16_t *)args->form.items)[args->count] = (uint16_t)form;
    return true;
}

bool opli_args_add(opli_args *args, uint32_t key, enum opli_arg_type type, uint64_t value)
{
    bool wide = is_wide(type, value);
    uint32_t form = form_of(args, (opli_arg_form){key, (uint8_t)type, wide});
    if (form == OPLI_KEY_NONE || args->count >= UINT32_MAX - 1 || (args->count == args->room && !make_room(args)) ||
        !put_form(args, form))
        return false;
    if (wide) {
        if (!opli_array_reserve(&args->wide, (args->wide_count + 1) * sizeof(uint64_t)))
            return false;
        ((uint64_t *)args->wide.items)[args->wide_count] = value;
        value = args->wide_count++;
    }
    ((uint32_t *)args->values.items)[args->count++] = (uint32_t)value;
    return true;
}

void opli_args_cut(opli_args *args, size_t count) { args->count = count < args->count ? count : args->count; }

void opli_args_free(opli_args *args)
{
    opli_array_free(&args->form);
    opli_array_free(&args->values);
    opli_array_free(&args->wide);
    opli_vector_free(&args->forms);
    opli_key_map_free(&args->form_rows);
    *args = (opli_args){.count = 0};
}
