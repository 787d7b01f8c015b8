/* chunk_finder.c - find what a file is made of.
 *
 * Everything in the file starts on a boundary of 64 bytes and says its size, so we walk from one
 * to the next. Where nothing valid starts, space was reserved and never written, and we look for
 * the next valid beginning. */
#include "import/chunk_finder.h"

#include <stdlib.h>
#include <string.h>

#include "import/journal_reader.h"
#include "wire/chunk.h"

static uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

static const void *at(const opli_recording *recording, uint64_t offset) { return recording->bytes + offset; }

static opl_status add_chunk(opli_recording *recording, opli_chunk_row row)
{
    opli_chunk_row *added = opli_vector_add(&recording->chunks);
    if (!added)
        return OPL_NOMEM;
    *added = row;
    return OPL_OK;
}

/* ---- chunks ---- */

static bool is_chunk(const opli_recording *recording, uint64_t offset)
{
    const opli_wire_chunk *chunk = at(recording, offset);
    return chunk->magic == OPLI_CHUNK_MAGIC && chunk->size % 8 == 0 && chunk->size <= OPL_SLOT_BYTES &&
           chunk->records <= OPLI_SLOT_RECORDS &&
           chunk->header_sum == opli_wire_sum(chunk, offsetof(opli_wire_chunk, header_sum));
}

/* Adds it. One whose payload is not whole may still be whole in a slot: settling will tell. */
static opl_status take_chunk(opli_recording *recording, uint64_t offset)
{
    const opli_wire_chunk *chunk = at(recording, offset);
    bool whole = chunk->size <= recording->size - offset - sizeof *chunk &&
                 chunk->payload_sum == opli_wire_sum(chunk + 1, chunk->size);
    return add_chunk(recording, (opli_chunk_row){.offset = offset,
                                                 .id = chunk->chunk,
                                                 .base_tick = chunk->base_tick,
                                                 .thread = chunk->thread,
                                                 .packed = whole ? chunk : NULL});
}

/* ---- slots ---- */

/* The bytes of records in a slot that its thread was filling, from the stream's cursor. */
static uint32_t used_by_cursor(const opli_recording *recording, const opli_wire_slot *slot,
                               const opli_wire_stream *stream)
{
    bool careful = recording->header.clock == OPLI_CLOCK_MONOTONIC;
    const opl_stream_v1 *home = careful ? &stream->careful : &stream->hot;
    uint64_t first = slot->address + sizeof *slot, end = slot->address + OPL_SLOT_BYTES;
    if (home->cursor >= OPLI_CURSOR_TURNING || home->chunk != slot->chunk || home->cursor < first)
        return slot->used;
    return (uint32_t)((home->cursor < end ? home->cursor : end) - first);
}

static opl_status take_slot(opli_recording *recording, uint64_t offset, const opli_wire_stream *stream)
{
    const opli_wire_slot *slot = at(recording, offset);
    if (slot->magic != OPLI_SLOT_MAGIC || slot->state == OPLI_SLOT_FREE || slot->state > OPLI_SLOT_TAKEN)
        return OPL_OK;
    uint32_t used = slot->state == OPLI_SLOT_OPEN ? used_by_cursor(recording, slot, stream) : slot->used;
    if (used > OPL_SLOT_BYTES - sizeof *slot)
        used = OPL_SLOT_BYTES - sizeof *slot;
    return add_chunk(recording, (opli_chunk_row){.offset = offset,
                                                 .id = slot->chunk,
                                                 .base_tick = slot->base_tick,
                                                 .thread = slot->thread,
                                                 .used = used,
                                                 .slot = slot});
}

/* ---- blocks ---- */

static bool is_block(const opli_recording *recording, uint64_t offset)
{
    const opli_wire_block *block = at(recording, offset);
    return offset % OPLI_PAGE_BYTES == 0 && block->magic == OPLI_BLOCK_MAGIC && block->size >= sizeof *block &&
           block->size % OPLI_PAGE_BYTES == 0 && block->sum == opli_wire_sum(block, offsetof(opli_wire_block, sum));
}

/* A page of state, then slots. */
static opl_status read_slots(opli_recording *recording, uint64_t offset, const opli_wire_block *block)
{
    uint64_t owner = block->kind == OPLI_BLOCK_SLOTS ? block->owner : offset;
    opl_status st = OPL_OK;
    if (recording->header.state == OPLI_FILE_CLOSED)
        return OPL_OK; /* all of it was written out */
    if (owner % OPLI_PAGE_BYTES || owner > recording->size - OPLI_PAGE_BYTES || !is_block(recording, owner))
        return OPL_OK;
    uint64_t first = offset + OPLI_PAGE_BYTES, end = offset + block->size;
    for (; st == OPL_OK && first + OPL_SLOT_BYTES <= end; first += OPL_SLOT_BYTES)
        st = take_slot(recording, first, at(recording, owner));
    return st;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* In a file that was closed, nothing but zeros is where nothing valid is. */
static bool is_foreign(const opli_recording *recording, uint64_t offset)
{
    return recording->header.state == OPLI_FILE_CLOSED && !is_zero(at(recording, offset), OPLI_CHUNK_ALIGN);
}

static opl_status read_ring(opli_recording *recording, uint64_t offset, const opli_wire_block *block)
{
    uint64_t cell = offset + OPLI_PAGE_BYTES, end = offset + block->size;
    opl_status st = OPL_OK;
    for (; st == OPL_OK && cell + OPL_SLOT_BYTES <= end; cell += OPL_SLOT_BYTES)
        if (is_chunk(recording, cell))
            st = take_chunk(recording, cell);
        else if (is_foreign(recording, cell))
            opli_recording_damaged(recording, "there is no valid chunk at byte %llu", (unsigned long long)cell);
    return st;
}

static opl_status read_block(opli_recording *recording, uint64_t offset)
{
    const opli_wire_block *block = at(recording, offset);
    switch (block->kind) {
    case OPLI_BLOCK_JOURNAL: return opli_journal_read(recording, offset, block);
    case OPLI_BLOCK_STREAM:
    case OPLI_BLOCK_SLOTS: return read_slots(recording, offset, block);
    case OPLI_BLOCK_RING: return read_ring(recording, offset, block);
    default: return OPL_OK; /* a later version's */
    }
}

/* ---- the walk ---- */

/* Nothing valid starts here. A stretch of what should not be there is noted once, at its beginning. */
static void note_gap(opli_recording *recording, uint64_t offset, uint64_t *noted)
{
    if (!is_foreign(recording, offset))
        return;
    if (*noted != offset)
        opli_recording_damaged(recording, "there is no valid chunk or block at byte %llu", (unsigned long long)offset);
    *noted = offset + OPLI_CHUNK_ALIGN;
}

opl_status opli_recording_walk(opli_recording *recording)
{
    uint64_t offset = OPLI_PAGE_BYTES, noted = 0; /* up to where damage was noted */
    opl_status st = OPL_OK;
    while (st == OPL_OK && offset + OPLI_CHUNK_ALIGN <= recording->size) {
        const opli_wire_block *block = at(recording, offset);
        const opli_wire_chunk *chunk = at(recording, offset);
        if (is_block(recording, offset)) {
            if (block->size > recording->size - offset) {
                opli_recording_damaged(recording,
                                       "the file ends at byte %zu, inside a block of %llu bytes; was it cut off?",
                                       recording->size, (unsigned long long)block->size);
                return OPL_OK;
            }
            st = read_block(recording, offset);
            offset += block->size;
        } else if (is_chunk(recording, offset)) {
            st = take_chunk(recording, offset);
            offset += round_up(sizeof *chunk + chunk->size, OPLI_CHUNK_ALIGN);
        } else {
            note_gap(recording, offset, &noted);
            offset += OPLI_CHUNK_ALIGN;
        }
    }
    return st;
}

/* ---- settling ---- */

/* The slot is better than the packed copy, whose writing may have been cut; a broken one is last. */
static int quality(const opli_chunk_row *row) { return row->slot ? 0 : row->packed ? 1 : 2; }

static int by_thread_and_id(const void *a, const void *b)
{
    const opli_chunk_row *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return quality(x) - quality(y);
}

static uint64_t number_of(uint64_t chunk) { return chunk & ((UINT64_C(1) << OPLI_CHUNK_NUMBER_BITS) - 1); }

/* Numbers of a thread's chunks run from 1 without gaps, unless chunks were dropped and counted. */
static void look_for_gaps(opli_recording *recording, const opli_chunk_row *row, const opli_chunk_row *before)
{
    const opli_thread_row *thread = opli_recording_thread(recording, row->thread);
    uint64_t expected =
        before && before->thread == row->thread && before->id >> 56 == row->id >> 56 ? number_of(before->id) + 1 : 1;
    uint64_t dropped = 0;
    for (uint32_t i = 0; thread && i < OPLI_DROP_COUNT; i++)
        dropped += thread->dropped[i];
    if (thread && !dropped && number_of(row->id) != expected)
        opli_recording_damaged(recording, "chunk %llu of thread %u is missing", (unsigned long long)expected,
                               thread->tid);
}

opl_status opli_chunks_settle(opli_recording *recording)
{
    size_t kept = 0;
    opli_chunk_row *rows = recording->chunks.items;
    if (recording->chunks.count > 1)
        qsort(rows, recording->chunks.count, sizeof *rows, by_thread_and_id);
    for (size_t i = 0; i < recording->chunks.count; i++) {
        if (kept && rows[kept - 1].thread == rows[i].thread && rows[kept - 1].id == rows[i].id)
            continue;
        if (quality(&rows[i]) == 2) {
            opli_recording_damaged(recording, "the chunk at byte %llu is damaged: its sum is wrong",
                                   (unsigned long long)rows[i].offset);
            continue;
        }
        look_for_gaps(recording, &rows[i], kept ? &rows[kept - 1] : NULL);
        rows[kept++] = rows[i];
    }
    recording->chunks.count = kept;
    return OPL_OK;
}
