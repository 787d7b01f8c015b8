/* tape.h - the trace file while it is written: space is handed out at its tail, blocks are mapped,
 * chunks are appended.
 * Threads: any number may reserve, map and append at once; opening and closing is for one.
 * Nothing here allocates memory from the heap. */
#ifndef OPLI_RECORD_TAPE_H
#define OPLI_RECORD_TAPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <oplens/error.h>

#include "wire/journal_entry.h"

#define OPLI_TAPE_PATH_MAX 4096

/* Whose events a cell of the ring holds, to count them when they are overwritten. */
typedef struct opli_ring_cell {
    _Atomic bool taken; /* by the thread that writes it, and alone touches the rest */
    uint32_t events;
    opli_entry_thread *thread;
} opli_ring_cell;

typedef struct opli_tape {
    _Atomic int fd;
    uint64_t device, inode; /* of the file, to notice that somebody closed our descriptor */
    opli_wire_header *header;
    uint64_t limit_bytes; /* UINT64_MAX: none */
    _Atomic uint64_t staged_bytes;
    _Atomic uint64_t first_staged; /* offset of the first staged block; 0: none */
    _Atomic uint64_t appended_bytes;
    opli_ring_cell *cells; /* NULL: no ring */
    uint32_t cell_count;
    char path[OPLI_TAPE_PATH_MAX];
} opli_tape;

/* Creates the file and its header. Sets errno to EEXIST when it is there already, or when another
 * process has laid hands on it before us. */
opl_status opli_tape_create(opli_tape *tape, const char *path, uint64_t limit_bytes, uint64_t ring_bytes,
                            opl_error *err);

/* Opens a closed file that this very program wrote, to add to it; false if it is none. */
bool opli_tape_continue(opli_tape *tape, const char *path);

/* Marks the file as complete. */
void opli_tape_finish(opli_tape *tape);

/* Lets go of the file. When a thread may be `inside` still (or, in a forked child, was), what it
 * could touch stays harmless memory and the descriptor stays open. */
void opli_tape_let_go(opli_tape *tape, bool inside);

/* Reserves a block with room on the disk and writes its header; 0 when there is no room for it.
 * `staged` blocks are given back at the end, so the limit leaves space to write them out. */
uint64_t opli_tape_block(opli_tape *tape, uint32_t kind, uint64_t size, uint64_t owner, bool staged);

/* Adds whole chunks, each already padded to its boundary. The last ones may use the space that
 * the limit kept back. Returns OPLI_DROP_COUNT when written, else why not. */
enum opli_drop opli_tape_append(opli_tape *tape, const void *chunks, uint64_t size, bool last);

/* Moves the chunks from `offset` to the tail into the space of the staged blocks, which nobody uses
 * any more, and makes the file end there. A death in between leaves both copies. False when they do
 * not fit. */
bool opli_tape_close_ranks(opli_tape *tape, uint64_t offset);

/* Puts one chunk into the next cell of the ring. */
enum opli_drop opli_tape_ring(opli_tape *tape, const opli_wire_chunk *chunk, opli_entry_thread *thread);

/* Maps a part of the file at `at` (NULL: anywhere); NULL when that cannot be done. */
void *opli_tape_map(opli_tape *tape, uint64_t offset, size_t size, void *at);

/* The descriptor, checked to be still ours, opened again if the program closed it; -1 if lost. */
int opli_tape_fd(opli_tape *tape);

#endif
