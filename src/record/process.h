/* process.h - the one recording of this process: its file, its journal, its state.
 *
 * A thread that does anything slow for the recorder enters first and leaves after; stopping waits
 * for those inside. The probes themselves enter nothing: see opli_range_retire().
 * Threads: any. After fork, the child's first event begins a recording of its own. */
#ifndef OPLI_RECORD_PROCESS_H
#define OPLI_RECORD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/journal.h"
#include "record/tape.h"

enum opli_process_state {
    OPLI_PROCESS_IDLE,
    OPLI_PROCESS_FORKED,   /* the parent records; this process will at its first event */
    OPLI_PROCESS_STARTING, /* the journal takes entries, streams may not begin yet */
    OPLI_PROCESS_RECORDING,
};

/* True when the recording has come at least this far; it stays until opli_process_leave(). */
bool opli_process_enter(enum opli_process_state at_least);
void opli_process_leave(void);

/* As enter(RECORDING), and in a forked child begins its recording first. */
bool opli_process_enter_recording(void);

/* A number that changes with every recording and in every forked child; 8 bits of it are in chunks. */
uint32_t opli_process_session(void);

/* To be used inside only. */
opli_journal *opli_process_journal(void);
opli_tape *opli_process_tape(void);

/* Once, when the library is loaded. */
void opli_process_init(void);

/* Counts an event that belongs to no stream. */
void opli_process_drop(enum opli_drop reason);

/* Notes the time on all clocks if it is due: soon after the start, then once a second. Inside only. */
void opli_process_note_clocks(void);

/* Adds a control entry if a recording is running. */
void opli_process_note(uint64_t what, uint64_t value);

#endif
