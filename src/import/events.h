/* events.h - a recording's events, each with its arguments, thread by thread in the order they began. */
#ifndef OPLI_IMPORT_EVENTS_H
#define OPLI_IMPORT_EVENTS_H

#include "import/recording.h"

enum opli_event_kind {
    OPLI_EVENT_SPAN,
    OPLI_EVENT_INSTANT,
    OPLI_EVENT_COUNTER,
    OPLI_EVENT_MEMORY,
    OPLI_EVENT_FLOW,
    OPLI_EVENT_KINDS
};

/* An argument; `bytes` is good during the visit. */
typedef struct opli_argument {
    uint32_t key; /* a site */
    uint32_t tag; /* OPLI_TAG_ARG_ */
    uint64_t value;
    const uint8_t *bytes; /* of text, integers, tensors */
    uint32_t size;
    bool cut;
} opli_argument;

typedef struct opli_event {
    enum opli_event_kind kind;
    uint32_t thread; /* ordinal of the thread that recorded it */
    uint32_t track;  /* a declared track, 0: the thread's own */
    uint32_t site;   /* 0 for memory and flows */
    uint64_t chunk;  /* with `index`, its place in the file */
    uint32_t index;
    bool open; /* a span that was never ended; its duration is 0 */
    int64_t start_ns;
    int64_t duration_ns;
    union {
        struct {
            bool real;
            int64_t integer;
            double number;
        } counter;
        struct {
            uint64_t address;
            int64_t size_bytes; /* negative: released */
            bool released;      /* also when its size is not known */
            int64_t used_bytes, allocated_bytes;
            uint32_t device;
        } memory;
        struct {
            uint64_t id;
            uint32_t phase; /* OPLI_FLOW_ */
            uint64_t chunk; /* of the span it belongs to */
            uint32_t index;
        } flow;
    } as;
    const opli_argument *arguments;
    uint32_t argument_count;
} opli_event;

/* Called for each event; a false return ends the visit. */
typedef bool (*opli_event_visitor)(void *context, const opli_event *event);

/* Visits every event. Damage found on the way is noted. OPL_OK or OPL_NOMEM. */
opl_status opli_events_visit(opli_recording *recording, opli_event_visitor visitor, void *context);

#endif
