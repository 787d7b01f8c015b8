/* clock_line.c - from ticks to nanoseconds for many ticks that are near each other. */
#include "import/clock_line.h"

#define MOST (UINT64_C(1) << 62) /* ticks times nanoseconds of a stretch: four seconds or so */

void opli_clock_line_move(opli_clock_line *line, const opli_recording *recording, uint64_t tick)
{
    size_t i = opli_clock_fit_stretch(recording, tick);
    *line = (opli_clock_line){.recording = recording};
    if (recording->header.clock == OPLI_CLOCK_MONOTONIC || i + 1 >= recording->clocks.count)
        return;
    const opli_entry_clock *from = &recording->clocks.items[i], *to = from + 1;
    uint64_t ns = (uint64_t)to->monotonic_ns - (uint64_t)from->monotonic_ns;
    if (to->tick <= from->tick || to->monotonic_ns <= from->monotonic_ns || tick < from->tick ||
        to->tick - from->tick >= MOST / ns)
        return;
    line->from = from->tick;
    line->from_ns = from->monotonic_ns;
    line->ticks = line->length = to->tick - from->tick;
    line->ns = ns;
    line->ns_per_tick = (double)line->ns / (double)line->ticks;
}
