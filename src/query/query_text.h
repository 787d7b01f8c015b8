/* query_text.h - a text as DuckDB holds it in a vector: short ones inside, long ones by a pointer.
 *
 * A long text stays where it is, so a column of names costs 16 bytes a row and no copy. DuckDB
 * wants UTF-8: what is none is replaced before it gets here. */
#ifndef OPLI_QUERY_QUERY_TEXT_H
#define OPLI_QUERY_QUERY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define OPLI_QUERY_TEXT_INSIDE 12 /* bytes; longer ones are pointed to */

typedef struct opli_query_text {
    uint32_t length;
    union {
        char inside[OPLI_QUERY_TEXT_INSIDE]; /* the rest is zero */
        struct {
            char first[4];
            char pointer[8]; /* unaligned to us, aligned in a vector */
        } outside;
    } bytes;
} opli_query_text;

_Static_assert(sizeof(opli_query_text) == 16, "DuckDB's strings are 16 bytes");

/* `bytes` must be UTF-8 and stay where they are as long as the text is used. */
opli_query_text opli_query_text_of(const char *bytes, size_t length);

/* Where the bytes are. */
const char *opli_query_text_bytes(const opli_query_text *text);

bool opli_query_text_is_utf8(const char *bytes, size_t length);

/* Adds the bytes to `out`, each one that is no part of UTF-8 as U+FFFD. */
void opli_query_text_mend(const char *bytes, size_t length, opli_text *out);

#endif
