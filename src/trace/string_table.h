/* string_table.h - every text of a trace, once. Ids are handed out from 1; id 0 is the empty text.
 * Lifetime: what is got is good until the table is freed; adding may move the bytes. */
#ifndef OPLI_TRACE_STRING_TABLE_H
#define OPLI_TRACE_STRING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

typedef struct opli_string_table {
    opli_array bytes;   /* texts, one after the other, each with its id and length in front */
    opli_array offsets; /* uint32_t: where each is, in units of 8 bytes */
    opli_array places;  /* uint64_t: hash table of hashes and offsets */
    size_t bytes_used;
    uint32_t count; /* with the empty text */
    uint32_t place_bits;
} opli_string_table;

#define OPLI_STRING_NONE UINT32_MAX

/* The text's id, OPLI_STRING_NONE when there is no memory. */
uint32_t opli_string_add(opli_string_table *table, const char *text, size_t length);

/* The same in two steps: who has several texts to add hashes them all, and memory is asked for meanwhile. */
uint32_t opli_string_hash(const opli_string_table *table, const char *text, size_t length);
uint32_t opli_string_add_hashed(opli_string_table *table, const char *text, size_t length, uint32_t hash);

/* The id of a text that is there already, or OPLI_STRING_NONE. */
uint32_t opli_string_find(const opli_string_table *table, const char *text, size_t length);

/* The text, ended by a zero; "" for an id that does not exist. */
const char *opli_string_get(const opli_string_table *table, uint32_t id);
size_t opli_string_length(const opli_string_table *table, uint32_t id);

void opli_string_table_free(opli_string_table *table);

#endif
