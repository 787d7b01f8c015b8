/* slot.h - where a stream's page and slots are, and how a slot that is full says so. */
#ifndef OPLI_RECORD_SLOT_H
#define OPLI_RECORD_SLOT_H

#include "record/stream.h"

static inline opli_wire_stream *opli_stream_page(const opli_stream *stream)
{
    return (opli_wire_stream *)(void *)(stream->slots - OPLI_PAGE_BYTES);
}

static inline opli_wire_slot *opli_slot_get(const opli_stream *stream, uint32_t index)
{
    return (opli_wire_slot *)(void *)(stream->slots + (size_t)index * OPLI_SLOT_STRIDE);
}

/* How many bytes of records there are below the cursor. */
static inline uint32_t opli_slot_used(const opli_wire_slot *slot, uint64_t cursor)
{
    uint64_t end = (uint64_t)(uintptr_t)slot + OPL_SLOT_BYTES;
    return (uint32_t)((cursor < end ? cursor : end) - (uint64_t)(uintptr_t)(slot + 1));
}

/* Closes the open slot: from here on its thread cannot reserve, and another may take the slot. The
 * size is stored before the cursor goes, for a reader that comes after a sudden death in between. */
static inline void opli_slot_close(opli_stream *stream)
{
    opli_wire_slot *slot = opli_slot_get(stream, stream->open_slot);
    uint64_t cursor = opl_load_(&stream->home->cursor);
    if (cursor >= OPLI_CURSOR_TURNING)
        return;
    __atomic_store_n(&slot->used, opli_slot_used(slot, cursor), __ATOMIC_RELEASE);
    cursor = __atomic_exchange_n(&stream->home->cursor, OPLI_CURSOR_TURNING, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->used, opli_slot_used(slot, cursor), __ATOMIC_RELEASE);
    __atomic_store_n(&slot->state, OPLI_SLOT_FULL, __ATOMIC_RELEASE);
}

#endif
