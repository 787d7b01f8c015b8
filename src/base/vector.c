/* vector.c - an array that grows, for elements of any size. */
#define _GNU_SOURCE
#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

int opli_vector_grow(void **items, size_t *capacity, size_t count, size_t item_bytes)
{
    if (count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 16;
        void *moved = larger > *capacity ? reallocarray(*items, larger, item_bytes) : NULL;
        if (!moved)
            return 0;
        *items = moved;
        *capacity = larger;
    }
    memset((char *)*items + count * item_bytes, 0, item_bytes);
    return 1;
}
