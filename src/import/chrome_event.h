/* chrome_event.h - one event of a Chrome trace, as it stands in the text. */
#ifndef OPLI_IMPORT_CHROME_EVENT_H
#define OPLI_IMPORT_CHROME_EVENT_H

#include "base/vector.h"
#include "import/chrome_shape.h"
#include "import/json_scan.h"

/* A member of the event's "args". */
typedef struct opli_chrome_argument {
    opli_json_value value;
    const char *key;
    uint32_t key_length;
    bool key_escaped;
    uint32_t *text; /* where the key's id may be remembered, or NULL */
    uint32_t hash;  /* of the value's text, for who reads the event */
} opli_chrome_argument;

/* Zeroed before its first use, and used again for the next event. */
typedef struct opli_chrome_event {
    char phase; /* 0 when there is none */
    bool empty; /* an object without members */
    bool has_time, has_duration, has_id;
    int64_t time_ns, duration_ns;
    opli_json_value name, category, process, thread, id; /* kind OPLI_JSON_END: not given */
    OPLI_VECTOR(opli_chrome_argument) arguments;
} opli_chrome_event;

static inline opli_json_value opli_chrome_key(const opli_chrome_argument *argument)
{
    return (opli_json_value){.kind = OPLI_JSON_STRING,
                             .escaped = argument->key_escaped,
                             .text = argument->key,
                             .length = argument->key_length};
}

enum opli_chrome_outcome {
    OPLI_CHROME_EVENT, /* read, and the text is behind it */
    OPLI_CHROME_WRONG, /* not an event; the text is where it was */
    OPLI_CHROME_CUT,   /* the text ends inside it; the text is where it was */
    OPLI_CHROME_NOMEM,
};

/* Reads the object that begins here. */
enum opli_chrome_outcome opli_chrome_event_read(opli_json *json, opli_shapes *shapes, opli_chrome_event *event);

#endif
