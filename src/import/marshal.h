/* marshal.h - Python's marshal format, as far as numbers, texts, tuples, lists and dicts go.
 *
 * Nothing in the bytes is trusted: depth and memory are bounded by limits and by the file's size.
 * What was complete before the bytes end, or before something unknown, is kept.
 * Lifetime: texts point into the bytes that were read. */
#ifndef OPLI_IMPORT_MARSHAL_H
#define OPLI_IMPORT_MARSHAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <oplens/error.h>

#include "base/vector.h"

enum opli_marshal_kind {
    OPLI_MARSHAL_OTHER, /* None, True, False, ... */
    OPLI_MARSHAL_INT,   /* larger ones than 64 bits are cut to the largest */
    OPLI_MARSHAL_REAL,
    OPLI_MARSHAL_TEXT,
    OPLI_MARSHAL_TUPLE, /* or a list */
    OPLI_MARSHAL_DICT,  /* its items are key, value, key, value ... */
};

typedef struct opli_marshal_value {
    enum opli_marshal_kind kind;
    uint32_t first_item, item_count;
    int64_t number;
    double real;
    const char *text;
    size_t length;
} opli_marshal_value;

typedef OPLI_VECTOR(uint32_t) opli_marshal_rows;

typedef struct opli_marshal {
    OPLI_VECTOR(opli_marshal_value) values; /* the first is the whole */
    opli_marshal_rows items;                /* of tuples and dicts: rows of values */
    bool complete;                          /* it was read to its end */
    size_t bytes_left;                      /* and what stands behind that */
} opli_marshal;

/* OPL_OK, or OPL_NOMEM. A zeroed object is a valid empty one. */
opl_status opli_marshal_read(opli_marshal *marshal, const char *bytes, size_t size);
void opli_marshal_free(opli_marshal *marshal);

/* The whole, or an item of a tuple or dict; a value of kind OTHER where there is none. */
const opli_marshal_value *opli_marshal_root(const opli_marshal *marshal);
const opli_marshal_value *opli_marshal_item(const opli_marshal *marshal, const opli_marshal_value *of, uint32_t index);

#endif
