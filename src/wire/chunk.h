/* chunk.h - a chunk of records: as a slot while it is filled, and packed in the file when it is full. */
#ifndef OPLI_WIRE_CHUNK_H
#define OPLI_WIRE_CHUNK_H

#include <stdint.h>

#include <oplens/annotate.h>

#define OPLI_SLOT_MAGIC 0x534c504fu  /* "OPLS" */
#define OPLI_CHUNK_MAGIC 0x434c504fu /* "OPLC" */

/* A chunk's id is unique within a file: session:8 | thread ordinal:20 | number:36. */
#define OPLI_CHUNK_NUMBER_BITS 36
#define OPLI_CHUNK_THREAD_BITS 20

enum opli_slot_state {
    OPLI_SLOT_FREE,  /* may be opened by its thread */
    OPLI_SLOT_OPEN,  /* being filled by its thread */
    OPLI_SLOT_FULL,  /* may be taken by whoever writes it to the file */
    OPLI_SLOT_TAKEN, /* being written; its contents stay until it is free */
};

/* The first 64 bytes of a slot. `state` publishes the rest: released by its thread when full, by
 * the one who wrote it when free. */
typedef struct opli_wire_slot {
    uint64_t chunk;     /* first: opl_chunk_of() reads it */
    uint64_t base_tick; /* no record of this chunk is older */
    uint64_t address;   /* of this slot in the recording process, to make sense of its cursor */
    uint32_t state;     /* atomic */
    uint32_t used;      /* bytes of records, once full or about to be; 0 when just opened */
    uint32_t thread;    /* ordinal */
    uint32_t magic;
    uint64_t reserved[3];
} opli_wire_slot;

#define OPLI_SLOT_RECORDS ((OPL_SLOT_BYTES - sizeof(opli_wire_slot)) / OPL_RECORD_BYTES)

enum opli_encoding {
    OPLI_ENCODING_RAW,    /* records as they were */
    OPLI_ENCODING_PACKED, /* see below */
};

/* A chunk in the file: this, then `size` bytes, on a boundary of 64. */
typedef struct opli_wire_chunk {
    uint32_t magic;
    uint32_t encoding;
    uint64_t chunk;
    uint64_t base_tick;
    uint32_t thread;
    uint32_t records; /* 16-byte units before packing */
    uint32_t size;    /* bytes that follow; a multiple of 8 */
    uint32_t events;  /* spans, instants, counters, ...: what a person would count */
    uint64_t payload_sum;
    uint64_t patches;    /* late ends and far records in it: 0 lets a reader pass it by when it looks for them */
    uint64_t header_sum; /* over the fields above */
} opli_wire_chunk;

#define OPLI_CHUNK_ALIGN 64u

/* Packed words begin with 12 bits. Below 0xff0 they are a span's site, followed by its ticks:26 and
 * the ticks:26 since the span before it began. Above: */
enum opli_pack {
    OPLI_PACK_WIDE = 0xff0,   /* site:20 ticks:32; start */
    OPLI_PACK_WIDER = 0xff1,  /* site:20; start; ticks */
    OPLI_PACK_OPEN = 0xff2,   /* site:20; start */
    OPLI_PACK_INT = 0xff3,    /* key:12 back:8 value:32 (signed): a small integer argument */
    OPLI_PACK_TEXT = 0xff4,   /* key:12 back:8 index:32: a text argument */
    OPLI_PACK_TAGGED = 0xff5, /* tag - site limit:8 key:20 back:12; word 0, then the record's other words */
    OPLI_PACK_HOLES = 0xff6,  /* count:32 of records that were never written */
    OPLI_PACK_PAIR = 0xff7,   /* twice ticks:13 since:13: two short spans of the same site as the span before */
};
#define OPLI_PACK_SITES 0xff0u
#define OPLI_PACK_TICK_BITS 26
#define OPLI_PACK_PAIR_BITS 13

_Static_assert(sizeof(opli_wire_slot) == 64, "records start on a cache line");
_Static_assert(sizeof(opli_wire_chunk) == 64, "chunks start on a boundary of 64");

#endif
