/* stream.c - one thread's stream of records: how it begins, turns to a new chunk, and ends. */
#define _GNU_SOURCE
#include "record/stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include <oplens/record.h>

#include "os/clock.h"
#include "os/memory.h"
#include "os/syscalls.h"
#include "record/process.h"
#include "record/put.h"
#include "record/slot.h"
#include "record/writer.h"
#include "wire/record_tags.h"

#define NO_SLOT UINT32_MAX
#define RETRY_NS 100000000 /* how long a thread that got no stream waits before it asks again */
#define RANGE_BYTES (OPLI_STREAM_SLOTS * OPLI_SLOT_STRIDE)
#define FIRST_BLOCK_BYTES (OPLI_PAGE_BYTES + OPLI_STREAM_FIRST_SLOTS * OPL_SLOT_BYTES)
#define MORE_SLOTS (OPLI_STREAM_SLOTS - OPLI_STREAM_FIRST_SLOTS)
#define MORE_BLOCK_BYTES (OPLI_PAGE_BYTES + MORE_SLOTS * OPL_SLOT_BYTES)

#define INITIAL_EXEC __attribute__((tls_model("initial-exec")))
OPL_API __thread opl_stream_v1 *opl_thread_v1 INITIAL_EXEC = NULL;
static __thread opli_stream *mine INITIAL_EXEC = NULL;
static __thread bool attaching INITIAL_EXEC = false;
static __thread int64_t ask_again_ns INITIAL_EXEC = 0;

static _Atomic(opli_stream *) newest;
static _Atomic uint32_t next_ordinal = 1;
static pthread_key_t end_key;
static bool end_is_watched;

/* ---- turning to a new chunk ---- */

/* Slots are recycled as they are: a span of the past is told by its start, another record by its lap.
 * That does not hold for the inner words of longer records, which may be anything, nor for what
 * another thread left, whose laps counted from 1 too. Such a slot is cleared. */
static void slot_clear(opli_stream *stream, uint32_t index)
{
    opli_wire_slot *slot = opli_slot_get(stream, index);
    uint64_t *words = (uint64_t *)(slot + 1);
    if (stream->ragged[index] || slot->thread != stream->ordinal)
        for (uint32_t i = 0; i < slot->used / sizeof *words; i++)
            __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED); /* another thread may look here for its span */
    stream->ragged[index] = false;
}

/* The cursor is stored last: until then every reservation fails, also one from a signal handler. */
static void slot_open(opli_stream *stream, uint32_t index)
{
    opli_wire_slot *slot = opli_slot_get(stream, index);
    slot_clear(stream, index);
    uint64_t chunk = (uint64_t)(stream->session & 0xff) << (OPLI_CHUNK_NUMBER_BITS + OPLI_CHUNK_THREAD_BITS) |
                     (uint64_t)(stream->ordinal & 0xfffff) << OPLI_CHUNK_NUMBER_BITS | stream->number++;
    slot->base_tick = opli_clock_now();
    slot->address = (uint64_t)(uintptr_t)slot;
    slot->used = 0;
    slot->thread = stream->ordinal;
    slot->magic = OPLI_SLOT_MAGIC;
    __atomic_store_n(&slot->chunk, chunk, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->state, OPLI_SLOT_OPEN, __ATOMIC_RELEASE);
    stream->open_slot = index;
    opl_store_(&stream->home->chunk, chunk);
    opl_store_(&stream->home->limit, (uint64_t)(uintptr_t)slot + OPL_SLOT_BYTES);
    opl_store_(&stream->home->cursor, (uint64_t)(uintptr_t)(slot + 1));
}

static uint32_t count_slots(const opli_stream *stream, uint32_t state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < stream->slot_count; i++)
        count += __atomic_load_n(&opli_slot_get(stream, i)->state, __ATOMIC_RELAXED) == state;
    return count;
}

static uint32_t find_free_slot(const opli_stream *stream)
{
    for (uint32_t i = 0; i < stream->slot_count; i++)
        if (__atomic_load_n(&opli_slot_get(stream, i)->state, __ATOMIC_ACQUIRE) == OPLI_SLOT_FREE)
            return i;
    return NO_SLOT;
}

/* Puts slots [first, end), which stand together in the file, where they belong in memory. */
static bool map_slots(opli_stream *stream, opli_tape *tape, uint64_t offset, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++, offset += OPL_SLOT_BYTES)
        if (!opli_tape_map(tape, offset, OPL_SLOT_BYTES, opli_slot_get(stream, i)))
            return false;
    return true;
}

/* A thread that filled its first slots gets the rest of them. */
static bool grow(opli_stream *stream, opli_tape *tape)
{
    if (stream->slot_count == OPLI_STREAM_SLOTS ||
        (tape->limit_bytes != UINT64_MAX && tape->limit_bytes < 8ull * MORE_BLOCK_BYTES))
        return false;
    uint64_t offset = opli_tape_block(tape, OPLI_BLOCK_SLOTS, MORE_BLOCK_BYTES, stream->offsets[0], true);
    if (!offset)
        return false;
    if (!map_slots(stream, tape, offset + OPLI_PAGE_BYTES, OPLI_STREAM_FIRST_SLOTS, OPLI_STREAM_SLOTS))
        return false;
    stream->offsets[1] = offset;
    stream->slot_count = OPLI_STREAM_SLOTS;
    return true;
}

static void drain_by_itself(opli_stream *stream, opli_tape *tape, enum opli_drain why)
{
    if (!stream->scratch)
        stream->scratch = opli_pages_new(OPLI_SCRATCH_BYTES);
    if (stream->scratch)
        opli_stream_drain(stream, tape, stream->scratch, why);
}

static bool slot_open_next(opli_stream *stream, opli_tape *tape)
{
    uint32_t free = find_free_slot(stream);
    if (free == NO_SLOT && grow(stream, tape))
        free = find_free_slot(stream);
    if (free == NO_SLOT) {
        drain_by_itself(stream, tape, OPLI_DRAIN_FULL);
        free = find_free_slot(stream);
    } else if (count_slots(stream, OPLI_SLOT_FULL) >= OPLI_STREAM_SLOTS / 2) {
        opli_writer_wake();
    }
    if (free == NO_SLOT)
        return false;
    slot_open(stream, free);
    return true;
}

static void slot_close_open(opli_stream *stream)
{
    if (stream->open_slot != NO_SLOT)
        opli_slot_close(stream);
    stream->open_slot = NO_SLOT;
}

static bool turn(opli_stream *stream)
{
    bool turned = false;
    if (stream->turning || !opli_process_enter(OPLI_PROCESS_RECORDING))
        return false;
    stream->turning = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (stream->session == opli_process_session()) {
        opli_process_note_clocks();
        slot_close_open(stream);
        turned = slot_open_next(stream, opli_process_tape());
    }
    atomic_signal_fence(memory_order_seq_cst);
    stream->turning = false;
    opli_process_leave();
    return turned;
}

static void count_drop(opli_stream *stream, enum opli_drop reason)
{
    if (!opli_process_enter(OPLI_PROCESS_RECORDING))
        return;
    if (stream->session == opli_process_session())
        __atomic_fetch_add(&stream->ledger->dropped[reason], 1, __ATOMIC_RELAXED);
    opli_process_leave();
}

/* ---- beginning ---- */

static opli_stream *stream_new(void)
{
    opli_stream *stream = opli_pages_new(sizeof *stream);
    uint8_t *slots = stream ? opli_range_reserve(OPLI_PAGE_BYTES, RANGE_BYTES, OPLI_SLOT_STRIDE) : NULL;
    if (!slots) {
        opli_pages_free(stream, sizeof *stream);
        return NULL;
    }
    stream->slots = slots;
    stream->state = OPLI_STREAM_HELD;
    stream->open_slot = NO_SLOT;
    stream->next = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &stream->next, stream))
        ;
    return stream;
}

/* Space in the file for a stream that has none in this recording. */
static bool give_block(opli_stream *stream, opli_tape *tape)
{
    uint64_t offset = opli_tape_block(tape, OPLI_BLOCK_STREAM, FIRST_BLOCK_BYTES, 0, true);
    if (!offset || !opli_tape_map(tape, offset, OPLI_PAGE_BYTES, stream->slots - OPLI_PAGE_BYTES) ||
        !map_slots(stream, tape, offset + OPLI_PAGE_BYTES, 0, OPLI_STREAM_FIRST_SLOTS))
        return false;
    stream->offsets[0] = offset;
    stream->offsets[1] = 0;
    stream->slot_count = OPLI_STREAM_FIRST_SLOTS;
    return true;
}

/* A stream whose thread is gone; what it left is written first. */
static opli_stream *stream_inherit(opli_tape *tape)
{
    for (opli_stream *stream = atomic_load(&newest); stream; stream = stream->next) {
        uint32_t state = OPLI_STREAM_ENDED;
        bool current = stream->session == opli_process_session();
        if (current && atomic_compare_exchange_strong(&stream->state, &state, OPLI_STREAM_HELD)) {
            drain_by_itself(stream, tape, OPLI_DRAIN_GONE);
            if (find_free_slot(stream) != NO_SLOT)
                return stream;
            stream->state = OPLI_STREAM_ENDED;
        }
        state = OPLI_STREAM_UNUSED;
        if (atomic_compare_exchange_strong(&stream->state, &state, OPLI_STREAM_HELD))
            return stream;
    }
    return stream_new();
}

static opli_entry_thread *enrol(uint32_t ordinal, uint32_t tid)
{
    opli_entry_thread thread = {.ordinal = ordinal, .tid = tid, .start_tick = opli_clock_now()};
    prctl(PR_GET_NAME, thread.name);
    return opli_journal_add(opli_process_journal(), OPLI_ENTRY_THREAD, &thread, sizeof thread, OPLI_ENTRY_THREAD_FIXED,
                            NULL, 0);
}

static bool begin(opli_stream *stream, opli_tape *tape)
{
    uint32_t session = opli_process_session();
    if (stream->session != session && !give_block(stream, tape))
        return false;
    opli_wire_stream *page = opli_stream_page(stream);
    stream->session = session;
    stream->ordinal = atomic_fetch_add(&next_ordinal, 1);
    stream->tid = opli_thread_id();
    stream->number = 1;
    stream->home = opli_clock_kind() == OPLI_CLOCK_MONOTONIC ? &page->careful : &page->hot;
    stream->ledger = enrol(stream->ordinal, stream->tid);
    page->thread = stream->ordinal;
    page->slots = stream->slot_count;
    if (!stream->ledger)
        return false;
    slot_open(stream, find_free_slot(stream));
    stream->state = OPLI_STREAM_LIVE;
    return true;
}

static opli_stream *attach_inside(void)
{
    opli_tape *tape = opli_process_tape();
    opli_stream *stream = mine ? mine : stream_inherit(tape);
    if (!stream || !begin(stream, tape)) {
        if (stream && !mine) /* a thread keeps what it had; a stream without one waits for another */
            stream->state = stream->session == opli_process_session() ? OPLI_STREAM_ENDED : OPLI_STREAM_UNUSED;
        opli_process_drop(OPLI_DROP_ROOM);
        ask_again_ns = opli_clock_monotonic_ns() + RETRY_NS;
        return NULL;
    }
    mine = stream;
    opl_thread_v1 = &opli_stream_page(stream)->hot;
    if (end_is_watched)
        pthread_setspecific(end_key, stream);
    return stream;
}

static opli_stream *attach(void)
{
    opli_stream *stream = NULL;
    if (attaching || (ask_again_ns && opli_clock_monotonic_ns() < ask_again_ns)) {
        opli_process_drop(attaching ? OPLI_DROP_BUSY : OPLI_DROP_ROOM);
        return NULL;
    }
    attaching = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (opli_process_enter_recording()) {
        stream = attach_inside();
        opli_process_leave();
    }
    atomic_signal_fence(memory_order_seq_cst);
    attaching = false;
    return stream;
}

opli_stream *opli_stream_mine(void) { return mine && mine->session == opli_process_session() ? mine : attach(); }

/* ---- taking space ---- */

/* A signal handler may turn to a new chunk between a reservation and its use, and what was reserved is
 * then in a chunk that has been left; or it is the rest of a chunk, too short for what was asked. Either
 * way the packer waits for it. What lies behind the end of a chunk is in no slot, and nobody's. */
void opli_stream_abandon(uint64_t address, uint32_t units)
{
    uint64_t in_range = mine ? address - (uint64_t)(uintptr_t)mine->slots : UINT64_MAX;
    uint64_t in_slot = in_range % OPLI_SLOT_STRIDE;
    if (in_range >= RANGE_BYTES || in_slot < sizeof(opli_wire_slot) || in_slot >= OPL_SLOT_BYTES)
        return;
    uint64_t left = (OPL_SLOT_BYTES - in_slot) / OPL_RECORD_BYTES;
    opli_put_nothing((uint64_t *)(uintptr_t)address, units < left ? units : (uint32_t)left, opl_chunk_of(address));
}

/* While a chunk cannot be turned every reservation fails; the cursor must not run on into other slots. */
static void stop_at_limit(opl_stream_v1 *home)
{
    uint64_t cursor = opl_load_(&home->cursor), limit = opl_load_(&home->limit);
    if (cursor > limit && cursor < OPLI_CURSOR_TURNING)
        opl_store_(&home->cursor, limit);
}

uint64_t *opli_stream_take(uint32_t units, uint64_t *chunk)
{
    opli_stream *stream = opli_stream_mine();
    if (!stream)
        return NULL;
    for (int attempt = 0; attempt < 4; attempt++) {
        uint64_t size = (uint64_t)units * OPL_RECORD_BYTES;
        uint64_t address = opl_stream_reserve(stream->home, size);
        uint64_t limit = opl_load_(&stream->home->limit);
        if (opl_in_chunk_(address, limit) && address + size <= limit) {
            if (units > 1)
                stream->ragged[(address - (uint64_t)(uintptr_t)stream->slots) / OPLI_SLOT_STRIDE] = true;
            *chunk = opl_chunk_of(address);
            return (uint64_t *)(uintptr_t)address;
        }
        opli_stream_abandon(address, units);
        if (!turn(stream))
            break;
    }
    stop_at_limit(stream->home);
    count_drop(stream, OPLI_DROP_BUSY);
    return NULL;
}

/* ---- ending ---- */

static void thread_ends(void *ended)
{
    opli_stream *stream = ended;
    int kept_errno = errno;
    mine = NULL;
    opl_thread_v1 = NULL;
    bool inside = opli_process_enter(OPLI_PROCESS_RECORDING);
    if (inside && stream->session == opli_process_session()) {
        slot_close_open(stream);
        prctl(PR_GET_NAME, stream->ledger->name);
        stream->ledger->end_tick = opli_clock_now();
        stream->state = OPLI_STREAM_ENDED;
    } else {
        stream->state = OPLI_STREAM_UNUSED;
    }
    if (inside)
        opli_process_leave();
    errno = kept_errno;
}

void opli_stream_retire(opli_stream *stream, bool thread_is_gone)
{
    opli_range_retire(stream->slots - OPLI_PAGE_BYTES, OPLI_PAGE_BYTES + RANGE_BYTES);
    stream->open_slot = NO_SLOT;
    if (thread_is_gone || stream->state == OPLI_STREAM_ENDED)
        stream->state = OPLI_STREAM_UNUSED;
}

opli_stream *opli_stream_first(void) { return atomic_load(&newest); }

void opli_stream_init(void) { end_is_watched = pthread_key_create(&end_key, thread_ends) == 0; }

void opli_stream_forked(void)
{
    for (opli_stream *stream = atomic_load(&newest); stream; stream = stream->next) {
        opli_stream_retire(stream, true);
        stream->turning = false;
    }
    if (end_is_watched)
        pthread_setspecific(end_key, NULL);
    mine = NULL;
    opl_thread_v1 = NULL;
    attaching = false;
}

/* ---- the thread's name ---- */

void opl_thread_name(const char *name)
{
    int kept_errno = errno;
    char kernel_name[16];
    snprintf(kernel_name, sizeof kernel_name, "%.15s", name ? name : "");
    prctl(PR_SET_NAME, kernel_name);
    if (mine && opli_process_enter(OPLI_PROCESS_RECORDING)) {
        if (mine->session == opli_process_session())
            memcpy(mine->ledger->name, kernel_name, sizeof kernel_name);
        opli_process_leave();
    }
    errno = kept_errno;
}
