/* device.h - declare accelerators, their queues and their clocks.
 *
 *     uint32_t npu = opl_device_declare("npu0", "npu", 1e9);        // a clock of 1 GHz
 *     uint32_t pe0 = opl_track_declare(npu, "pe0", 0);
 *     opl_device_anchor(npu, npu_clock(), opl_clock_ns());          // the two clocks, at one moment
 *     opl_span s = opl_span_timed(site, pe0, begin_tick, tick_count);
 *
 * Threads: any, not from signal handlers. Declaring the same thing twice gives the same id.
 * Lifetime: a declaration holds for the process and goes into every trace it records. */
#ifndef OPLENS_DEVICE_H
#define OPLENS_DEVICE_H

#include <stdint.h>

#include <oplens/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The host itself, always there. */
#define OPL_DEVICE_HOST 0u

/** Declares a device. `clock_hz` is the rate of its own timestamps; 0 means that it uses the
 *  host's clock in nanoseconds, see opl_clock_ns().
 *  @param kind  "gpu", "npu", "dsp": a word of your choice
 *  @return its id, or OPL_DEVICE_HOST when there are too many */
OPL_API uint32_t opl_device_declare(const char *name, const char *kind, double clock_hz);

/** Declares a queue, stream or processing element of a device.
 *  @return its id for opl_span_timed() and counters, or 0 (the calling thread) when there are too many */
OPL_API uint32_t opl_track_declare(uint32_t device, const char *name, uint32_t index);

/** Says that the device's clock showed `device_ticks` when the host's showed `host_ns`. One anchor
 *  fixes the offset; more of them, over time, also correct the drift. */
OPL_API void opl_device_anchor(uint32_t device, int64_t device_ticks, int64_t host_ns);

#ifdef __cplusplus
}
#endif
#endif
