/* array.c - large arrays that grow without being copied. */
#define _GNU_SOURCE
#include "base/array.h"

#include <stdint.h>
#include <sys/mman.h>

#define SMALLEST (64u * 1024)
#define HUGE (2u * 1024 * 1024) /* from here on, ask for huge pages: a fault costs as much as the work */

bool opli_array_reserve(opli_array *array, size_t bytes)
{
    if (bytes <= array->capacity_bytes)
        return true;
    size_t larger = array->capacity_bytes ? array->capacity_bytes : SMALLEST;
    while (larger < bytes) {
        if (larger > SIZE_MAX / 2)
            return false;
        larger += larger < 64u * HUGE ? larger : larger / 2;
    }
    larger = (larger + SMALLEST - 1) / SMALLEST * SMALLEST;
    void *moved = array->items ? mremap(array->items, array->capacity_bytes, larger, MREMAP_MAYMOVE)
                               : mmap(NULL, larger, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (moved == MAP_FAILED)
        return false;
    if (larger >= HUGE)
        madvise(moved, larger, MADV_HUGEPAGE);
    array->items = moved;
    array->capacity_bytes = larger;
    return true;
}

void opli_array_free(opli_array *array)
{
    if (array->items)
        munmap(array->items, array->capacity_bytes);
    array->items = NULL;
    array->capacity_bytes = 0;
}
