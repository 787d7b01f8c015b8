/* writer.h - the thread that packs full chunks and appends them to the file. */
#ifndef OPLI_RECORD_WRITER_H
#define OPLI_RECORD_WRITER_H

#include <stdbool.h>

/* Starts it; without it each thread writes its own chunks. False when it cannot be had. */
bool opli_writer_start(void);

/* Asks it to look at the streams. Costs nothing while it is at work. */
void opli_writer_wake(void);

/* Waits until it has ended. */
void opli_writer_stop(void);

/* In a forked child: it did not come along. */
void opli_writer_forked(void);

#endif
