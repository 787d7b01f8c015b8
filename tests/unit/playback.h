/* playback.h - record something in this process, then read it back.
 *
 *     playback_record("spans.opl");
 *     OPL_SPAN("conv", OPL_CAT_OP) OPL_INT("batch", 8);
 *     playback p = playback_stop();
 *     CHECK_EQ(playback_argument(playback_only(&p, "conv"), "batch")->value, 8);
 *     playback_close(&p);
 *
 * What is asked for and is not there fails the test. */
#ifndef OPLI_TESTS_PLAYBACK_H
#define OPLI_TESTS_PLAYBACK_H

#include <oplens/oplens.h>

#include "import/arguments.h"
#include "import/events.h"

/* An event with all that was good only during the visit. */
typedef struct played {
    opli_event event; /* its arguments are owned here */
    char name[64];
    const char *kind; /* the word of its category */
    char (*keys)[64]; /* as event.arguments */
    char *line, *json;
} played;

typedef struct playback {
    opli_recording recording;
    OPLI_VECTOR(played) events;
} playback;

/* Starts recording everything into test_path(name). */
void playback_record(const char *name);
void playback_record_with(const char *name, opl_recorder_options options);

/* Stops, and reads what was recorded. */
playback playback_stop(void);

/* Reads a file, or bytes that stay the caller's. */
playback playback_open(const char *path);
playback playback_open_bytes(const void *bytes, size_t size);
void playback_close(playback *p);

size_t playback_count(const playback *p, const char *name);
/* The first event of the name, the only one, the one with that number. */
const played *playback_first(const playback *p, const char *name);
const played *playback_only(const playback *p, const char *name);
const played *playback_nth(const playback *p, const char *name, size_t number);
/* The first event of the kind that has a name only in its span: memory and flows. */
const played *playback_kind(const playback *p, enum opli_event_kind kind, size_t number);
/* The event at a place in the file, as flows name it. */
const played *playback_at(const playback *p, uint64_t chunk, uint32_t index);

const opli_argument *playback_argument(const played *e, const char *key);
bool playback_has(const played *e, const char *key);

/* How often the control was noted, and the value of the one with that number. */
size_t playback_controls(const playback *p, uint64_t what);
uint64_t playback_control(const playback *p, uint64_t what, size_t number);

#endif
