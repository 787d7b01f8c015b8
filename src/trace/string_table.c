/* string_table.c - every text of a trace, once. */
#include "trace/string_table.h"

#include <string.h>

#define FIRST_BITS 10
#define UNIT 8u
#define WHOLE_BYTES 1024u /* longer texts are not hashed byte by byte; they are compared all the same */

/* What stands in front of a text's bytes. */
typedef struct head {
    uint32_t id, length;
} head;

static uint64_t *places(const opli_string_table *table) { return table->places.items; }

static uint32_t *offsets(const opli_string_table *table) { return table->offsets.items; }

static const head *head_at(const opli_string_table *table, uint32_t unit)
{
    return (const head *)(const void *)((const char *)table->bytes.items + (size_t)unit * UNIT);
}

/* ---- hashing ---- */

static uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Pairs of words are mixed independently of each other, each with a number of its own. */
static uint32_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length * 0x9e3779b97f4a7c15u, salt = 0xa0761d6478bd642fu;
    if (length < 8) {
        uint64_t word = 0;
        memcpy(&word, text, length);
        return (uint32_t)mix(word ^ salt, hash ^ 0xe7037ed1a0b428dbu);
    }
    size_t step = length <= WHOLE_BYTES ? 16 : length / (WHOLE_BYTES / 16);
    for (size_t at = 0; at + 16 <= length; at += step) {
        hash += mix(word_at(text + at) ^ salt, word_at(text + at + 8) ^ 0x8ebc6af09c88c6e3u);
        salt += 0xd1b54a32d192ed03u;
    }
    size_t second = length >= 16 ? length - 16 : 0;
    hash = mix(hash ^ word_at(text + second), word_at(text + length - 8) ^ 0x589965cc75374cc3u);
    return (uint32_t)(hash ^ hash >> 32);
}

uint32_t opli_string_hash(const opli_string_table *table, const char *text, size_t length)
{
    uint32_t hash = hash_text(text, length);
    if (table->place_bits)
        __builtin_prefetch(&places(table)[hash & ((1u << table->place_bits) - 1)]);
    return hash;
}

/* ---- finding ---- */

/* The place where the text is, or where it would go. */
static uint64_t *find_place(const opli_string_table *table, const char *text, size_t length, uint32_t hash)
{
    uint32_t mask = (1u << table->place_bits) - 1;
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        uint64_t *place = &places(table)[at];
        if (!*place)
            return place;
        if (*place >> 32 != hash)
            continue;
        const head *found = head_at(table, (uint32_t)*place);
        if (found->length == length && memcmp(found + 1, text, length) == 0)
            return place;
    }
}

/* Twice the places, all put in anew. */
static bool grow_places(opli_string_table *table)
{
    uint32_t bits = table->place_bits ? table->place_bits + 1 : FIRST_BITS;
    opli_array larger = {0};
    if (bits > 31 || !opli_array_reserve(&larger, sizeof(uint64_t) << bits))
        return false;
    uint32_t mask = (1u << bits) - 1;
    uint64_t *to = larger.items;
    for (size_t i = 0; table->place_bits && i < (size_t)1 << table->place_bits; i++) {
        uint64_t place = places(table)[i];
        uint32_t at = (uint32_t)(place >> 32) & mask;
        while (place && to[at])
            at = (at + 1) & mask;
        if (place)
            to[at] = place;
    }
    opli_array_free(&table->places);
    table->places = larger;
    table->place_bits = bits;
    return true;
}

static size_t space_of(size_t length) { return (sizeof(head) + length + 1 + UNIT - 1) / UNIT * UNIT; }

static bool make_room(opli_string_table *table, size_t length)
{
    if (!table->count) /* the empty text: id 0, unit 0 */
        table->count = 1, table->bytes_used = space_of(0);
    bool crowded = !table->place_bits || table->count >= (1u << table->place_bits) / 4 * 3;
    return (!crowded || grow_places(table)) && table->count < UINT32_MAX - 1 && length < UINT32_MAX &&
           table->bytes_used / UNIT < UINT32_MAX &&
           opli_array_reserve(&table->offsets, (table->count + 1) * sizeof(uint32_t)) &&
           opli_array_reserve(&table->bytes, table->bytes_used + space_of(length));
}

uint32_t opli_string_add_hashed(opli_string_table *table, const char *text, size_t length, uint32_t hash)
{
    if (!length)
        return 0;
    uint64_t *place = table->place_bits ? find_place(table, text, length, hash) : NULL;
    if (place && *place)
        return head_at(table, (uint32_t)*place)->id;
    if (!make_room(table, length))
        return OPLI_STRING_NONE;
    uint32_t unit = (uint32_t)(table->bytes_used / UNIT), id = table->count++;
    head *to = (head *)(void *)((char *)table->bytes.items + table->bytes_used);
    *to = (head){id, (uint32_t)length};
    memcpy(to + 1, text, length); /* what follows is zero */
    *find_place(table, text, length, hash) = (uint64_t)hash << 32 | unit;
    offsets(table)[id] = unit;
    table->bytes_used += space_of(length);
    return id;
}

uint32_t opli_string_add(opli_string_table *table, const char *text, size_t length)
{
    return length ? opli_string_add_hashed(table, text, length, hash_text(text, length)) : 0;
}

uint32_t opli_string_find(const opli_string_table *table, const char *text, size_t length)
{
    if (!length)
        return 0;
    if (!table->place_bits)
        return OPLI_STRING_NONE;
    uint64_t place = *find_place(table, text, length, hash_text(text, length));
    return place ? head_at(table, (uint32_t)place)->id : OPLI_STRING_NONE;
}

const char *opli_string_get(const opli_string_table *table, uint32_t id)
{
    return id && id < table->count ? (const char *)(head_at(table, offsets(table)[id]) + 1) : "";
}

size_t opli_string_length(const opli_string_table *table, uint32_t id)
{
    return id && id < table->count ? head_at(table, offsets(table)[id])->length : 0;
}

void opli_string_table_free(opli_string_table *table)
{
    opli_array_free(&table->bytes);
    opli_array_free(&table->offsets);
    opli_array_free(&table->places);
    *table = (opli_string_table){.count = 0};
}
