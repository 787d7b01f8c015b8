/* journal_entry.h - what must never be evicted: names, threads, devices, clocks, control.
 *
 * Entries are appended by any thread: space is reserved, the body written, and the first word
 * stored last. The memory was zero, so a reader passes over what was reserved and never written. */
#ifndef OPLI_WIRE_JOURNAL_ENTRY_H
#define OPLI_WIRE_JOURNAL_ENTRY_H

#include <stdint.h>

#include "wire/file.h"

#define OPLI_ENTRY_MAGIC 0x4a50u

enum opli_entry_kind {
    OPLI_ENTRY_SITE = 1,
    OPLI_ENTRY_THREAD,
    OPLI_ENTRY_DEVICE,
    OPLI_ENTRY_TRACK,
    OPLI_ENTRY_ANCHOR,
    OPLI_ENTRY_CLOCK,
    OPLI_ENTRY_METADATA,
    OPLI_ENTRY_CONTROL,
};

typedef struct opli_entry {
    uint16_t magic;
    uint16_t kind;
    uint32_t size;  /* with this header; a multiple of 8 */
    uint32_t fixed; /* bytes after this header that `sum` covers; a multiple of 8 */
    uint32_t sum;   /* of the fields above too, see opli_entry_sum() */
} opli_entry;

/* The first word of an entry: its magic, kind and size. */
static inline uint64_t opli_entry_first(uint16_t kind, uint32_t size)
{
    return (uint64_t)OPLI_ENTRY_MAGIC | (uint64_t)kind << 16 | (uint64_t)size << 32;
}

static inline uint32_t opli_entry_sum(uint64_t first, uint32_t fixed, const void *body)
{
    uint64_t sum = opli_wire_sum(body, fixed) + (first ^ (uint64_t)fixed << 8) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(sum ^ sum >> 32);
}

typedef struct opli_entry_site {
    uint32_t id;
    uint32_t line;
    uint16_t category;
    uint16_t level;
    uint16_t name_bytes;
    uint16_t file_bytes; /* the name and the file follow, no zero between */
} opli_entry_site;

/* Ends with fields that change in place as the thread lives; when the file is closed, its sum
 * is made to cover them too. */
typedef struct opli_entry_thread {
    uint32_t ordinal;
    uint32_t tid;
    uint64_t start_tick;
    /* from here on not covered by the sum */
    uint64_t end_tick; /* 0: alive */
    char name[32];
    uint64_t dropped[OPLI_DROP_ROOM_FOR]; /* atomic */
} opli_entry_thread;
#define OPLI_ENTRY_THREAD_FIXED 16u

typedef struct opli_entry_device {
    uint32_t id;
    uint16_t name_bytes;
    uint16_t kind_bytes; /* the name and the kind follow */
    double clock_hz;     /* 0: host nanoseconds */
} opli_entry_device;

typedef struct opli_entry_track {
    uint32_t id;
    uint32_t device;
    uint32_t index;
    uint32_t name_bytes; /* the name follows */
} opli_entry_track;

typedef struct opli_entry_anchor {
    uint64_t device;
    int64_t device_ticks;
    int64_t host_ns; /* monotonic */
} opli_entry_anchor;

/* The three clocks at one moment, to within the last field. */
typedef struct opli_entry_clock {
    uint64_t tick;
    int64_t monotonic_ns;
    int64_t real_ns;
    uint64_t doubt_ns;
} opli_entry_clock;

typedef struct opli_entry_metadata {
    uint32_t key_bytes;
    uint32_t value_bytes; /* the key and the value follow */
} opli_entry_metadata;

#define OPLI_CONTROL_LIST(X)                                             \
    X(START, "start")                                                    \
    X(STOP, "stop")                                                      \
    X(PAUSE, "pause")                                                    \
    X(RESUME, "resume")                                                  \
    X(SELECT, "select") /* value: gates */                               \
    X(MUTE, "mute")     /* a warm-up begins */                           \
    X(UNMUTE, "unmute") /* and ends */                                   \
    X(CYCLE, "cycle")   /* value: the number of the cycle that begins */ \
    X(REST, "rest")     /* the schedule waits; value: the cycle that ended, if any */
#define OPLI_CONTROL_ENUM(id, word) OPLI_CONTROL_##id,
enum opli_control { OPLI_CONTROL_LIST(OPLI_CONTROL_ENUM) OPLI_CONTROL_COUNT };
#undef OPLI_CONTROL_ENUM

typedef struct opli_entry_control {
    uint64_t tick;
    uint64_t what; /* enum opli_control */
    uint64_t value;
} opli_entry_control;

_Static_assert(sizeof(opli_entry) == 16 && sizeof(opli_entry_thread) % 8 == 0, "entries keep to 8 bytes");

#endif
