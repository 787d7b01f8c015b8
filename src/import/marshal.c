/* marshal.c - Python's marshal format. Each value is a byte that names its type, then its bytes; the
 * type's top bit asks us to remember the value, and type 'r' is one remembered before. */
#include "import/marshal.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32
#define FLAG_REF 0x80u
#define NO_VALUE UINT32_MAX

typedef struct reader {
    opli_marshal *to;
    const unsigned char *bytes;
    size_t size, at;
    opli_marshal_rows remembered; /* by flag: values */
    opli_marshal_rows interned;   /* Python 2: texts that 'R' points to */
    opli_marshal_rows stack;      /* items of the tuples and dicts that are not complete */
    bool out_of_memory, ended;
} reader;

/* ---- bytes ---- */

static bool has(reader *r, size_t bytes)
{
    r->ended |= r->size - r->at < bytes;
    return !r->ended;
}

/* An unsigned number of so many bytes, the lowest first; 0 at the end of the file. */
static uint64_t take(reader *r, size_t bytes)
{
    uint64_t number = 0;
    if (!has(r, bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)r->bytes[r->at + i] << 8 * i;
    r->at += bytes;
    return number;
}

static bool push(reader *r, opli_marshal_rows *to, uint32_t value)
{
    uint32_t *added = opli_vector_add(to);
    if (added)
        *added = value;
    r->out_of_memory |= !added;
    return added != NULL;
}

/* A new value; those that the flag asks for are remembered in the order they begin. */
static uint32_t new_value(reader *r, opli_marshal_value value, bool remember)
{
    uint32_t row = (uint32_t)r->to->values.count;
    opli_marshal_value *added = row < NO_VALUE ? opli_vector_add(&r->to->values) : NULL;
    r->out_of_memory |= !added;
    if (!added || (remember && !push(r, &r->remembered, row)))
        return NO_VALUE;
    *added = value;
    return row;
}

/* ---- numbers and texts ---- */

static opli_marshal_value integer(int64_t number)
{
    return (opli_marshal_value){.kind = OPLI_MARSHAL_INT, .number = number};
}

/* Digits of 15 bits, the lowest first; the sign is that of their count. */
static opli_marshal_value take_long(reader *r)
{
    int64_t count = (int32_t)take(r, 4);
    uint64_t digits = (uint64_t)(count < 0 ? -count : count), number = 0;
    bool large = false;
    if (!has(r, digits * 2))
        return integer(0);
    for (uint64_t i = 0; i < digits; i++) {
        uint64_t digit = take(r, 2) & 0x7fff;
        if (digit && (i > 4 || digit > (uint64_t)INT64_MAX >> 15 * i))
            large = true;
        else if (digit)
            number |= digit << 15 * i;
    }
    int64_t size = large ? INT64_MAX : (int64_t)number;
    return integer(count < 0 ? -size : size);
}

static opli_marshal_value take_real(reader *r)
{
    uint64_t bits = take(r, sizeof bits);
    opli_marshal_value value = {.kind = OPLI_MARSHAL_REAL};
    memcpy(&value.real, &bits, sizeof bits);
    return value;
}

/* Before Python 2.5 a real was written as text. */
static opli_marshal_value take_written_real(reader *r)
{
    char written[256];
    size_t length = take(r, 1);
    opli_marshal_value value = {.kind = OPLI_MARSHAL_REAL};
    if (!has(r, length))
        return value;
    memcpy(written, r->bytes + r->at, length);
    written[length] = '\0';
    r->at += length;
    value.real = strtod(written, NULL);
    return value;
}

static opli_marshal_value take_text(reader *r, size_t length_bytes)
{
    size_t length = take(r, length_bytes);
    opli_marshal_value value = {.kind = OPLI_MARSHAL_TEXT, .text = ""};
    if (has(r, length)) {
        value.text = (const char *)r->bytes + r->at;
        value.length = length;
        r->at += length;
    }
    return value;
}

/* ---- tuples and dicts ---- */

static uint32_t read_value(reader *r, int depth);

/* Moves what lies on the stack above `base` to the value's items. */
static void close_container(reader *r, uint32_t row, size_t base)
{
    opli_marshal *to = r->to;
    uint32_t first = (uint32_t)to->items.count;
    bool room = to->items.count + (r->stack.count - base) < NO_VALUE;
    r->out_of_memory |= !room;
    for (size_t i = base; room && i < r->stack.count; i++)
        room = push(r, &to->items, r->stack.items[i]);
    to->values.items[row].first_item = first;
    to->values.items[row].item_count = (uint32_t)(to->items.count - first);
    r->stack.count = base;
}

/* A tuple of `count` items, or, where a null ends it, as many as there are. */
static uint32_t take_items(reader *r, enum opli_marshal_kind kind, uint64_t count, bool remember, int depth)
{
    uint32_t row = new_value(r, (opli_marshal_value){.kind = kind}, remember);
    size_t base = r->stack.count;
    r->ended |= depth == DEPTH_MAX;
    for (uint64_t i = 0; row != NO_VALUE && i < count; i++) {
        uint32_t item = r->ended ? NO_VALUE : read_value(r, depth + 1);
        if (item == NO_VALUE || !push(r, &r->stack, item))
            break;
    }
    if (row != NO_VALUE)
        close_container(r, row, base);
    return row;
}

/* ---- values ---- */

static uint32_t take_reference(reader *r, const uint32_t *rows, size_t count)
{
    uint64_t index = take(r, 4);
    r->ended |= index >= count;
    return r->ended ? NO_VALUE : rows[index];
}

static uint32_t take_interned(reader *r, bool remember)
{
    uint32_t row = new_value(r, take_text(r, 4), remember);
    return row != NO_VALUE && push(r, &r->interned, row) ? row : NO_VALUE;
}

/* A number, a text or a constant. */
static opli_marshal_value take_simple(reader *r, int type)
{
    switch (type) {
    case 'i': return integer((int32_t)take(r, 4));
    case 'I': return integer((int64_t)take(r, 8));
    case 'l': return take_long(r);
    case 'g': return take_real(r);
    case 'f': return take_written_real(r);
    case 's':
    case 'u':
    case 'a':
    case 'A': return take_text(r, 4);
    case 'z':
    case 'Z': return take_text(r, 1);
    case 'N':
    case 'T':
    case 'F':
    case 'S':
    case '.': break;
    default: r->ended = true; /* nothing a profile has */
    }
    return (opli_marshal_value){.kind = OPLI_MARSHAL_OTHER};
}

/* Its row; NO_VALUE for the null that ends a dict, and where nothing more can be read. */
static uint32_t read_value(reader *r, int depth)
{
    unsigned byte = (unsigned)take(r, 1);
    bool remember = byte & FLAG_REF;
    int type = (int)(byte & ~FLAG_REF);
    if (r->ended || type == '0')
        return NO_VALUE;
    switch (type) {
    case 'r': return take_reference(r, r->remembered.items, r->remembered.count);
    case 'R': return take_reference(r, r->interned.items, r->interned.count);
    case 't': return take_interned(r, remember);
    case ')': return take_items(r, OPLI_MARSHAL_TUPLE, take(r, 1), remember, depth);
    case '(':
    case '[': return take_items(r, OPLI_MARSHAL_TUPLE, take(r, 4), remember, depth);
    case '{': return take_items(r, OPLI_MARSHAL_DICT, UINT64_MAX, remember, depth);
    default: break;
    }
    opli_marshal_value value = take_simple(r, type);
    return r->ended ? NO_VALUE : new_value(r, value, remember);
}

opl_status opli_marshal_read(opli_marshal *marshal, const char *bytes, size_t size)
{
    reader r = {.to = marshal, .bytes = (const unsigned char *)bytes, .size = size};
    *marshal = (opli_marshal){.complete = false};
    read_value(&r, 0);
    marshal->complete = !r.ended;
    marshal->bytes_left = size - r.at;
    opli_vector_free(&r.remembered);
    opli_vector_free(&r.interned);
    opli_vector_free(&r.stack);
    return r.out_of_memory ? OPL_NOMEM : OPL_OK;
}

void opli_marshal_free(opli_marshal *marshal)
{
    opli_vector_free(&marshal->values);
    opli_vector_free(&marshal->items);
}

/* ---- reading ---- */

static const opli_marshal_value nothing = {.kind = OPLI_MARSHAL_OTHER};

const opli_marshal_value *opli_marshal_root(const opli_marshal *marshal)
{
    return marshal->values.count ? &marshal->values.items[0] : &nothing;
}

const opli_marshal_value *opli_marshal_item(const opli_marshal *marshal, const opli_marshal_value *of, uint32_t index)
{
    return index < of->item_count ? &marshal->values.items[marshal->items.items[of->first_item + index]] : &nothing;
}
