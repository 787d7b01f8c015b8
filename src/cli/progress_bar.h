/* progress_bar.h - a line on stderr, for a person who waits: what is being done, how fast, and how long it will take.
 *
 *     opli_progress_bar bar;
 *     opli_progress_bar_begin(&bar, "reading", total_bytes);
 *     opli_progress_bar_move(&bar, "run.json", done_bytes);      // now and then
 *     opli_progress_bar_end(&bar);
 *
 * Nothing is shown where stderr is no terminal, nor in the first second. A thread draws, so the line also lives while
 * its owner is busy; whoever prints ends it before.
 * Threads: one begins and ends it; any may move it. */
#ifndef OPLI_CLI_PROGRESS_BAR_H
#define OPLI_CLI_PROGRESS_BAR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct opli_progress_bar {
    const char *verb;     /* "reading" */
    const char *growing;  /* a file whose size tells how much is done; may be NULL */
    uint64_t total_bytes; /* 0: not known */
    int64_t start_ns;
    _Atomic(const char *) name;  /* of what is being worked on; written by movers, read by the drawing thread */
    _Atomic uint64_t done_bytes; /* likewise; the two need not match to the moment */
    bool runs;                   /* fixed while the thread lives */
    pthread_t thread;
    pthread_mutex_t lock; /* guards `ends` */
    pthread_cond_t ended;
    bool ends;
} opli_progress_bar;

/* `verb` must live as long as the bar. */
void opli_progress_bar_begin(opli_progress_bar *bar, const char *verb, uint64_t total_bytes);

/* For a file that is being written: its size is looked at. Both may be NULL. */
void opli_progress_bar_begin_writing(opli_progress_bar *bar, const char *path);

/* `name` must live as long as the bar. */
void opli_progress_bar_move(opli_progress_bar *bar, const char *name, uint64_t done_bytes);

/* Wipes the line. */
void opli_progress_bar_end(opli_progress_bar *bar);

/* The line, as wide as `columns`. Split off for tests. */
void opli_progress_bar_line(const opli_progress_bar *bar, int64_t now_ns, size_t columns, opli_text *out);

#endif
