/* quantity.h - numbers as people write them: 10us, 1.5 ms, 1MB, 2KiB. */
#ifndef OPLI_BASE_QUANTITY_H
#define OPLI_BASE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

enum opli_quantity_kind {
    OPLI_QUANTITY_PLAIN, /* no unit */
    OPLI_QUANTITY_TIME,  /* ns us ms s, in nanoseconds; without a unit it is nanoseconds already */
    OPLI_QUANTITY_SIZE,  /* B kB MB GB TB, KiB MiB GiB TiB, in bytes */
};

/* Exact for every 64-bit number, also behind a unit: 1.1us is 1100. False when it makes no sense. */
bool opli_quantity_read(const char *text, size_t length, enum opli_quantity_kind kind, long double *value);

/* The units that would have been right, for a sentence: "ns, us, ms or s"; "" where there is none. */
const char *opli_quantity_units(enum opli_quantity_kind kind);

#endif
