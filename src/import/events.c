/* events.c - a recording's events, each with its arguments.
 *
 * A chunk is read whole: its events first, then what belongs to them, from the chunk itself and
 * from later ones. Then they are handed out in the order they began. */
#include "import/events.h"

#include <stdlib.h>
#include <string.h>

#include "import/arguments.h"
#include "import/chunk_reader.h"
#include "import/clock_line.h"
#include "import/patches.h"

#define NONE UINT32_MAX

/* Events have arguments that come in any order; `owner` is an event's place in the chunk's list. */
typedef struct owned_argument {
    uint32_t owner;
    uint32_t order;
    opli_argument argument;
} owned_argument;

typedef struct reading {
    opli_recording *recording;
    opli_clock_line line;
    opli_patches patches;
    opli_chunk_records records;
    uint32_t event_at[OPLI_SLOT_RECORDS]; /* the event that begins at a record, or NONE */
    OPLI_VECTOR(opli_event) events;
    OPLI_VECTOR(owned_argument) arguments;
    OPLI_VECTOR(opli_argument) sorted;
} reading;

/* ---- events ---- */

static void fill_span(reading *r, const opli_record *record, opli_event *event)
{
    uint64_t ticks_and_one = record->words[1] >> OPLI_SITE_BITS, start = record->words[0];
    event->kind = OPLI_EVENT_SPAN;
    event->site = record->tag;
    event->start_ns = opli_clock_line_ns(&r->line, start);
    event->open = ticks_and_one == 0;
    if (!event->open)
        event->duration_ns = opli_ns_between(event->start_ns, opli_clock_line_ns(&r->line, start + ticks_and_one - 1));
}

static void fill_timed(reading *r, const opli_record *record, opli_event *event)
{
    event->kind = OPLI_EVENT_SPAN;
    event->site = opli_record_key(record->words[1]);
    event->track = (uint32_t)record->words[3];
    const opli_track_row *track = opli_recording_track(r->recording, event->track);
    uint32_t device = track ? track->device : 0;
    int64_t start = (int64_t)record->words[0], duration = (int64_t)record->words[2];
    event->start_ns = opli_clock_fit_device_ns(r->recording, device, start);
    event->duration_ns = opli_clock_fit_device_duration_ns(r->recording, device, start, duration);
}

static void fill_counter(reading *r, const opli_record *record, opli_event *event)
{
    event->kind = OPLI_EVENT_COUNTER;
    event->site = opli_record_key(record->words[1]);
    event->track = (uint32_t)record->words[3];
    event->start_ns = opli_clock_line_ns(&r->line, record->words[0]);
    event->as.counter.real = record->words[3] >> 32 & OPLI_COUNTER_REAL;
    event->as.counter.integer = (int64_t)record->words[2];
    memcpy(&event->as.counter.number, &record->words[2], sizeof event->as.counter.number);
}

static void fill_memory(reading *r, const opli_record *record, opli_event *event)
{
    event->kind = OPLI_EVENT_MEMORY;
    event->start_ns = opli_clock_line_ns(&r->line, record->words[0]);
    event->as.memory.address = record->words[2];
    event->as.memory.size_bytes = (int64_t)record->words[3];
    event->as.memory.used_bytes = (int64_t)record->words[4];
    event->as.memory.allocated_bytes = (int64_t)record->words[5];
    event->as.memory.device = (uint32_t)record->words[6];
    event->as.memory.released = record->words[7] != 0;
}

static void fill_flow(reading *r, const opli_record *record, const opli_record *far, opli_event *event)
{
    uint32_t back = opli_record_back(record->words[1]);
    event->kind = OPLI_EVENT_FLOW;
    event->start_ns = opli_clock_line_ns(&r->line, record->words[2]);
    event->as.flow.id = record->words[0];
    event->as.flow.phase = (uint32_t)record->words[3];
    event->as.flow.chunk = far ? far->words[0] : event->chunk;
    event->as.flow.index = far ? (uint32_t)far->words[2] : back <= record->index ? record->index - back : 0;
}

static void fill_instant(reading *r, const opli_record *record, opli_event *event)
{
    event->kind = OPLI_EVENT_INSTANT;
    event->site = opli_record_key(record->words[1]);
    event->start_ns = opli_clock_line_ns(&r->line, record->words[0]);
}

/* False when the record is not an event. */
static bool fill_event(reading *r, const opli_record *record, const opli_record *far, opli_event *event)
{
    if (record->tag < OPL_SITE_LIMIT) {
        fill_span(r, record, event);
        return true;
    }
    switch (record->tag) {
    case OPLI_TAG_TIMED: fill_timed(r, record, event); return true;
    case OPLI_TAG_INSTANT: fill_instant(r, record, event); return true;
    case OPLI_TAG_COUNTER: fill_counter(r, record, event); return true;
    case OPLI_TAG_MEMORY: fill_memory(r, record, event); return true;
    case OPLI_TAG_FLOW: fill_flow(r, record, far, event); return true;
    default: return false;
    }
}

/* ---- arguments ---- */

static opl_status give(reading *r, uint32_t record_index, const opli_argument *argument)
{
    uint32_t owner = record_index < OPLI_SLOT_RECORDS ? r->event_at[record_index] : NONE;
    if (owner == NONE)
        return OPL_OK; /* its span was dropped */
    owned_argument *added = opli_vector_add(&r->arguments);
    if (!added)
        return OPL_NOMEM;
    *added = (owned_argument){owner, (uint32_t)r->arguments.count, *argument};
    r->events.items[owner].argument_count++;
    return OPL_OK;
}

static int by_owner(const void *a, const void *b)
{
    const owned_argument *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Lays the arguments out event by event. */
static opl_status hand_over_arguments(reading *r)
{
    if (r->arguments.count > 1)
        qsort(r->arguments.items, r->arguments.count, sizeof *r->arguments.items, by_owner);
    r->sorted.count = 0;
    for (size_t i = 0; i < r->arguments.count; i++) {
        opli_argument *argument = opli_vector_add(&r->sorted);
        if (!argument)
            return OPL_NOMEM;
        *argument = r->arguments.items[i].argument;
    }
    size_t next = 0;
    for (size_t i = 0; i < r->events.count; next += r->events.items[i].argument_count, i++)
        r->events.items[i].arguments = r->sorted.items ? &r->sorted.items[next] : NULL;
    return OPL_OK;
}

/* ---- a chunk ---- */

static opl_status add_event(reading *r, const opli_chunk_row *row, const opli_record *record, const opli_record *far)
{
    opli_event event = {.thread = row->thread, .chunk = row->id, .index = record->index};
    if (!fill_event(r, record, far, &event))
        return OPL_OK;
    opli_event *added = opli_vector_add(&r->events);
    if (!added)
        return OPL_NOMEM;
    *added = event;
    r->event_at[record->index] = (uint32_t)r->events.count - 1;
    return OPL_OK;
}

static opl_status add_argument(reading *r, const opli_chunk_row *row, const opli_record *record)
{
    opli_argument argument;
    uint32_t back = opli_record_back(record->words[1]);
    if (!back || back > record->index)
        return OPL_OK;
    if (opli_argument_read(row, &r->records, record, &argument))
        return give(r, record->index - back, &argument);
    opli_recording_damaged(r->recording, "an argument in a chunk of thread %u points to no text", row->thread);
    return OPL_OK;
}

static opl_status read_records(reading *r, const opli_chunk_row *row)
{
    uint32_t at = 0;
    opli_record record, far = {0, 0, 0, NULL};
    opl_status st = OPL_OK;
    while (st == OPL_OK && opli_record_next(row, &r->records, &at, &record)) {
        bool is_far = far.words && far.index + far.units == record.index;
        if (!opli_argument_is(record.tag))
            st = add_event(r, row, &record, is_far ? &far : NULL);
        else if (!is_far) /* far ones are patches */
            st = add_argument(r, row, &record);
        far = record.tag == OPLI_TAG_FAR ? record : (opli_record){0, 0, 0, NULL};
    }
    return st;
}

static void end_late(reading *r, const opli_patch *patch)
{
    uint32_t owner = patch->index < OPLI_SLOT_RECORDS ? r->event_at[patch->index] : NONE;
    opli_event *event = owner == NONE ? NULL : &r->events.items[owner];
    if (!event || event->kind != OPLI_EVENT_SPAN || !event->open)
        return;
    int64_t end = opli_clock_line_ns(&r->line, patch->end_tick);
    event->open = false;
    event->duration_ns = end > event->start_ns ? opli_ns_between(event->start_ns, end) : 0;
}

static opl_status apply_patches(reading *r, const opli_chunk_row *row)
{
    size_t first, end;
    opl_status st = OPL_OK;
    opli_patches_find(&r->patches, row->id, &first, &end);
    for (; st == OPL_OK && first < end; first++) {
        const opli_patch *patch = &r->patches.all.items[first];
        if (patch->is_end)
            end_late(r, patch);
        else
            st = give(r, patch->index, &patch->argument);
    }
    return st;
}

static opl_status read_chunk(reading *r, const opli_chunk_row *row)
{
    memset(r->event_at, 0xff, sizeof r->event_at);
    r->events.count = 0;
    r->arguments.count = 0;
    if (!opli_chunk_read(row, &r->records))
        opli_recording_damaged(r->recording, "a chunk of thread %u cannot be unpacked", row->thread);
    opl_status st = read_records(r, row);
    if (st == OPL_OK)
        st = apply_patches(r, row);
    if (st == OPL_OK)
        st = hand_over_arguments(r);
    return st;
}

opl_status opli_events_visit(opli_recording *recording, opli_event_visitor visitor, void *context)
{
    reading *r = calloc(1, sizeof *r);
    if (!r)
        return OPL_NOMEM;
    r->recording = recording;
    r->line.recording = recording;
    opl_status st = opli_patches_collect(recording, &r->patches);
    bool more = true;
    for (size_t i = 0; st == OPL_OK && more && i < recording->chunks.count; i++) {
        st = read_chunk(r, &recording->chunks.items[i]);
        for (size_t e = 0; st == OPL_OK && more && e < r->events.count; e++)
            more = visitor(context, &r->events.items[e]);
    }
    opli_patches_free(&r->patches);
    opli_vector_free(&r->events);
    opli_vector_free(&r->arguments);
    opli_vector_free(&r->sorted);
    free(r);
    return st;
}
