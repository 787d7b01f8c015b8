/* args.h - the arguments of events, six bytes each where they are small.
 *
 * Few keys serve many arguments: a row says which key and type it has by a small number, and keeps its
 * value in 32 bits when that is enough. A zeroed one is empty. */
#ifndef OPLI_TRACE_ARGS_H
#define OPLI_TRACE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/key_map.h"
#include "base/vector.h"

enum opli_arg_type {
    OPLI_ARG_INT,  /* int64 */
    OPLI_ARG_REAL, /* double */
    OPLI_ARG_BOOL,
    OPLI_ARG_TEXT, /* a text's id */
    OPLI_ARG_JSON, /* a text's id: a list or object as it was written */
};

/* What arguments have in common. */
typedef struct opli_arg_form {
    uint32_t key; /* text */
    uint8_t type; /* enum opli_arg_type */
    bool wide;    /* the value is a row of `wide` */
} opli_arg_form;

#define OPLI_ARG_RECENT 256u

/* In the order they were added; a span's stand together. */
typedef struct opli_args {
    size_t count, wide_count;
    size_t room;       /* rows that fit without asking for more */
    opli_array form;   /* uint16_t: row of `forms`; uint32_t once there are too many */
    opli_array values; /* uint32_t */
    opli_array wide;   /* uint64_t */
    OPLI_VECTOR(opli_arg_form) forms;
    bool many_forms;
    opli_key_map form_rows;
    uint32_t recent[OPLI_ARG_RECENT]; /* forms, by a few bits of their key and type */
} opli_args;

/* False when there is no memory. */
bool opli_args_add(opli_args *args, uint32_t key, enum opli_arg_type type, uint64_t value);

/* Takes off all from `count` on. */
void opli_args_cut(opli_args *args, size_t count);
void opli_args_free(opli_args *args);

static inline const opli_arg_form *opli_args_form(const opli_args *args, size_t row)
{
    const void *form = args->form.items;
    return &args->forms.items[args->many_forms ? ((const uint32_t *)form)[row] : ((const uint16_t *)form)[row]];
}

static inline uint32_t opli_args_key(const opli_args *args, size_t row) { return opli_args_form(args, row)->key; }

static inline uint8_t opli_args_type(const opli_args *args, size_t row) { return opli_args_form(args, row)->type; }

static inline uint64_t opli_args_value(const opli_args *args, size_t row)
{
    const opli_arg_form *form = opli_args_form(args, row);
    uint32_t value = ((const uint32_t *)args->values.items)[row];
    if (form->wide)
        return ((const uint64_t *)args->wide.items)[value];
    return form->type == OPLI_ARG_INT ? (uint64_t)(int64_t)(int32_t)value : value;
}

#endif
