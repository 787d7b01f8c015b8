/* footprint.h - how much memory does a long recording take? */
#ifndef OPLI_BENCH_FOOTPRINT_H
#define OPLI_BENCH_FOOTPRINT_H

#include <stdint.h>

#include <oplens/error.h>

/* Records that many plain spans into `path` in a process of its own, and says by how much its
 * resident memory (VmHWM: anonymous, shared and mapped file pages) had grown at its highest.
 * The page cache of what was written is the kernel's and is not part of it. */
opl_status opli_footprint_measure(const char *path, uint64_t spans, double *mib, opl_error *err);

#endif
