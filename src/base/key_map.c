/* key_map.c - numbers things by their key: open addressing, at most half full. */
#include "base/key_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 6
#define LAST_BITS 31

static uint64_t hash_key(const opli_key *key)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < sizeof key->words / sizeof *key->words; i++)
        hash = ((hash ^ key->words[i]) * 0xff51afd7ed558ccdu) ^ hash >> 31;
    return hash ^ hash >> 32;
}

/* The place where the key is, or where it would go. */
static uint32_t *find_place(const opli_key_map *map, const opli_key *key)
{
    uint32_t mask = (1u << map->bits) - 1;
    for (uint32_t at = (uint32_t)hash_key(key) & mask;; at = (at + 1) & mask) {
        uint32_t number = map->places[at];
        if (!number || memcmp(&map->keys[number - 1], key, sizeof *key) == 0)
            return &map->places[at];
    }
}

/* Twice the places, all keys put in anew. */
static bool grow(opli_key_map *map)
{
    uint32_t bits = map->bits ? map->bits + 1 : FIRST_BITS;
    opli_key *keys = bits <= LAST_BITS ? realloc(map->keys, (sizeof *keys << bits) / 2) : NULL;
    if (!keys)
        return false;
    map->keys = keys;
    uint32_t *places = calloc((size_t)1 << bits, sizeof *places);
    if (!places)
        return false;
    free(map->places);
    map->places = places;
    map->bits = bits;
    for (uint32_t i = 0; i < map->count; i++)
        *find_place(map, &keys[i]) = i + 1;
    return true;
}

uint32_t opli_key_map_add(opli_key_map *map, opli_key key)
{
    uint32_t number = opli_key_map_find(map, key);
    if (number != OPLI_KEY_NONE)
        return number;
    bool full = !map->bits || map->count == (1u << map->bits) / 2;
    if (full && !grow(map))
        return OPLI_KEY_NONE;
    map->keys[map->count] = key;
    *find_place(map, &key) = map->count + 1;
    return map->count++;
}

uint32_t opli_key_map_find(const opli_key_map *map, opli_key key)
{
    return map->bits ? *find_place(map, &key) - 1 : OPLI_KEY_NONE; /* 0, a free place, becomes NONE */
}

void opli_key_map_free(opli_key_map *map)
{
    free(map->keys);
    free(map->places);
    *map = (opli_key_map){NULL, NULL, 0, 0};
}
