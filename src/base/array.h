/* array.h - large arrays that grow without being copied: the system moves their pages. A zeroed
 * array is an empty one. For millions of rows; for a handful use vector.h. */
#ifndef OPLI_BASE_ARRAY_H
#define OPLI_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct opli_array {
    void *items;
    size_t capacity_bytes;
} opli_array;

/* Makes sure `bytes` fit; what is new reads as zero. False when there is no memory. */
bool opli_array_reserve(opli_array *array, size_t bytes);
void opli_array_free(opli_array *array);

#endif
