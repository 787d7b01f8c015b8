/* stopwatch.h - a clock that only counts, for what a run takes. */
#ifndef OPLI_CLI_STOPWATCH_H
#define OPLI_CLI_STOPWATCH_H

#include <stdint.h>
#include <time.h>

static inline int64_t opli_stopwatch_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
