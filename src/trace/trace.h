/* trace.h - the store: a trace of any origin as columns, sorted and nested, ready to be asked.
 *
 * Times are integer nanoseconds. Rows are 32-bit numbers. Texts are ids of one string table.
 * Threads: a finished trace never changes; any number may read it.
 * Lifetime: everything belongs to the trace, and is good until opli_trace_free(). */
#ifndef OPLI_TRACE_TRACE_H
#define OPLI_TRACE_TRACE_H

#include <oplens/annotate.h>
#include <oplens/error.h>

#include "base/vector.h"
#include "trace/args.h"
#include "trace/string_table.h"

#define OPLI_NO_ROW UINT32_MAX

/* ---- what spans belong to ---- */

typedef struct opli_process {
    int64_t pid;
    uint32_t name, labels; /* texts */
} opli_process;

typedef struct opli_device {
    int64_t id;          /* as its engine counts */
    uint32_t name, kind; /* texts; kind "gpu", "npu" ... */
    int64_t memory_bytes;
} opli_device;

enum opli_track_kind { OPLI_TRACK_THREAD, OPLI_TRACK_QUEUE, OPLI_TRACK_ASYNC };

/* A host thread, a device's queue, or a row of asynchronous spans. */
typedef struct opli_track {
    enum opli_track_kind kind;
    uint32_t process;  /* row */
    uint32_t device;   /* row, OPLI_NO_ROW: the host */
    int64_t number;    /* tid, stream, processing element */
    uint32_t name;     /* text */
    uint32_t file;     /* of those the trace was read from, counted from 0: ids mean something within one */
    size_t first, end; /* its spans, as rows [first, end) */
} opli_track;

/* ---- spans ---- */

enum opli_span_flag {
    OPLI_SPAN_OPEN = 1,       /* never ended; its duration goes to the end of the trace */
    OPLI_SPAN_OVERLAPS = 2,   /* partly overlaps the span before it: kept, on a lane of its own */
    OPLI_SPAN_ASYNC = 4,      /* began and ended as two events, maybe on two threads */
    OPLI_SPAN_REPAIRED = 8,   /* something about it had to be mended; the trace's notes say what */
    OPLI_SPAN_SYNTHETIC = 16, /* laid out by us: the source has no start times */
};

/* Sorted by track, start, and longest first. A row's parent stands before it on the same track. */
typedef struct opli_spans {
    size_t count;
    int64_t *start_ns;
    int64_t *duration_ns;
    uint32_t *name;      /* text */
    uint32_t *category;  /* text: the source's own word; 0 when it had none */
    uint32_t *track;     /* row */
    uint32_t *parent;    /* row or OPLI_NO_ROW */
    uint32_t *first_arg; /* row of args */
    uint16_t *arg_count;
    uint16_t *depth; /* 0 at the root of its lane */
    uint16_t *lane;  /* 0, or more where spans of a track overlap */
    uint8_t *kind;   /* opl_category */
    uint8_t *flags;  /* enum opli_span_flag */
} opli_spans;

/* ---- other events, in the order they were read ---- */

typedef struct opli_instant_row {
    int64_t time_ns;
    uint32_t track, name, category, first_arg;
    uint16_t arg_count;
    uint8_t kind;
} opli_instant_row;

typedef struct opli_counter_row {
    int64_t time_ns;
    double value;
    uint32_t process, name, series; /* texts; a counter may have several series */
} opli_counter_row;

typedef struct opli_memory_row {
    int64_t time_ns;
    int64_t size_bytes; /* negative: released */
    uint64_t address;
    int64_t used_bytes, allocated_bytes; /* -1: not said */
    uint32_t track;
    uint32_t device; /* row, OPLI_NO_ROW: the host */
    uint32_t span;   /* the innermost span open on its track, or OPLI_NO_ROW */
} opli_memory_row;

enum opli_flow_phase { OPLI_FLOW_START, OPLI_FLOW_MIDDLE, OPLI_FLOW_FINISH };

typedef struct opli_flow_row {
    int64_t time_ns;
    uint64_t id; /* unique together with the category */
    uint32_t category, track;
    uint32_t span; /* the span it is bound to, or OPLI_NO_ROW */
    uint8_t phase;
} opli_flow_row;

/* Something the importer mended, skipped or cannot know: said aloud, with how often. */
typedef struct opli_note {
    uint32_t sentence; /* text: "events without a time were skipped" */
    uint64_t count;
    bool is_loss; /* events are missing because of it */
} opli_note;

typedef struct opli_fact {
    uint32_t key, value; /* texts */
} opli_fact;

/* The host spans of one name, added up. A trace that was opened for nothing else has these and no spans. */
typedef struct opli_name_sum {
    uint32_t name; /* text */
    uint64_t count;
    int64_t total_ns, self_ns;
} opli_name_sum;

typedef struct opli_trace {
    opli_string_table strings;
    OPLI_VECTOR(opli_process) processes;
    OPLI_VECTOR(opli_device) devices;
    OPLI_VECTOR(opli_track) tracks;
    opli_spans spans;
    opli_args args;
    OPLI_VECTOR(opli_instant_row) instants;
    OPLI_VECTOR(opli_counter_row) counters;
    OPLI_VECTOR(opli_memory_row) memory;
    OPLI_VECTOR(opli_flow_row) flows;
    OPLI_VECTOR(opli_name_sum) sums;
    OPLI_VECTOR(opli_note) notes;
    OPLI_VECTOR(opli_fact) facts; /* metadata of the run */
    int64_t base_real_ns;         /* wall-clock time at time 0; 0 when it is not known */
    uint32_t source;              /* text: "oplens recording", "PyTorch trace" ... */
} opli_trace;

void opli_trace_free(opli_trace *trace);

/* The text with that id. */
static inline const char *opli_trace_text(const opli_trace *trace, uint32_t id)
{
    return opli_string_get(&trace->strings, id);
}

/* The span's argument of that key, OPLI_NO_ROW when it has none. */
uint32_t opli_trace_arg(const opli_trace *trace, uint32_t span, uint32_t key);

/* When the first event of any sort happened; 0 when there is none. */
int64_t opli_trace_first_ns(const opli_trace *trace);

/* How many events of whatever sort there are. */
uint64_t opli_trace_events(const opli_trace *trace);

#endif
