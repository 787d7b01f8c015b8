/* json_scan.h - read JSON text piece by piece, forgiving what traces in the field get wrong.
 *
 * The text may end in the middle of anything: then a call comes back with OPLI_JSON_END, and the
 * caller may try again from where it was, with more text. Strings may hold raw newlines and
 * backslashes that escape nothing. Nothing is allocated. */
#ifndef OPLI_IMPORT_JSON_SCAN_H
#define OPLI_IMPORT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct opli_json {
    const char *at, *end;
} opli_json;

enum opli_json_kind {
    OPLI_JSON_END,    /* the text ends here */
    OPLI_JSON_WRONG,  /* this cannot be a value */
    OPLI_JSON_STRING, /* without its quotes */
    OPLI_JSON_NUMBER,
    OPLI_JSON_WORD, /* true, false, null, NaN, N/A ... */
    OPLI_JSON_OBJECT,
    OPLI_JSON_ARRAY,
};

/* A value as it stands in the text. */
typedef struct opli_json_value {
    enum opli_json_kind kind;
    bool escaped; /* a string with backslashes in it */
    bool whole;   /* a number without point or exponent, of at most 18 digits: it is `digits` */
    bool known;   /* a number of at most 18 digits without exponent: it is `digits` / 10^`decimals` */
    uint8_t decimals;
    const char *text;
    size_t length;
    int64_t digits;
} opli_json_value;

/* Passes over space; the next byte, or 0 at the end. */
char opli_json_peek(opli_json *json);

/* Reads a whole value: objects and arrays with all that is in them. */
enum opli_json_kind opli_json_read(opli_json *json, opli_json_value *value);

/* Inside an object, after its brace: the next key and value. False at the closing brace, which is
 * passed, at the end of the text, or at something that cannot be: look at value->kind. */
bool opli_json_member(opli_json *json, opli_json_value *key, opli_json_value *value);

/* Inside an array, after its bracket: the next value, likewise. */
bool opli_json_element(opli_json *json, opli_json_value *value);

/* Whether a string is this word. */
bool opli_json_is(const opli_json_value *value, const char *word);

/* A string's text with its escapes undone, into `to`, which has room for value->length bytes. */
size_t opli_json_unescape(const opli_json_value *value, char *to);

/* Numbers, also when they are written as strings. False when it is none, or does not fit. */
bool opli_json_int(const opli_json_value *value, int64_t *number);
bool opli_json_real(const opli_json_value *value, double *number);

/* A decimal number times 1000, exactly: microseconds to nanoseconds. Beyond three decimals it is
 * rounded, half away from zero. */
bool opli_json_thousandths(const opli_json_value *value, int64_t *number);

#endif
