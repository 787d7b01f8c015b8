/* span.c - spans, the careful way: what the inlined probes leave to the library. */
#include <errno.h>

#include <oplens/annotate.h>

#include "os/clock.h"
#include "record/process.h"
#include "record/put.h"
#include "record/site_table.h"
#include "record/span.h"
#include "record/stream.h"

uint64_t opl_clock_ticks_careful(void) { return opli_clock_now(); }

int64_t opl_clock_ns(void) { return opli_clock_monotonic_ns(); }

static uint32_t session_of(uint64_t chunk)
{
    return (uint32_t)(chunk >> (OPLI_CHUNK_NUMBER_BITS + OPLI_CHUNK_THREAD_BITS));
}

bool opli_span_is_current(const opl_span *span)
{
    return span->record && session_of(span->chunk) == (opli_process_session() & 0xff);
}

bool opli_span_is_of(const opl_span *span, uint64_t chunk) { return session_of(span->chunk) == session_of(chunk); }

uint64_t opli_span_index(const opl_span *span)
{
    uint64_t in_slot = (uint64_t)(uintptr_t)span->record & (OPL_SLOT_BYTES - 1);
    return (in_slot - sizeof(opli_wire_slot)) / OPL_RECORD_BYTES;
}

/* A chained span may have begun just before the chunk it is in was opened. All that the slot held
 * before is older still, so the chunk may be said to begin with the span. */
static void admit(const uint64_t *record, uint64_t start)
{
    uint64_t slot_address = (uint64_t)(uintptr_t)record & ~(uint64_t)(OPL_SLOT_BYTES - 1);
    opli_wire_slot *slot = (opli_wire_slot *)(uintptr_t)slot_address;
    if (start < slot->base_tick)
        slot->base_tick = start;
}

/* A span that began at `start`, or begins now (0). */
static opl_span begin_at(opl_site *site, uint64_t start)
{
    opl_span span = {NULL, 0, 0};
    uint32_t id = opli_site_id(site);
    span.record = opli_stream_take(1, &span.chunk);
    if (!span.record)
        return span;
    opl_store_(&span.record[0], 0);
    opl_store_(&span.record[1], id);
    span.start = start ? start : opli_clock_now();
    admit(span.record, span.start);
    opl_store_(&span.record[0], span.start);
    return span;
}

opl_span opl_span_begin_careful(opl_site *site, uint64_t reserved)
{
    int kept_errno = errno;
    opli_stream_abandon(reserved, 1);
    opl_span span = begin_at(site, 0);
    errno = kept_errno;
    return span;
}

static void put_late_end(const opl_span *span, uint64_t now)
{
    uint64_t chunk;
    uint64_t *record = opli_stream_take(2, &chunk);
    if (!record)
        return;
    if (!opli_span_is_of(span, chunk)) {
        opli_put_nothing(record, 2, chunk);
        return;
    }
    opli_put_hole(record, 2, chunk);
    opl_store_(&record[0], span->chunk);
    opl_store_(&record[2], opli_span_index(span));
    opl_store_(&record[3], now);
    opl_store_(&record[1], opli_record_word(OPLI_TAG_LATE_END, 0, 0, chunk));
}

/* The span's chunk is not the one being filled, the span is a very long one, was ended before, or
 * began in another recording. */
static void end_at(const opl_span *span, uint64_t now)
{
    if (!opli_span_is_current(span))
        return;
    if (now < span->start)
        now = span->start; /* cores disagree by a few ticks */
    opli_stream *stream = opli_stream_mine();
    if (!stream || opl_span_patch_(stream->home, span, now))
        return;
    uint64_t word = opl_load_(&span->record[1]);
    bool in_place = opl_chunk_of((uint64_t)(uintptr_t)span->record) == span->chunk;
    bool by_us = word >> OPLI_SITE_BITS == now - span->start + 1; /* and maybe too late to be packed */
    if (!in_place || word < OPL_SITE_LIMIT || by_us)
        put_late_end(span, now);
}

/* The probes always read the CPU's counter; where that is not our clock, it is read again. */
static uint64_t right_clock(uint64_t now) { return opli_clock_kind() == OPLI_CLOCK_MONOTONIC ? opli_clock_now() : now; }

void opl_span_end_careful(opl_span *span, uint64_t now)
{
    int kept_errno = errno;
    end_at(span, right_clock(now));
    errno = kept_errno;
}

void opl_span_next_careful(opl_span *span, uint32_t gate, opl_site *site, uint64_t now, uint64_t reserved)
{
    int kept_errno = errno;
    opli_stream_abandon(reserved, 1);
    now = right_clock(now);
    if (span->record)
        end_at(span, now);
    *span = (opl_span){NULL, 0, 0};
    if (opl_live() & gate)
        *span = begin_at(site, now);
    errno = kept_errno;
}

opl_span opl_span_timed(opl_site *site, uint32_t track, int64_t start, int64_t duration)
{
    opl_span span = {NULL, 0, 0};
    if (!(opl_live() & OPL_GATE(site->category, site->level)))
        return span;
    int kept_errno = errno;
    uint32_t id = opli_site_id(site);
    uint64_t *record = opli_stream_take(2, &span.chunk);
    if (record) {
        opli_put_hole(record, 2, span.chunk);
        opl_store_(&record[0], (uint64_t)start);
        opl_store_(&record[2], (uint64_t)duration);
        opl_store_(&record[3], track);
        opl_store_(&record[1], opli_record_word(OPLI_TAG_TIMED, id, 0, span.chunk));
        span.record = record;
    }
    errno = kept_errno;
    return span;
}

opl_span opl_instant(opl_site *site)
{
    opl_span span = {NULL, 0, 0};
    if (!(opl_live() & OPL_GATE(site->category, site->level)))
        return span;
    int kept_errno = errno;
    uint32_t id = opli_site_id(site);
    span.record = opli_stream_take(1, &span.chunk);
    if (span.record) {
        opli_put_hole(span.record, 1, span.chunk);
        opl_store_(&span.record[0], opli_clock_now());
        opl_store_(&span.record[1], opli_record_word(OPLI_TAG_INSTANT, id, 0, span.chunk));
    }
    errno = kept_errno;
    return span;
}
