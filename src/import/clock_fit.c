/* clock_fit.c - from ticks to nanoseconds. Integers throughout, and exact: a wide one where it could
 * overflow, and the largest there is where notes make no sense. */
#include "import/clock_fit.h"

typedef __int128 wide;
typedef unsigned __int128 natural;

static int64_t clamp(wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

int64_t opli_ns_between(int64_t from_ns, int64_t to_ns) { return clamp((wide)to_ns - from_ns); }

static natural size_of(wide value) { return value < 0 ? -(natural)value : (natural)value; }

/* A straight line through (x0, y0) with the slope dy / dx. The factors have at most 64 bits and a sign. */
static int64_t line(wide x, wide x0, wide y0, wide dx, wide dy)
{
    const natural most = (natural)1 << 65;
    if (dx <= 0)
        return clamp(y0);
    natural product = size_of(x - x0) * size_of(dy), step = (natural)dx;
    natural quotient = product / step, rest = product % step;
    quotient += rest >= step - rest; /* half a nanosecond rounds away from (x0, y0) */
    wide distance = (wide)(quotient < most ? quotient : most);
    return clamp((x < x0) != (dy < 0) ? y0 - distance : y0 + distance);
}

static wide unsigned_wide(uint64_t value) { return (wide)value; }

size_t opli_clock_fit_stretch(const opli_recording *recording, uint64_t tick)
{
    if (!recording->clocks.count)
        return 0;

    size_t low = 0, high = recording->clocks.count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (recording->clocks.items[middle].tick <= tick)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t opli_clock_fit_ns(const opli_recording *recording, uint64_t tick)
{
    const opli_entry_clock *clocks = recording->clocks.items;
    wide rate = recording->header.ticks_per_second ? recording->header.ticks_per_second : 1000000000;
    if (recording->header.clock == OPLI_CLOCK_MONOTONIC)
        return clamp(unsigned_wide(tick));
    if (recording->clocks.count == 0)
        return line(unsigned_wide(tick), 0, 0, rate, 1000000000);
    size_t i = opli_clock_fit_stretch(recording, tick);
    wide x0 = unsigned_wide(clocks[i].tick), y0 = clocks[i].monotonic_ns;
    if (recording->clocks.count == 1)
        return line(unsigned_wide(tick), x0, y0, rate, 1000000000);
    return line(unsigned_wide(tick), x0, y0, unsigned_wide(clocks[i + 1].tick) - x0, clocks[i + 1].monotonic_ns - y0);
}

/* ---- devices ---- */

/* The first of the anchors, which are sorted, that is not before (device, ticks). */
static size_t anchor_find(const opli_recording *recording, uint64_t device, int64_t ticks)
{
    size_t low = 0, high = recording->anchors.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const opli_entry_anchor *anchor = &recording->anchors.items[middle];
        if (anchor->device < device || (anchor->device == device && anchor->device_ticks < ticks))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The anchor before `ticks`, or the device's first; there is one after it unless it is the only one. */
static size_t anchor_before(const opli_recording *recording, uint64_t device, int64_t ticks, size_t first, size_t end)
{
    size_t after = ticks == INT64_MAX ? end : anchor_find(recording, device, ticks + 1);
    size_t before = after > first ? after - 1 : first;
    return before + 1 == end && before > first ? before - 1 : before;
}

int64_t opli_clock_fit_device_ns(const opli_recording *recording, uint32_t device, int64_t ticks)
{
    const opli_device_row *row = opli_recording_device(recording, device);
    const opli_entry_anchor *anchors = recording->anchors.items;
    if (!row || !(row->clock_hz >= 1 && row->clock_hz < 1e18))
        return ticks;
    size_t first = anchor_find(recording, device, INT64_MIN);
    size_t end = anchor_find(recording, (uint64_t)device + 1, INT64_MIN);
    if (first == end)
        return line(ticks, 0, 0, (wide)row->clock_hz, 1000000000);
    size_t i = anchor_before(recording, device, ticks, first, end);
    if (end - first == 1 || anchors[i + 1].device_ticks == anchors[i].device_ticks)
        return line(ticks, anchors[i].device_ticks, anchors[i].host_ns, (wide)row->clock_hz, 1000000000);
    return line(ticks, anchors[i].device_ticks, anchors[i].host_ns,
                (wide)anchors[i + 1].device_ticks - anchors[i].device_ticks,
                (wide)anchors[i + 1].host_ns - anchors[i].host_ns);
}

int64_t opli_clock_fit_device_duration_ns(const opli_recording *recording, uint32_t device, int64_t start,
                                          int64_t duration)
{
    int64_t end = clamp((wide)start + duration);
    return clamp((wide)opli_clock_fit_device_ns(recording, device, end) -
                 opli_clock_fit_device_ns(recording, device, start));
}

int64_t opli_clock_fit_real_ns(const opli_recording *recording, int64_t monotonic_ns)
{
    if (!recording->clocks.count)
        return recording->header.start_real_ns;
    const opli_entry_clock *first = &recording->clocks.items[0];
    return clamp((wide)monotonic_ns - first->monotonic_ns + first->real_ns);
}
