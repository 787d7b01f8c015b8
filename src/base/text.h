/* text.h - a string that grows. A zeroed text is an empty one; out of memory cuts it and is noted. */
#ifndef OPLI_BASE_TEXT_H
#define OPLI_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct opli_text {
    char *bytes; /* ends with a zero, or NULL when empty */
    size_t length;
    size_t capacity;
    bool cut; /* there was no memory for all of it */
} opli_text;

void opli_text_add(opli_text *text, const char *bytes, size_t length);
__attribute__((format(printf, 2, 3))) void opli_text_addf(opli_text *text, const char *format, ...);
void opli_text_reset(opli_text *text);
void opli_text_free(opli_text *text);

/* Numbers for people: 1.234 ms, 81.3 MB, 1,234,567. */
void opli_text_add_ns(opli_text *text, int64_t ns);
void opli_text_add_bytes(opli_text *text, uint64_t bytes);
void opli_text_add_count(opli_text *text, uint64_t count);

/* "1 span", "2,000 spans": the word is in the singular and takes an s. */
void opli_text_add_counted(opli_text *text, uint64_t count, const char *word);

/* 2026-11-15 05:44:00.123 UTC */
void opli_text_add_date(opli_text *text, int64_t real_ns);

/* Bytes of any origin for a terminal: what is no UTF-8, and control characters, become a dot. */
void opli_text_add_printable(opli_text *text, const char *bytes, size_t length);

/* Bytes of any origin as a JSON string, quotes included: escaped, and what is not UTF-8 replaced. */
void opli_text_add_json(opli_text *text, const char *bytes, size_t length);

#endif
