/* quantity.c - numbers as people write them. */
#include "base/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A unit is a power of ten, then a power of two: both can be applied without rounding. */
static const struct {
    const char *word;
    enum opli_quantity_kind kind;
    int tens, twos;
} units[] = {
    {"ns", OPLI_QUANTITY_TIME, 0, 0},        {"us", OPLI_QUANTITY_TIME, 3, 0},
    {"\xc2\xb5s", OPLI_QUANTITY_TIME, 3, 0}, /* micro sign */
    {"\xce\xbcs", OPLI_QUANTITY_TIME, 3, 0}, /* Greek mu */
    {"ms", OPLI_QUANTITY_TIME, 6, 0},        {"s", OPLI_QUANTITY_TIME, 9, 0},
    {"B", OPLI_QUANTITY_SIZE, 0, 0},         {"kB", OPLI_QUANTITY_SIZE, 3, 0},
    {"KB", OPLI_QUANTITY_SIZE, 3, 0},        {"MB", OPLI_QUANTITY_SIZE, 6, 0},
    {"GB", OPLI_QUANTITY_SIZE, 9, 0},        {"TB", OPLI_QUANTITY_SIZE, 12, 0},
    {"KiB", OPLI_QUANTITY_SIZE, 0, 10},      {"MiB", OPLI_QUANTITY_SIZE, 0, 20},
    {"GiB", OPLI_QUANTITY_SIZE, 0, 30},      {"TiB", OPLI_QUANTITY_SIZE, 0, 40},
};

/* How many bytes at the front are digits with an optional sign and point; 0 when none is a digit. */
static size_t number_length(const char *text, size_t length)
{
    size_t at = length && (text[0] == '-' || text[0] == '+'), digits = 0;
    for (bool point = false; at < length; at++) {
        if (text[at] >= '0' && text[at] <= '9')
            digits++;
        else if (text[at] == '.' && !point)
            point = true;
        else
            break;
    }
    return digits ? at : 0;
}

static bool find_unit(const char *word, size_t length, enum opli_quantity_kind kind, int *tens, int *twos)
{
    *tens = *twos = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].kind == kind && strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0) {
            *tens = units[i].tens;
            *twos = units[i].twos;
            return true;
        }
    }
    return length == 0;
}

/* The power of ten goes into the number's text, so that only the result is rounded. An exponent
 * of the user's own, as in 1e6, is added to it. */
bool opli_quantity_read(const char *text, size_t length, enum opli_quantity_kind kind, long double *value)
{
    char written[80];
    size_t digits = number_length(text, length), at = digits;
    int tens, twos, power = 0;
    if (!digits || digits > 50)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t exponent = number_length(text + at + 1, length - at - 1);
        if (!exponent || exponent > 4 || memchr(text + at + 1, '.', exponent))
            return false;
        memcpy(written, text + at + 1, exponent);
        written[exponent] = '\0';
        power = atoi(written);
        at += 1 + exponent;
    }
    while (at < length && text[at] == ' ')
        at++;
    if (!find_unit(text + at, length - at, kind, &tens, &twos))
        return false;
    snprintf(written, sizeof written, "%.*se%d", (int)digits, text, power + tens);
    *value = strtold(written, NULL) * (long double)(1ull << twos);
    return true;
}

const char *opli_quantity_units(enum opli_quantity_kind kind)
{
    return kind == OPLI_QUANTITY_TIME   ? "ns, us, ms or s"
           : kind == OPLI_QUANTITY_SIZE ? "B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"
                                        : "";
}
