/* drain.c - from a stream's full slots to the file. */
#include <string.h>

#include "os/host.h"
#include "os/syscalls.h"
#include "record/pack.h"
#include "record/slot.h"
#include "record/stream.h"

/* Chunks that are packed and not written yet, and the slots they came from. */
typedef struct batch {
    opli_stream *stream;
    opli_tape *tape;
    uint8_t *bytes;
    size_t size;
    uint32_t count;
    opli_wire_slot *slots[OPLI_STREAM_SLOTS];
    uint32_t events[OPLI_STREAM_SLOTS];
    enum opli_drain why;
} batch;

static void slot_release(opli_stream *stream, opli_wire_slot *slot, uint32_t events, enum opli_drop outcome)
{
    if (outcome != OPLI_DROP_COUNT)
        __atomic_fetch_add(&stream->ledger->dropped[outcome], events, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->state, OPLI_SLOT_FREE, __ATOMIC_RELEASE);
}

static void batch_write(batch *b)
{
    if (!b->count)
        return;
    enum opli_drop outcome = opli_tape_append(b->tape, b->bytes, b->size, b->why == OPLI_DRAIN_LAST);
    for (uint32_t i = 0; i < b->count; i++)
        slot_release(b->stream, b->slots[i], b->events[i], outcome);
    b->size = 0;
    b->count = 0;
}

/* Packs one slot behind the others; a slot with an unwritten record goes back and waits. */
static void batch_add(batch *b, opli_wire_slot *slot)
{
    opli_wire_chunk *chunk = (opli_wire_chunk *)(void *)(b->bytes + b->size);
    size_t size = opli_chunk_pack(slot, slot->used, b->why != OPLI_DRAIN_FULL, chunk);
    if (!size) {
        __atomic_store_n(&slot->state, OPLI_SLOT_FULL, __ATOMIC_RELEASE);
        return;
    }
    if (b->tape->cells) {
        slot_release(b->stream, slot, chunk->events, opli_tape_ring(b->tape, chunk, b->stream->ledger));
        return;
    }
    b->slots[b->count] = slot;
    b->events[b->count++] = chunk->events;
    b->size += size;
    if (b->size + OPL_SLOT_BYTES > OPLI_SCRATCH_BYTES)
        batch_write(b);
}

void opli_stream_drain(opli_stream *stream, opli_tape *tape, uint64_t *scratch, enum opli_drain why)
{
    batch b = {.stream = stream, .tape = tape, .bytes = (uint8_t *)scratch, .why = why};
    for (uint32_t i = 0; i < stream->slot_count; i++) {
        opli_wire_slot *slot = opli_slot_get(stream, i);
        uint32_t full = OPLI_SLOT_FULL;
        if (__atomic_compare_exchange_n(&slot->state, &full, OPLI_SLOT_TAKEN, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            batch_add(&b, slot);
    }
    batch_write(&b);
}

void opli_stream_finish(opli_stream *stream, opli_tape *tape, uint64_t *scratch)
{
    if (stream->open_slot != UINT32_MAX)
        opli_slot_close(stream);
    opli_stream_drain(stream, tape, scratch, OPLI_DRAIN_LAST);
    if (stream->state == OPLI_STREAM_LIVE)
        opli_host_thread_name(stream->tid, stream->ledger->name, sizeof stream->ledger->name);
}

void opli_stream_give_back(const opli_stream *stream, opli_tape *tape)
{
    int fd = opli_tape_fd(tape);
    uint64_t first = OPLI_STREAM_FIRST_SLOTS * OPL_SLOT_BYTES;
    if (fd < 0)
        return;
    opli_room_release(fd, stream->offsets[0] + OPLI_PAGE_BYTES, first);
    if (stream->offsets[1])
        opli_room_release(fd, stream->offsets[1] + OPLI_PAGE_BYTES,
                          (uint64_t)stream->slot_count * OPL_SLOT_BYTES - first);
}
