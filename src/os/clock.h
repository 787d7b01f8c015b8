/* clock.h - the recorder's clock, and how it relates to the system's.
 * Threads: opli_clock_init() once, before anything else; the rest from anywhere. */
#ifndef OPLI_OS_CLOCK_H
#define OPLI_OS_CLOCK_H

#include <stdint.h>

/* The same moment on three clocks, to within doubt_ns. */
typedef struct opli_clock_sample {
    uint64_t tick;
    int64_t monotonic_ns;
    int64_t real_ns;
    uint64_t doubt_ns;
} opli_clock_sample;

/* Chooses the clock: the CPU's counter where it runs at one rate on all cores, else
 * CLOCK_MONOTONIC. OPLENS_CLOCK=monotonic in the environment chooses the latter. */
void opli_clock_init(void);

/* enum opli_clock_kind. */
uint32_t opli_clock_kind(void);

/* A first estimate of the clock's rate. The first call takes a few tenths of a millisecond. */
uint64_t opli_clock_ticks_per_second(void);

/* Ticks of the chosen clock. */
uint64_t opli_clock_now(void);

int64_t opli_clock_monotonic_ns(void);
opli_clock_sample opli_clock_sample_take(void);

#endif
