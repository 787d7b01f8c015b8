/* span_case.h - the kinds of span whose cost is measured, and what we promise for each. */
#ifndef OPLI_BENCH_SPAN_CASE_H
#define OPLI_BENCH_SPAN_CASE_H

#include <stdbool.h>
#include <stdint.h>

/* Promises are upper bounds; 0 means that none is made. */
typedef struct opli_span_case {
    const char *name;
    void (*loop)(uint64_t count); /* that many spans in a row, with nothing in them */
    bool disabled;                /* the recorder is stopped: nothing is written */
    double thread_floors;         /* CPU of the recording thread, as a multiple of the floor */
    double thread_ns;             /* the same in nanoseconds, where the floor is no measure */
    double all_floors;            /* CPU of the process until the bytes are in the file */
    double stream_bytes;          /* while recording */
    double file_bytes;            /* in the closed file */
} opli_span_case;

enum { OPLI_SPAN_CASES = 5 };
extern const opli_span_case opli_span_cases[OPLI_SPAN_CASES];

#endif
