/* recording.h - our own trace file, opened for reading: what is in it, and where.
 *
 * A file that was cut short opens as far as it goes; what is missing is said in `cut` and what is
 * wrong in `damage`. Nothing in the file is trusted: it may come from anywhere.
 * Threads: an open recording never changes. Lifetime: everything is borrowed from the file's
 * bytes or owned by the recording, and good until opli_recording_close(). */
#ifndef OPLI_IMPORT_RECORDING_H
#define OPLI_IMPORT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <oplens/error.h>

#include "base/vector.h"
#include "wire/journal_entry.h"

/* Text in the file; not ended by a zero. */
typedef struct opli_span_text {
    const char *bytes;
    size_t length;
} opli_span_text;

typedef struct opli_site_row {
    uint32_t id; /* 0: no such site */
    uint32_t line;
    uint16_t category;
    uint16_t level;
    opli_span_text name;
    opli_span_text file;
} opli_site_row;

typedef struct opli_thread_row {
    uint32_t ordinal;
    uint32_t tid;
    uint64_t start_tick, end_tick; /* end 0: was alive when the file ends */
    opli_span_text name;
    uint64_t dropped[OPLI_DROP_COUNT];
} opli_thread_row;

typedef struct opli_device_row {
    uint32_t id;
    double clock_hz;
    opli_span_text name, kind;
} opli_device_row;

typedef struct opli_track_row {
    uint32_t id, device, index;
    opli_span_text name;
} opli_track_row;

typedef struct opli_metadata_row {
    opli_span_text key, value;
} opli_metadata_row;

/* A chunk, wherever its best copy is: packed in the file, or still in a slot. */
typedef struct opli_chunk_row {
    uint64_t offset; /* in the file */
    uint64_t id;
    uint64_t base_tick;
    uint32_t thread;
    uint32_t used;                 /* bytes of records, for a slot */
    const opli_wire_chunk *packed; /* one of these two */
    const opli_wire_slot *slot;
} opli_chunk_row;

typedef struct opli_recording {
    const uint8_t *bytes;
    size_t size;
    bool mapped;                          /* the bytes are ours to unmap */
    opli_wire_header header;              /* a copy */
    OPLI_VECTOR(opli_site_row) sites;     /* indexed by id */
    OPLI_VECTOR(opli_thread_row) threads; /* by ordinal */
    OPLI_VECTOR(opli_device_row) devices;
    OPLI_VECTOR(opli_track_row) tracks;     /* by id */
    OPLI_VECTOR(opli_entry_anchor) anchors; /* by device, then time */
    OPLI_VECTOR(opli_entry_clock) clocks;   /* by tick */
    OPLI_VECTOR(opli_metadata_row) metadata;
    OPLI_VECTOR(opli_entry_control) controls; /* by tick */
    OPLI_VECTOR(opli_chunk_row) chunks;       /* by thread, then id */
    uint64_t damage_count;
    char damage[256]; /* the first thing that is wrong; "" when all is well */
    char cut[256];    /* how the recording ended, if it was not stopped; "" when it was */
} opli_recording;

/* Opens the file at `path`; OPL_IO, OPL_FORMAT, OPL_VERSION, OPL_NOMEM. */
opl_status opli_recording_open(opli_recording *recording, const char *path, opl_error *err);

/* The same for bytes in memory, aligned to 8, which stay the caller's; `name` is for messages. */
opl_status opli_recording_open_bytes(opli_recording *recording, const void *bytes, size_t size, const char *name,
                                     opl_error *err);

void opli_recording_close(opli_recording *recording);

/* Notes damage; the first sentence is kept. */
__attribute__((format(printf, 2, 3))) void opli_recording_damaged(opli_recording *recording, const char *format, ...);

/* NULL when there is no such row. */
const opli_site_row *opli_recording_site(const opli_recording *recording, uint32_t id);
const opli_thread_row *opli_recording_thread(const opli_recording *recording, uint32_t ordinal);
const opli_track_row *opli_recording_track(const opli_recording *recording, uint32_t id);
const opli_device_row *opli_recording_device(const opli_recording *recording, uint32_t id);

/* The words for a site's category, a control and a drop. */
const char *opli_category_word(uint32_t category);
const char *opli_control_word(uint64_t control);
const char *opli_drop_word(uint32_t reason);
const char *opli_drop_sentence(uint32_t reason);

#endif
