/* stopwatch.h - time spent, by clock: CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID or CLOCK_MONOTONIC. */
#ifndef OPLI_BENCH_STOPWATCH_H
#define OPLI_BENCH_STOPWATCH_H

#include <stdint.h>
#include <time.h>

static inline int64_t opli_stopwatch_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
