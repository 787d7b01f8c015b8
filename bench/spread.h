/* spread.h - the median of repeated measurements, and the lowest and highest of them. */
#ifndef OPLI_BENCH_SPREAD_H
#define OPLI_BENCH_SPREAD_H

#include <stddef.h>

typedef struct opli_spread {
    double median;
    double low;
    double high;
} opli_spread;

/* Sorts `values`; there is at least one. */
opli_spread opli_spread_take(double *values, size_t count);

#endif
