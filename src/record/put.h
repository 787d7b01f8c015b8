/* put.h - write a record so that a reader never takes it for whole before it is.
 *
 * Space is taken first. A record of several units is marked as a hole of that size, filled, and
 * gets its real first word last; what death interrupts stays a hole. */
#ifndef OPLI_RECORD_PUT_H
#define OPLI_RECORD_PUT_H

#include <stdint.h>
#include <string.h>

#include "wire/record_tags.h"

static inline void opli_put_hole(uint64_t *record, uint32_t units, uint64_t chunk)
{
    opl_store_(&record[1], opli_record_word(OPLI_TAG_HOLE, units, 0, chunk));
}

/* Copies bytes word by word, since another thread may be packing the chunk as it is. */
static inline void opli_put_bytes(uint64_t *to, const void *bytes, size_t size)
{
    const uint8_t *from = (const uint8_t *)bytes;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), from += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        __atomic_store_n(to++, word, __ATOMIC_RELAXED);
    }
    if (size) {
        uint64_t word = 0;
        memcpy(&word, from, size);
        __atomic_store_n(to, word, __ATOMIC_RELAXED);
    }
}

/* Fills taken space that turned out to be of no use. */
static inline void opli_put_nothing(uint64_t *record, uint32_t units, uint64_t chunk)
{
    opl_store_(&record[0], (uint64_t)(units - 1) * OPL_RECORD_BYTES);
    opl_store_(&record[1], opli_record_word(OPLI_TAG_BYTES, 0, 0, chunk));
}

#endif
