/* chrome_ahead.h - a thread that reads events ahead of the one that stores them.
 *
 * It reads as long as events follow one another, and leaves everything else where it is: the end of the
 * list, an event that cannot be read, the end of the file. */
#ifndef OPLI_IMPORT_CHROME_AHEAD_H
#define OPLI_IMPORT_CHROME_AHEAD_H

#include "import/chrome_event.h"

/* Events that were read together. */
typedef struct opli_chrome_batch {
    opli_chrome_event *events;
    size_t count;
    const char *at; /* behind the last of them */
    bool last;      /* something else follows */
} opli_chrome_batch;

typedef struct opli_chrome_ahead opli_chrome_ahead;

/* Begins to read at json->at. Until it is closed the shapes are the reader's. NULL when there is no
 * memory, no thread, or only one CPU to run on: then nothing has happened. */
opli_chrome_ahead *opli_chrome_ahead_open(opli_json json, opli_shapes *shapes);

/* The next batch, good until the next call; NULL behind the last one. */
const opli_chrome_batch *opli_chrome_ahead_next(opli_chrome_ahead *ahead);

void opli_chrome_ahead_close(opli_chrome_ahead *ahead);

#endif
