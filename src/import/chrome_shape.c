/* chrome_shape.c - what stands between the values of events. */
#include "import/chrome_shape.h"

#include <stdlib.h>
#include <string.h>

bool opli_shapes_init(opli_shapes *shapes)
{
    *shapes = (opli_shapes){.count = 1};
    shapes->items = calloc(OPLI_SHAPES_MAX, sizeof *shapes->items);
    shapes->bytes = calloc(1, OPLI_SHAPE_BYTES_MAX);
    return shapes->items && shapes->bytes;
}

void opli_shapes_free(opli_shapes *shapes)
{
    free(shapes->items);
    free(shapes->bytes);
    *shapes = (opli_shapes){.count = 0};
}

/* Keeps a copy, with room behind it; NULL when there is no more. */
static const char *keep(opli_shapes *shapes, const char *bytes, size_t length)
{
    size_t size = (length + 2 * OPLI_SHAPE_BLOCK - 1) / OPLI_SHAPE_BLOCK * OPLI_SHAPE_BLOCK;
    if (length > OPLI_SHAPE_BYTES_MAX || size > OPLI_SHAPE_BYTES_MAX - shapes->bytes_used)
        return NULL;
    char *copy = shapes->bytes + shapes->bytes_used;
    memcpy(copy, bytes, length);
    shapes->bytes_used += (uint32_t)size;
    return copy;
}

uint32_t opli_shape_learn(opli_shapes *shapes, uint32_t parent, const char *gap, size_t gap_length,
                          enum opli_chrome_role role)
{
    opli_shape *items = shapes->items;
    for (uint32_t at = items[parent].first; at; at = items[at].next)
        if (items[at].gap_length == gap_length && memcmp(items[at].gap, gap, gap_length) == 0)
            return at;
    const char *copy = shapes->count < OPLI_SHAPES_MAX ? keep(shapes, gap, gap_length) : NULL;
    if (!copy)
        return 0;
    uint32_t made = shapes->count++;
    items[made] = (opli_shape){
        .gap = copy, .gap_length = (uint32_t)gap_length, .next = items[parent].first, .role = (uint8_t)role};
    items[parent].first = made;
    return made;
}

bool opli_shape_set_key(opli_shapes *shapes, uint32_t shape, const char *key, size_t length, bool escaped)
{
    opli_shape *item = &shapes->items[shape];
    if (item->key)
        return true;
    item->key = keep(shapes, key, length);
    item->key_length = (uint32_t)length;
    item->key_escaped = escaped;
    return item->key != NULL;
}
