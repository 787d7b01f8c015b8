/* clock_fit.h - from ticks of the recorder and of devices to nanoseconds of CLOCK_MONOTONIC. */
#ifndef OPLI_IMPORT_CLOCK_FIT_H
#define OPLI_IMPORT_CLOCK_FIT_H

#include "import/recording.h"

/* From one moment to another. A damaged file may hold any two: what is too much for 64 bits becomes
 * the largest there is. */
int64_t opli_ns_between(int64_t from_ns, int64_t to_ns);

/* The recorder's ticks. Between two notes of the clocks the time runs evenly; outside, at the
 * rate of the nearest stretch. */
int64_t opli_clock_fit_ns(const opli_recording *recording, uint64_t tick);

/* Of the notes of the clocks the one before `tick`, or the first; there is one after it unless it is the only one. */
size_t opli_clock_fit_stretch(const opli_recording *recording, uint64_t tick);

/* A device's ticks, through its anchors; host devices say nanoseconds already. */
int64_t opli_clock_fit_device_ns(const opli_recording *recording, uint32_t device, int64_t ticks);

/* The same length of time on the device's clock. */
int64_t opli_clock_fit_device_duration_ns(const opli_recording *recording, uint32_t device, int64_t start,
                                          int64_t duration);

/* Monotonic to wall-clock time, by the first note. */
int64_t opli_clock_fit_real_ns(const opli_recording *recording, int64_t monotonic_ns);

#endif
