/* json_scan.c - read JSON text piece by piece. */
#include "import/json_scan.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SHORT_NUMBER 19 /* with the byte behind it, or a point within it: 18 digits always fit an int64_t */

/* ---- finding ends ---- */

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

char opli_json_peek(opli_json *json)
{
    while (json->at < json->end && is_space(*json->at))
        json->at++;
    return json->at < json->end ? *json->at : '\0';
}

/* The first quote or backslash from `at` on, or `end`. */
static const char *find_quote(const char *at, const char *end)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        if (found)
            return at + __builtin_ctz((unsigned)found);
    }
#endif
    while (at < end && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* From behind the opening quote to behind the closing one; false at the end of the text. */
static bool skip_string(opli_json *json, bool *escaped)
{
    for (const char *at = json->at;;) {
        at = find_quote(at, json->end);
        if (at >= json->end)
            return false;
        if (*at == '"') {
            json->at = at + 1;
            return true;
        }
        *escaped = true;
        at += 2;
        if (at > json->end)
            return false;
    }
}

/* The next byte that opens, closes or quotes, or `end`. */
static const char *find_structure(const char *at, const char *end)
{
#if defined(__SSE2__)
    /* '[' ']' '{' '}' differ only in bits 1, 2 and 5: two compares find all four. */
    const __m128i quote = _mm_set1_epi8('"'), fold = _mm_set1_epi8((char)~0x20), open = _mm_set1_epi8('['),
                  close = _mm_set1_epi8(']');
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at), folded = _mm_and_si128(bytes, fold);
        __m128i brackets = _mm_or_si128(_mm_cmpeq_epi8(folded, open), _mm_cmpeq_epi8(folded, close));
        int found = _mm_movemask_epi8(_mm_or_si128(brackets, _mm_cmpeq_epi8(bytes, quote)));
        if (found)
            return at + __builtin_ctz((unsigned)found);
    }
#endif
    while (at < end && *at != '"' && *at != '[' && *at != ']' && *at != '{' && *at != '}')
        at++;
    return at;
}

/* From behind an opening bracket to behind its closing one; false at the end of the text. */
static bool skip_nested(opli_json *json)
{
    for (size_t depth = 1;;) {
        const char *at = find_structure(json->at, json->end);
        bool escaped = false;
        if (at >= json->end)
            return false;
        json->at = at + 1;
        if (*at == '"') {
            if (!skip_string(json, &escaped))
                return false;
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if (--depth == 0) {
            return true;
        }
    }
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool ends_word(char c) { return c == ',' || c == '}' || c == ']' || is_space(c); }

/* ---- values ---- */

static enum opli_json_kind fail(opli_json *json, const char *start, enum opli_json_kind kind, opli_json_value *value)
{
    json->at = start;
    value->kind = kind;
    return kind;
}

static enum opli_json_kind read_string(opli_json *json, const char *start, opli_json_value *value)
{
    json->at++;
    value->escaped = false;
    if (!skip_string(json, &value->escaped))
        return fail(json, start, OPLI_JSON_END, value);
    value->text = start + 1;
    value->length = (size_t)(json->at - start) - 2;
    return value->kind = OPLI_JSON_STRING;
}

static enum opli_json_kind read_nested(opli_json *json, const char *start, opli_json_value *value)
{
    enum opli_json_kind kind = *json->at++ == '{' ? OPLI_JSON_OBJECT : OPLI_JSON_ARRAY;
    if (!skip_nested(json))
        return fail(json, start, OPLI_JSON_END, value);
    value->text = start;
    value->length = (size_t)(json->at - start);
    return value->kind = kind;
}

static enum opli_json_kind read_word(opli_json *json, const char *start, opli_json_value *value)
{
    while (json->at < json->end && !ends_word(*json->at) && *json->at != '"' && *json->at != ':')
        json->at++;
    if (json->at == json->end)
        return fail(json, start, OPLI_JSON_END, value);
    if (json->at == start)
        return fail(json, start, OPLI_JSON_WRONG, value);
    value->text = start;
    value->length = (size_t)(json->at - start);
    bool number = (*start >= '0' && *start <= '9') || *start == '-' || *start == '+' || *start == '.';
    return value->kind = number ? OPLI_JSON_NUMBER : OPLI_JSON_WORD;
}

/* Most numbers are short: they are known by the time their end is found. */
static enum opli_json_kind read_number(opli_json *json, const char *start, opli_json_value *value)
{
    const char *at = start + (*start == '-'), *first = at, *point = NULL;
    const char *last = json->end - at > SHORT_NUMBER ? at + SHORT_NUMBER : json->end;
    uint64_t digits = 0; /* one more than an int64_t holds may come before it is too long */
    for (; at < last && is_digit(*at); at++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    if (at < last && at > first && *at == '.')
        for (point = at++; at < last && is_digit(*at); at++)
            digits = digits * 10 + (uint64_t)(*at - '0');
    if (at == first || at == last || !ends_word(*at))
        return read_word(json, start, value);
    json->at = at;
    value->text = start;
    value->length = (size_t)(at - start);
    value->known = true;
    value->whole = !point;
    value->decimals = (uint8_t)(point ? at - point - 1 : 0);
    value->digits = first > start ? -(int64_t)digits : (int64_t)digits;
    return value->kind = OPLI_JSON_NUMBER;
}

enum opli_json_kind opli_json_read(opli_json *json, opli_json_value *value)
{
    char first = opli_json_peek(json);
    const char *start = json->at;
    value->escaped = value->whole = value->known = false;
    if (json->at == json->end)
        return fail(json, start, OPLI_JSON_END, value);
    if (first == '"')
        return read_string(json, start, value);
    if (first == '{' || first == '[')
        return read_nested(json, start, value);
    if (first == '-' || (first >= '0' && first <= '9'))
        return read_number(json, start, value);
    return read_word(json, start, value);
}

static bool stop(opli_json_value *value, enum opli_json_kind kind)
{
    value->kind = kind;
    return false;
}

/* Passes the comma in front of the next item, if there is one. False at the end or at `closing`. */
static bool next_item(opli_json *json, char closing, opli_json_value *value)
{
    char c = opli_json_peek(json);
    while (c == ',') {
        json->at++;
        c = opli_json_peek(json);
    }
    if (json->at == json->end)
        return stop(value, OPLI_JSON_END);
    if (c == closing) {
        json->at++;
        return stop(value, OPLI_JSON_WORD);
    }
    return true;
}

bool opli_json_member(opli_json *json, opli_json_value *key, opli_json_value *value)
{
    if (!next_item(json, '}', value))
        return false;
    if (*json->at == '{' || *json->at == '[')
        return stop(value, OPLI_JSON_WRONG); /* no key: and reading all of it would take long */
    enum opli_json_kind kind = opli_json_read(json, key);
    if (kind == OPLI_JSON_END || kind == OPLI_JSON_WRONG)
        return stop(value, kind);
    char colon = opli_json_peek(json);
    if (colon != ':')
        return stop(value, json->at == json->end ? OPLI_JSON_END : OPLI_JSON_WRONG);
    json->at++;
    kind = opli_json_read(json, value);
    return kind != OPLI_JSON_END && kind != OPLI_JSON_WRONG;
}

bool opli_json_element(opli_json *json, opli_json_value *value)
{
    if (!next_item(json, ']', value))
        return false;
    enum opli_json_kind kind = opli_json_read(json, value);
    return kind != OPLI_JSON_END && kind != OPLI_JSON_WRONG;
}

bool opli_json_is(const opli_json_value *value, const char *word)
{
    return value->kind == OPLI_JSON_STRING && strlen(word) == value->length &&
           memcmp(value->text, word, value->length) == 0;
}

/* ---- escapes ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits, -1 if they are not there. */
static int32_t read_hex(const char *at, const char *end)
{
    int32_t code = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        code = code << 4 | digit;
    }
    return code;
}

static size_t put_utf8(uint32_t code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xe0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3f));
        to[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3f));
    to[2] = (char)(0x80 | (code >> 6 & 0x3f));
    to[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* \uXXXX at `at`, which is behind the u; a pair of surrogates is one character. */
static size_t unescape_code(const char **at, const char *end, char *to)
{
    int32_t code = read_hex(*at, end);
    if (code < 0) { /* a Windows path: \users */
        to[0] = '\\';
        to[1] = 'u';
        return 2;
    }
    *at += 4;
    if (code >= 0xd800 && code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        int32_t low = read_hex(*at + 2, end);
        if (low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            return put_utf8(0x10000u + ((uint32_t)(code - 0xd800) << 10) + (uint32_t)(low - 0xdc00), to);
        }
    }
    return put_utf8(code >= 0xd800 && code < 0xe000 ? 0xfffdu : (uint32_t)code, to);
}

size_t opli_json_unescape(const opli_json_value *value, char *to)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = value->text, *end = at + value->length;
    char *out = to;
    while (at < end) {
        if (*at != '\\' || at + 1 == end) {
            *out++ = *at++;
            continue;
        }
        at++;
        const char *found = *at ? strchr(plain, *at) : NULL;
        if (found) {
            *out++ = meant[found - plain];
            at++;
        } else if (*at == 'u') {
            at++;
            out += unescape_code(&at, end, out);
        } else {
            *out++ = '\\'; /* it escapes nothing: a path */
        }
    }
    return (size_t)(out - to);
}

/* ---- numbers ---- */

/* Sign, digits before and behind the point; false when there is anything else. */
typedef struct decimal {
    bool negative;
    const char *whole, *fraction;
    size_t whole_length, fraction_length;
} decimal;

static size_t count_digits(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return (size_t)(at - start);
}

static bool read_decimal(const opli_json_value *value, decimal *d)
{
    const char *at = value->text, *end = at + value->length;
    if (value->kind != OPLI_JSON_NUMBER && value->kind != OPLI_JSON_STRING)
        return false;
    d->negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    d->whole = at;
    d->whole_length = count_digits(at, end);
    at += d->whole_length;
    d->fraction = at;
    d->fraction_length = 0;
    if (at < end && *at == '.') {
        d->fraction = ++at;
        d->fraction_length = count_digits(at, end);
        at += d->fraction_length;
    }
    return at == end && d->whole_length + d->fraction_length > 0;
}

static bool add_digits(const char *digits, size_t count, int64_t *number)
{
    for (size_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, digits[i] - '0', number))
            return false;
    return true;
}

static const int64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* Digits that a double holds exactly, divided by a power of ten that it holds too: the quotient is
 * rounded once, which is right. */
static bool short_real(const opli_json_value *value, double *number)
{
    const int64_t most = INT64_C(1) << 53;
    if (!value->known || value->decimals >= sizeof tens / sizeof *tens || value->digits > most ||
        value->digits < -most || (value->digits == 0 && *value->text == '-'))
        return false;
    *number = (double)value->digits / (double)tens[value->decimals];
    return true;
}

bool opli_json_real(const opli_json_value *value, double *number)
{
    char text[64];
    char *end;
    if ((value->kind != OPLI_JSON_NUMBER && value->kind != OPLI_JSON_STRING) || value->length >= sizeof text ||
        !value->length)
        return false;
    if (short_real(value, number))
        return true;
    memcpy(text, value->text, value->length);
    text[value->length] = '\0';
    *number = strtod(text, &end);
    return *end == '\0';
}

bool opli_json_int(const opli_json_value *value, int64_t *number)
{
    decimal d;
    double real;
    if (value->whole) {
        *number = value->digits;
        return true;
    }
    *number = 0;
    if (read_decimal(value, &d) && d.fraction_length == 0 && add_digits(d.whole, d.whole_length, number)) {
        *number = d.negative ? -*number : *number;
        return true;
    }
    const double most = (double)(INT64_C(1) << 53); /* beyond, two ids could become one */
    if (!opli_json_real(value, &real) || !(real >= -most && real <= most))
        return false;
    *number = (int64_t)real;
    return true;
}

bool opli_json_thousandths(const opli_json_value *value, int64_t *number)
{
    decimal d;
    double real;
    if (value->known && value->decimals <= 3 &&
        !__builtin_mul_overflow(value->digits, tens[3 - value->decimals], number))
        return true;
    *number = 0;
    if (read_decimal(value, &d)) {
        size_t kept = d.fraction_length < 3 ? d.fraction_length : 3;
        bool fits = add_digits(d.whole, d.whole_length, number) && add_digits(d.fraction, kept, number);
        for (size_t i = kept; fits && i < 3; i++)
            fits = !__builtin_mul_overflow(*number, 10, number);
        if (fits && d.fraction_length > 3 && d.fraction[3] >= '5')
            fits = !__builtin_add_overflow(*number, 1, number);
        *number = fits && d.negative ? -*number : *number;
        return fits;
    }
    if (!opli_json_real(value, &real) || !(real > -9e15 && real < 9e15))
        return false;
    *number = (int64_t)(real * 1000 + (real < 0 ? -0.5 : 0.5)); /* an exponent: the writer had only a double */
    return true;
}
