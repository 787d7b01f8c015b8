/* event.c - counters, memory events and flows. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <oplens/annotate.h>

#include "os/clock.h"
#include "record/attached.h"
#include "record/put.h"
#include "record/site_table.h"
#include "record/span.h"
#include "record/stream.h"

/* ---- counters ---- */

static void put_counter(opl_site *site, uint32_t track, uint64_t bits, uint32_t flags)
{
    if (!(opl_live() & OPL_GATE(site->category, site->level)))
        return;
    int kept_errno = errno;
    uint32_t id = opli_site_id(site);
    uint64_t chunk;
    uint64_t *record = opli_stream_take(2, &chunk);
    if (record) {
        opli_put_hole(record, 2, chunk);
        opl_store_(&record[0], opli_clock_now());
        opl_store_(&record[2], bits);
        opl_store_(&record[3], (uint64_t)flags << 32 | track);
        opl_store_(&record[1], opli_record_word(OPLI_TAG_COUNTER, id, 0, chunk));
    }
    errno = kept_errno;
}

void opl_counter_int(opl_site *site, uint32_t track, int64_t value) { put_counter(site, track, (uint64_t)value, 0); }

void opl_counter_real(opl_site *site, uint32_t track, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_counter(site, track, bits, OPLI_COUNTER_REAL);
}

/* ---- memory ---- */

static void put_memory(const opl_memory *event, int64_t size, uint64_t released)
{
    if (!(opl_live() & OPL_GATE(OPL_CAT_MEMORY, 1)))
        return;
    int kept_errno = errno;
    uint64_t chunk;
    uint64_t *record = opli_stream_take(4, &chunk);
    if (record) {
        opli_put_hole(record, 4, chunk);
        opl_store_(&record[0], opli_clock_now());
        opl_store_(&record[2], event->address);
        opl_store_(&record[3], (uint64_t)size);
        opl_store_(&record[4], (uint64_t)event->used_bytes);
        opl_store_(&record[5], (uint64_t)event->allocated_bytes);
        opl_store_(&record[6], event->device);
        opl_store_(&record[7], released);
        opl_store_(&record[1], opli_record_word(OPLI_TAG_MEMORY, 0, 0, chunk));
    }
    errno = kept_errno;
}

void opl_memory_alloc(const opl_memory *event) { put_memory(event, (int64_t)event->size_bytes, 0); }

void opl_memory_free(const opl_memory *event) { put_memory(event, -(int64_t)event->size_bytes, 1); }

/* ---- flows ---- */

/* Unique in this process, and unlikely to meet another's: the pid is in the upper half. */
uint64_t opl_flow_new(void)
{
    static _Atomic uint32_t next = 1;
    return (uint64_t)getpid() << 32 | atomic_fetch_add(&next, 1);
}

/* A flow stands behind its span as an argument would, with the moment and the phase. */
static void put_flow(const opl_span *span, uint64_t flow, uint64_t phase)
{
    int kept_errno = errno;
    opli_attached a;
    if (opli_span_is_current(span) && opli_attached_take(span, 0, 2, &a)) {
        opl_store_(&a.record[0], flow);
        opl_store_(&a.record[2], opli_clock_now());
        opl_store_(&a.record[3], phase);
        opli_attached_commit(&a, span, OPLI_TAG_FLOW, 0);
    }
    errno = kept_errno;
}

void opl_flow_begin(const opl_span *span, uint64_t flow) { put_flow(span, flow, OPLI_FLOW_BEGIN); }
void opl_flow_step(const opl_span *span, uint64_t flow) { put_flow(span, flow, OPLI_FLOW_STEP); }
void opl_flow_end(const opl_span *span, uint64_t flow) { put_flow(span, flow, OPLI_FLOW_END); }
