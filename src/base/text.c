/* text.c - a string that grows. */
#define _GNU_SOURCE
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"

static bool make_room(opli_text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t larger = text->capacity ? text->capacity : 64;
    while (larger < needed)
        larger *= 2;
    char *moved = realloc(text->bytes, larger);
    if (!moved) {
        text->cut = true;
        return false;
    }
    text->bytes = moved;
    text->capacity = larger;
    return true;
}

void opli_text_add(opli_text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void opli_text_addf(opli_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0 && make_room(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

void opli_text_reset(opli_text *text)
{
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void opli_text_free(opli_text *text)
{
    free(text->bytes);
    *text = (opli_text){NULL, 0, 0, false};
}

/* ---- numbers for people ---- */

void opli_text_add_ns(opli_text *text, int64_t ns)
{
    static const struct {
        double per_unit;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    double size = ns < 0 ? -(double)ns : (double)ns;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (size >= units[i].per_unit * 0.9999995) { /* what would round up to 1000.000 of the next */
            opli_text_addf(text, "%.3f %s", (double)ns / units[i].per_unit, units[i].unit);
            return;
        }
    }
    opli_text_addf(text, "%" PRId64 " ns", ns);
}

void opli_text_add_bytes(opli_text *text, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1000;
    opli_text_addf(text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void opli_text_add_count(opli_text *text, uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            opli_text_add(text, ",", 1);
        opli_text_add(text, digits + i, 1);
    }
}

void opli_text_add_counted(opli_text *text, uint64_t count, const char *word)
{
    opli_text_add_count(text, count);
    opli_text_addf(text, " %s%s", word, count == 1 ? "" : "s");
}

void opli_text_add_date(opli_text *text, int64_t real_ns)
{
    int64_t rest = real_ns % 1000000000;
    rest += rest < 0 ? 1000000000 : 0; /* a moment before 1970 too is so long after a second */
    time_t seconds = (time_t)(real_ns / 1000000000 - (real_ns % 1000000000 < 0));
    struct tm date;
    char formatted[64];
    if (!gmtime_r(&seconds, &date) || !strftime(formatted, sizeof formatted, "%Y-%m-%d %H:%M:%S", &date)) {
        opli_text_addf(text, "%" PRId64 " ns after 1970", real_ns);
        return;
    }
    opli_text_addf(text, "%s.%03d UTC", formatted, (int)(rest / 1000000));
}

/* ---- for a terminal ---- */

/* Control characters are the first 32, DEL, and U+0080 to U+009F. */
static bool is_control(const char *bytes, size_t length)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return length == 1 ? b[0] < 0x20 || b[0] == 0x7f : length == 2 && b[0] == 0xc2 && b[1] < 0xa0;
}

void opli_text_add_printable(opli_text *text, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t step = opli_utf8_length(bytes + at, length - at);
        if (!step || is_control(bytes + at, step))
            opli_text_add(text, ".", 1);
        else
            opli_text_add(text, bytes + at, step);
        at += step ? step : 1;
    }
}

/* ---- JSON ---- */

static void add_json_control(opli_text *text, unsigned c)
{
    static const char short_forms[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (const char *pair = short_forms; *pair; pair += 2) {
        if ((unsigned char)pair[0] == c) {
            char escape[2] = {'\\', pair[1]};
            opli_text_add(text, escape, 2);
            return;
        }
    }
    opli_text_addf(text, "\\u%04x", c);
}

void opli_text_add_json(opli_text *text, const char *bytes, size_t length)
{
    opli_text_add(text, "\"", 1);
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)bytes[at];
        size_t step = opli_utf8_length(bytes + at, length - at);
        if (!step) {
            opli_text_add(text, "\xef\xbf\xbd", 3); /* U+FFFD: not UTF-8 */
            at++;
        } else if (is_control(bytes + at, step) || c == '"' || c == '\\') {
            add_json_control(text, step == 1 ? c : (unsigned char)bytes[at + 1]); /* U+0080 to U+009F end so */
            at += step;
        } else {
            opli_text_add(text, bytes + at, step);
            at += step;
        }
    }
    opli_text_add(text, "\"", 1);
}
