/* key_map.h - numbers things by their key: the first key seen is 0, the next new one 1, and so on.
 * A zeroed map is an empty one. */
#ifndef OPLI_BASE_KEY_MAP_H
#define OPLI_BASE_KEY_MAP_H

#include <stddef.h>
#include <stdint.h>

#define OPLI_KEY_NONE UINT32_MAX

typedef struct opli_key {
    uint64_t words[3];
} opli_key;

typedef struct opli_key_map {
    opli_key *keys;   /* by number */
    uint32_t *places; /* number + 1, or 0: free */
    uint32_t count, bits;
} opli_key_map;

/* The number of the key, which is new when it equals the count before. OPLI_KEY_NONE: no memory. */
uint32_t opli_key_map_add(opli_key_map *map, opli_key key);

/* The number of a key that is there already, or OPLI_KEY_NONE. */
uint32_t opli_key_map_find(const opli_key_map *map, opli_key key);

void opli_key_map_free(opli_key_map *map);

#endif
