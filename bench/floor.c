/* floor.c - what two bare clock reads cost. */
#include "floor.h"

#include <oplens/annotate.h>

#include "stopwatch.h"

#define PAIRS 200000

static __attribute__((noinline)) void read_clock_in_pairs(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        (void)opl_clock_ticks();
        (void)opl_clock_ticks();
    }
}

void opli_floor_measure(double ns[OPLI_FLOOR_PIECES])
{
    for (int i = 0; i < OPLI_FLOOR_PIECES; i++) {
        int64_t start_ns = opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID);
        read_clock_in_pairs(PAIRS);
        ns[i] = (double)(opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / PAIRS;
    }
}
