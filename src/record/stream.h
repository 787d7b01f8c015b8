/* stream.h - one thread's stream of records, in the mapped file.
 *
 * A stream is a page and up to 16 slots of 64 KiB. Its thread fills the open slot; full ones are
 * packed and appended to the file by the writer thread or, when it lags, by the stream's own.
 * Threads: a stream belongs to its thread; slots change hands through their state. */
#ifndef OPLI_RECORD_STREAM_H
#define OPLI_RECORD_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/tape.h"
#include "wire/file.h"

#define OPLI_STREAM_SLOTS 16u
#define OPLI_STREAM_FIRST_SLOTS 2u
#define OPLI_TEXT_CACHE 1024u

/* Slots stand apart in memory: a reservation behind the end of one is not in another. */
#define OPLI_SLOT_STRIDE (2u * OPL_SLOT_BYTES)

enum opli_stream_state {
    OPLI_STREAM_UNUSED, /* no thread, nothing in it */
    OPLI_STREAM_LIVE,   /* a thread's */
    OPLI_STREAM_ENDED,  /* its thread is gone; full slots may be left */
    OPLI_STREAM_HELD,   /* being handed to another thread */
};

typedef struct opli_stream {
    struct opli_stream *next; /* fixed: streams are never freed */
    uint8_t *slots;           /* fixed: address of slot 0, aligned; the page is right before it */
    _Atomic uint32_t state;
    _Atomic uint32_t session;    /* the recording it belongs to */
    _Atomic uint32_t slot_count; /* slots that are mapped */
    uint32_t open_slot;
    uint32_t ordinal; /* its thread's number in the trace */
    uint32_t tid;
    uint64_t number;                 /* of the next chunk */
    uint64_t offsets[2];             /* of its blocks in the file */
    opl_stream_v1 *home;             /* where reservations are made: page->hot or page->careful */
    opli_entry_thread *ledger;       /* its entry in the journal: name, drops */
    uint64_t *scratch;               /* for packing by its own thread */
    bool turning;                    /* own thread only: between two chunks */
    bool ragged[OPLI_STREAM_SLOTS];  /* own thread only: slots with records of several units */
    uint64_t texts[OPLI_TEXT_CACHE]; /* hash:40 | lap:12 | record:12 of texts in the open chunk */
} opli_stream;

#define OPLI_SCRATCH_BYTES (4u * OPL_SLOT_BYTES)

/* This thread's stream in the running recording, made if need be; NULL when that cannot be done. */
opli_stream *opli_stream_mine(void);

/* Space for `units` records in a row in this thread's stream, and the id of their chunk; NULL and
 * a drop counted when there is none. What is taken must be written. */
uint64_t *opli_stream_take(uint32_t units, uint64_t *chunk);

/* Why a drain happens now, in rising order of urgency. */
enum opli_drain {
    OPLI_DRAIN_FULL, /* a record that is reserved and not written yet makes its chunk wait */
    OPLI_DRAIN_GONE, /* the thread is gone: what it has not written, nobody will */
    OPLI_DRAIN_LAST, /* the same, and the space that a limit kept back may be used */
};

/* Gives up a reservation in this thread's stream that turned out to be of no use; 0 is none. */
void opli_stream_abandon(uint64_t address, uint32_t units);

/* Packs the stream's full slots and puts them into the file. Inside opli_process_enter() only. */
void opli_stream_drain(opli_stream *stream, opli_tape *tape, uint64_t *scratch, enum opli_drain why);

/* For stopping: closes the open slot, drains, remembers the thread's name. */
void opli_stream_finish(opli_stream *stream, opli_tape *tape, uint64_t *scratch);

/* Takes the file away from under the stream; its thread, if any, begins anew at its next event. */
void opli_stream_retire(opli_stream *stream, bool thread_is_gone);

/* Gives the disk the space of the slots back, once they are drained and retired. */
void opli_stream_give_back(const opli_stream *stream, opli_tape *tape);

/* All streams there are, newest first. */
opli_stream *opli_stream_first(void);

/* Watches for the end of threads; once, before any recording. */
void opli_stream_init(void);

/* In a forked child: forgets the parent's streams. */
void opli_stream_forked(void);

#endif
