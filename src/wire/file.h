/* file.h - the frame of an .opl file: its header, and the blocks that stand beside chunks.
 *
 *     header (4 KiB) | journal block | then, in any order, stream blocks, slot blocks, chunks ...
 *
 * Everything starts on a boundary of 64 bytes and says its size, so a reader walks from one to the
 * next, and over what a sudden death left unwritten by looking for the next valid beginning. */
#ifndef OPLI_WIRE_FILE_H
#define OPLI_WIRE_FILE_H

#include <stdint.h>

#include <oplens/annotate.h>

#include "wire/chunk.h"

#define OPLI_FILE_MAGIC "oplens\r\n"
#define OPLI_FILE_VERSION 1u
#define OPLI_PAGE_BYTES 4096u
#define OPLI_BLOCK_MAGIC 0x424c504fu /* "OPLB" */

enum opli_clock_kind { OPLI_CLOCK_MONOTONIC, OPLI_CLOCK_TSC, OPLI_CLOCK_CNTVCT };
enum opli_file_state { OPLI_FILE_RECORDING = 1, OPLI_FILE_CLOSED = 2 };

/* Why an event is not in the file. The list may only grow. */
#define OPLI_DROP_LIST(X)                                                  \
    X(LIMIT, "limit", "the size limit was reached")                        \
    X(DISK, "disk", "the disk was full or could not be written")           \
    X(RING, "ring", "newer events took their place in the ring")           \
    X(BUSY, "busy", "the thread was interrupted while it changed buffers") \
    X(ROOM, "room", "there was no room for the thread's buffer")           \
    X(NAMES, "names", "there was no room for more names")
#define OPLI_DROP_ENUM(id, word, sentence) OPLI_DROP_##id,
enum opli_drop { OPLI_DROP_LIST(OPLI_DROP_ENUM) OPLI_DROP_COUNT };
#undef OPLI_DROP_ENUM
#define OPLI_DROP_ROOM_FOR 8

/* The first page. The fixed part is written once; the part from `tail` on is mapped and changes
 * while recording, each field on its own. */
typedef struct opli_wire_header {
    char magic[8];
    uint32_t version;
    uint32_t fixed_bytes; /* what checksum covers: up to `tail` */
    uint64_t checksum;    /* with this field as 0 */
    uint64_t file_id[2];  /* random: the file, and the program that wrote it */
    int64_t start_real_ns;
    uint64_t process_start; /* boot-time ticks, as in /proc/PID/stat: one process, also across exec */
    uint32_t clock;         /* enum opli_clock_kind */
    uint32_t pid;
    uint32_t ppid;
    uint32_t ring_cells; /* 0: keep all */
    uint64_t ring_offset;
    uint64_t limit_bytes;
    uint64_t ticks_per_second; /* a first estimate; the journal's clock entries are better */
    char host[64];
    char recorder[32];
    char program[256];
    char command[1400];

    uint64_t tail;  /* atomic: end of what is reserved */
    uint32_t state; /* enum opli_file_state */
    uint32_t sessions;
    uint64_t ring_next;                   /* atomic: cells ever written */
    uint64_t dropped[OPLI_DROP_ROOM_FOR]; /* atomic: events of threads that had no stream */
} opli_wire_header;

enum opli_block_kind {
    OPLI_BLOCK_JOURNAL = 1, /* entries, see journal.h */
    OPLI_BLOCK_STREAM,      /* a thread's page, then its first slots */
    OPLI_BLOCK_SLOTS,       /* more slots of a stream, after a page */
    OPLI_BLOCK_RING,        /* cells of one slot's size, each with a chunk, after a page */
};

/* The first 64 bytes of a block, which starts on a page. */
typedef struct opli_wire_block {
    uint32_t magic;
    uint32_t kind;
    uint64_t size;
    uint64_t owner; /* SLOTS: the offset of the stream's block */
    uint64_t sum;   /* over the fields above */
    uint64_t used;  /* JOURNAL: atomic, bytes of entries reserved */
    uint64_t reserved[3];
} opli_wire_block;

/* The page of a stream block. `hot` is what the inlined probes use; where the clock is not the
 * TSC it stays zero and `careful` is used in its place. */
typedef struct opli_wire_stream {
    opli_wire_block block;
    opl_stream_v1 hot;
    uint64_t reserved[5];
    opl_stream_v1 careful;
    uint32_t thread; /* ordinal of the thread it serves now */
    uint32_t slots;
} opli_wire_stream;

/* The cursor while a thread is between two chunks: above every limit. */
#define OPLI_CURSOR_TURNING (UINT64_C(1) << 62)

_Static_assert(sizeof(opli_wire_header) <= OPLI_PAGE_BYTES, "the header is a page");
_Static_assert(sizeof(opli_wire_block) == 64, "a block's header is a cache line");
_Static_assert(sizeof(opli_wire_stream) <= OPLI_PAGE_BYTES, "a stream's state is a page");

/* Sum for headers and payloads, at a word a cycle. Where one word differs by d, `plain` differs by d
 * and `running` by a multiple of d; the factor is even, so the sum differs by d times an odd number:
 * a change of one word is always caught. Missing and moved words move `running`. */
static inline uint64_t opli_wire_sum(const void *bytes, uint64_t size)
{
    typedef uint64_t __attribute__((may_alias)) any_word; /* the bytes are structs and payloads */
    const any_word *words = (const any_word *)bytes;
    uint64_t plain = 0x6f706c656e73, running = 0;
    for (uint64_t i = 0; i < size / 8; i++) {
        plain += words[i];
        running += plain;
    }
    return running * UINT64_C(0x3c6ef372fe94f82a) + plain;
}

#endif
