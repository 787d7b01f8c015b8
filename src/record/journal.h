/* journal.h - the part of the trace that is never evicted: names, threads, devices, clocks, control.
 * Threads: any number may add at once, without locks, also from signal handlers. */
#ifndef OPLI_RECORD_JOURNAL_H
#define OPLI_RECORD_JOURNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/tape.h"
#include "wire/journal_entry.h"

/* A mapped stretch of journal. The newest is first in the list. */
typedef struct opli_segment {
    opli_wire_block *block;
    size_t size;
    struct opli_segment *older;
} opli_segment;

typedef struct opli_journal {
    opli_tape *tape;
    _Atomic(opli_segment *) newest;
} opli_journal;

/* A text that follows an entry's body. */
typedef struct opli_piece {
    const char *text;
    size_t size;
} opli_piece;

/* Begins a journal on the tape; false when there is no room for it. */
bool opli_journal_open(opli_journal *journal, opli_tape *tape);

/* Adds an entry: `body`, of which the first `fixed` bytes never change, then the pieces. Returns
 * the body's place in the file, or NULL when there is no room. */
void *opli_journal_add(opli_journal *journal, uint16_t kind, const void *body, size_t size, size_t fixed,
                       const opli_piece *pieces, size_t piece_count);

void opli_journal_add_clock(opli_journal *journal);
void opli_journal_add_control(opli_journal *journal, uint64_t what, uint64_t value);

/* Whether all of it is in the block it began with. */
bool opli_journal_is_short(opli_journal *journal);

/* Once nobody adds or changes anything any more: sums then cover every byte of every entry. */
void opli_journal_seal(opli_journal *journal);

/* Lets go of the memory; see opli_tape_let_go(). */
void opli_journal_let_go(opli_journal *journal, bool inside);

#endif
