/* clock_line.h - from ticks to nanoseconds for many ticks that are near each other. The results are
 * those of opli_clock_fit_ns(), to the nanosecond, without a division. */
#ifndef OPLI_IMPORT_CLOCK_LINE_H
#define OPLI_IMPORT_CLOCK_LINE_H

#include "import/clock_fit.h"

/* The stretch between two notes of the clocks. */
typedef struct opli_clock_line {
    const opli_recording *recording;
    uint64_t from, length; /* ticks in [from, from + length) are on it; length 0: none */
    int64_t from_ns;
    uint64_t ticks, ns; /* the slope */
    double ns_per_tick;
} opli_clock_line;

/* Moves to the stretch that `tick` is on. */
void opli_clock_line_move(opli_clock_line *line, const opli_recording *recording, uint64_t tick);

/* An estimate that is off by at most one, and set right by what remains. Products fit 64 bits. */
static inline int64_t opli_clock_line_ns(opli_clock_line *line, uint64_t tick)
{
    uint64_t distance = tick - line->from;
    if (__builtin_expect(distance >= line->length, 0)) {
        opli_clock_line_move(line, line->recording, tick);
        distance = tick - line->from;
        if (distance >= line->length)
            return opli_clock_fit_ns(line->recording, tick);
    }
    uint64_t product = 2 * distance * line->ns + line->ticks, step = 2 * line->ticks;       /* rounds half up */
    uint64_t quotient = (uint64_t)(int64_t)((double)(int64_t)distance * line->ns_per_tick); /* signed is faster */
    int64_t rest = (int64_t)(product - quotient * step);
    quotient += (rest >= (int64_t)step) - (rest < 0);
    return line->from_ns + (int64_t)quotient;
}

#endif
