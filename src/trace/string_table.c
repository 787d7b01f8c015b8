/* string_table.c - every text of a trace, once. */
#include "trace/string_table.h"

#include <string.h>

typedef struct entry {
    uint64_t offset;
    uint32_t length;
    uint32_t hash;
} entry;

#define FIRST_BITS 10

static entry *entries(const opli_string_table *table) { return table->entries.items; }

static uint32_t *places(const opli_string_table *table) { return table->places.items; }

static uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* All bytes of short texts; of long ones the two ends and every 64th word: the rest is compared. */
static uint32_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length * 0x9e3779b97f4a7c15u;
    if (length < 8) {
        uint64_t word = 0;
        memcpy(&word, text, length);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    } else {
        size_t step = length <= 64 ? 8 : 8 + length / 64 * 8;
        for (size_t at = 0; at + 8 <= length; at += step)
            hash = ((hash ^ word_at(text + at)) * 0xff51afd7ed558ccdu) ^ hash >> 29;
        hash = (hash ^ word_at(text + length - 8)) * 0xc4ceb9fe1a85ec53u;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

/* The place where the text is, or where it would go. */
static uint32_t *find_place(const opli_string_table *table, const char *text, size_t length, uint32_t hash)
{
    uint32_t mask = (1u << table->place_bits) - 1;
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        uint32_t id = places(table)[at];
        if (!id)
            return &places(table)[at];
        const entry *e = &entries(table)[id];
        if (e->hash == hash && e->length == length &&
            memcmp((const char *)table->bytes.items + e->offset, text, length) == 0)
            return &places(table)[at];
    }
}

/* Twice the places, all ids put in anew. */
static bool grow_places(opli_string_table *table)
{
    uint32_t bits = table->place_bits ? table->place_bits + 1 : FIRST_BITS;
    opli_array larger = {0};
    if (bits > 31 || !opli_array_reserve(&larger, sizeof(uint32_t) << bits))
        return false;
    uint32_t mask = (1u << bits) - 1, *to = larger.items;
    for (uint32_t id = 1; id < table->count; id++) {
        uint32_t at = entries(table)[id].hash & mask;
        while (to[at])
            at = (at + 1) & mask;
        to[at] = id;
    }
    opli_array_free(&table->places);
    table->places = larger;
    table->place_bits = bits;
    return true;
}

static bool make_room(opli_string_table *table, size_t length)
{
    if (!table->count) /* the empty text: entry 0, byte 0 */
        table->count = 1, table->bytes_used = 1;
    bool crowded = !table->place_bits || table->count >= (1u << table->place_bits) / 4 * 3;
    return (!crowded || grow_places(table)) && table->count < UINT32_MAX - 1 && length < UINT32_MAX &&
           opli_array_reserve(&table->entries, (table->count + 1) * sizeof(entry)) &&
           opli_array_reserve(&table->bytes, table->bytes_used + length + 1);
}

uint32_t opli_string_add(opli_string_table *table, const char *text, size_t length)
{
    if (!length)
        return 0;
    if (!make_room(table, length))
        return OPLI_STRING_NONE;
    uint32_t hash = hash_text(text, length);
    uint32_t *place = find_place(table, text, length, hash), known = *place;
    if (known)
        return known;
    char *to = (char *)table->bytes.items + table->bytes_used;
    memcpy(to, text, length);
    to[length] = '\0';
    entries(table)[table->count] = (entry){table->bytes_used, (uint32_t)length, hash};
    table->bytes_used += length + 1;
    return *place = table->count++;
}

uint32_t opli_string_find(const opli_string_table *table, const char *text, size_t length)
{
    if (!length)
        return 0;
    if (!table->place_bits)
        return OPLI_STRING_NONE;
    uint32_t id = *find_place(table, text, length, hash_text(text, length));
    return id ? id : OPLI_STRING_NONE;
}

const char *opli_string_get(const opli_string_table *table, uint32_t id)
{
    return id && id < table->count ? (const char *)table->bytes.items + entries(table)[id].offset : "";
}

size_t opli_string_length(const opli_string_table *table, uint32_t id)
{
    return id && id < table->count ? entries(table)[id].length : 0;
}

void opli_string_table_free(opli_string_table *table)
{
    opli_array_free(&table->bytes);
    opli_array_free(&table->entries);
    opli_array_free(&table->places);
    *table = (opli_string_table){.count = 0};
}
