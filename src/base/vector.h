/* vector.h - arrays that grow. A zeroed vector is an empty one.
 *
 *     typedef OPLI_VECTOR(int) ints;
 *     ints v = {0};
 *     *opli_vector_add(&v) = 7;        // NULL when there is no memory: check before you store
 *     opli_vector_free(&v);
 */
#ifndef OPLI_BASE_VECTOR_H
#define OPLI_BASE_VECTOR_H

#include <stddef.h>

#define OPLI_VECTOR(type) \
    struct {              \
        type *items;      \
        size_t count;     \
        size_t capacity;  \
    }

/* Makes room for one more zeroed item; the items may move. 0 when there is no memory. */
int opli_vector_grow(void **items, size_t *capacity, size_t count, size_t item_bytes);

#define opli_vector_add(v)                                                                  \
    (opli_vector_grow((void **)&(v)->items, &(v)->capacity, (v)->count, sizeof *(v)->items) \
         ? &(v)->items[(v)->count++]                                                        \
         : NULL)

#define opli_vector_free(v) (free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

#endif
