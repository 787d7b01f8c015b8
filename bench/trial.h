/* trial.h - one run of one case: floor, spans, stop, floor, on one thread or several. */
#ifndef OPLI_BENCH_TRIAL_H
#define OPLI_BENCH_TRIAL_H

#include <oplens/error.h>

#include "span_case.h"

#define OPLI_TRIAL_THREADS 2

typedef struct opli_trial {
    const opli_span_case *what;
    uint32_t threads; /* at most OPLI_TRIAL_THREADS */
    uint64_t spans;   /* by all of them together; each gets the same share */
    const char *path; /* of the trace, which must not be there yet; it stays */
} opli_trial;

/* Everything but the time to close is per span. */
typedef struct opli_sample {
    double floor_ns;
    double thread_ns;    /* CPU of the recording thread */
    double all_ns;       /* CPU of the process, until the bytes are in the file */
    double stream_bytes; /* records while recording; 0 when that cannot be seen from outside */
    double file_bytes;   /* the file's length */
    double disk_bytes;   /* what it takes on the disk, its holes left out */
    double close_ms;     /* wall time of opl_recorder_stop() */
} opli_sample;

/* Of a disabled case only the floor and the thread are measured. */
opl_status opli_trial_run(const opli_trial *trial, opli_sample *out, opl_error *err);

#endif
