/* contents.c - what is inside a recording. */
#include "analysis/contents.h"

#include <stdlib.h>
#include <string.h>

#include "import/clock_fit.h"

/* ---- counting ---- */

typedef struct counting {
    const opli_recording *recording;
    opli_contents *contents;
    opli_tally *by_thread; /* as recording->threads */
    opli_tally *by_track;  /* as recording->tracks */
    uint64_t by_kind[OPL_CAT_COUNT];
    int64_t ns_by_kind[OPL_CAT_COUNT];
    bool any;
} counting;

static void tally(opli_tally *t, const opli_event *event)
{
    switch (event->kind) {
    case OPLI_EVENT_SPAN:
        t->spans++;
        t->open_spans += event->open;
        break;
    case OPLI_EVENT_INSTANT: t->instants++; break;
    case OPLI_EVENT_COUNTER: t->counters++; break;
    case OPLI_EVENT_MEMORY: t->memory_events++; break;
    default: t->flows++; break;
    }
    t->arguments += event->argument_count;
}

static void widen(counting *c, const opli_event *event)
{
    int64_t end;
    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &end))
        end = event->start_ns; /* only in a damaged file */
    if (!c->any || event->start_ns < c->contents->first_ns)
        c->contents->first_ns = event->start_ns;
    if (!c->any || end > c->contents->last_ns)
        c->contents->last_ns = end;
    c->any = true;
}

static bool count_event(void *context, const opli_event *event)
{
    counting *c = context;
    const opli_thread_row *thread = opli_recording_thread(c->recording, event->thread);
    const opli_track_row *track = event->track ? opli_recording_track(c->recording, event->track) : NULL;
    const opli_site_row *site = opli_recording_site(c->recording, event->site);
    tally(&c->contents->total, event);
    if (track)
        tally(&c->by_track[track - c->recording->tracks.items], event);
    else if (thread)
        tally(&c->by_thread[thread - c->recording->threads.items], event);
    if (site && event->kind == OPLI_EVENT_SPAN && site->category < OPL_CAT_COUNT) {
        c->by_kind[site->category]++;
        int64_t *total = &c->ns_by_kind[site->category];
        if (__builtin_add_overflow(*total, event->duration_ns, total))
            *total = INT64_MAX;
    }
    widen(c, event);
    return true;
}

/* ---- tables ---- */

static bool add_kinds(const counting *c)
{
    static const opli_column columns[] = {{"kind", "kind", OPLI_COLUMN_TEXT},
                                          {"spans", "spans", OPLI_COLUMN_COUNT},
                                          {"total time", "total_ns", OPLI_COLUMN_NS}};
    opli_table *table = &c->contents->kinds;
    bool ok = true;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    for (uint32_t kind = 0; ok && kind < OPL_CAT_COUNT; kind++) {
        const char *word = opli_category_word(kind);
        if (c->by_kind[kind])
            ok = opli_table_add_text(table, word, strlen(word)) &&
                 opli_table_add_number(table, (int64_t)c->by_kind[kind]) &&
                 opli_table_add_number(table, c->ns_by_kind[kind]);
    }
    return ok;
}

static uint64_t other_events(const opli_tally *t) { return t->instants + t->counters + t->memory_events + t->flows; }

static bool add_threads(const counting *c)
{
    static const opli_column columns[] = {{"thread", "tid", OPLI_COLUMN_ID},
                                          {"name", "name", OPLI_COLUMN_TEXT},
                                          {"spans", "spans", OPLI_COLUMN_COUNT},
                                          {"open", "open_spans", OPLI_COLUMN_COUNT},
                                          {"other events", "other_events", OPLI_COLUMN_COUNT},
                                          {"dropped", "dropped", OPLI_COLUMN_COUNT},
                                          {"state", "state", OPLI_COLUMN_TEXT}};
    opli_table *table = &c->contents->threads;
    bool ok = true;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    for (size_t i = 0; ok && i < c->recording->threads.count; i++) {
        const opli_thread_row *row = &c->recording->threads.items[i];
        const opli_tally *t = &c->by_thread[i];
        const char *state = row->end_tick ? "ended" : "alive";
        uint64_t dropped = 0;
        for (uint32_t reason = 0; reason < OPLI_DROP_COUNT; reason++)
            dropped += row->dropped[reason];
        ok = opli_table_add_number(table, row->tid) && opli_table_add_text(table, row->name.bytes, row->name.length) &&
             opli_table_add_number(table, (int64_t)t->spans) && opli_table_add_number(table, (int64_t)t->open_spans) &&
             opli_table_add_number(table, (int64_t)other_events(t)) && opli_table_add_number(table, (int64_t)dropped) &&
             opli_table_add_text(table, state, strlen(state));
    }
    return ok;
}

static bool add_track(const counting *c, size_t i)
{
    opli_table *table = &c->contents->devices;
    const opli_track_row *track = &c->recording->tracks.items[i];
    const opli_device_row *device = opli_recording_device(c->recording, track->device);
    opli_span_text host = {"host", 4}, name = device ? device->name : host, kind = device ? device->kind : host;
    return opli_table_add_text(table, name.bytes, name.length) && opli_table_add_text(table, kind.bytes, kind.length) &&
           (device && device->clock_hz > 0 ? opli_table_add_real(table, device->clock_hz)
                                           : opli_table_add_empty(table)) &&
           opli_table_add_text(table, track->name.bytes, track->name.length) &&
           opli_table_add_number(table, (int64_t)c->by_track[i].spans) &&
           opli_table_add_number(table, (int64_t)other_events(&c->by_track[i]));
}

static bool add_devices(const counting *c)
{
    static const opli_column columns[] = {
        {"device", "device", OPLI_COLUMN_TEXT},     {"kind", "kind", OPLI_COLUMN_TEXT},
        {"clock Hz", "clock_hz", OPLI_COLUMN_REAL}, {"track", "track", OPLI_COLUMN_TEXT},
        {"spans", "spans", OPLI_COLUMN_COUNT},      {"other events", "other_events", OPLI_COLUMN_COUNT}};
    bool ok = true;
    c->contents->devices.columns = columns;
    c->contents->devices.column_count = sizeof columns / sizeof *columns;
    for (size_t i = 0; ok && i < c->recording->tracks.count; i++)
        ok = add_track(c, i);
    return ok;
}

static bool add_metadata(const counting *c)
{
    static const opli_column columns[] = {{"key", "key", OPLI_COLUMN_TEXT}, {"value", "value", OPLI_COLUMN_TEXT}};
    opli_table *table = &c->contents->metadata;
    bool ok = true;
    table->columns = columns;
    table->column_count = 2;
    for (size_t i = 0; ok && i < c->recording->metadata.count; i++) {
        const opli_metadata_row *row = &c->recording->metadata.items[i];
        ok = opli_table_add_text(table, row->key.bytes, row->key.length) &&
             opli_table_add_text(table, row->value.bytes, row->value.length);
    }
    return ok;
}

static bool add_controls(const counting *c)
{
    static const opli_column columns[] = {
        {"at", "at_ns", OPLI_COLUMN_NS}, {"what", "what", OPLI_COLUMN_TEXT}, {"value", "value", OPLI_COLUMN_ID}};
    opli_table *table = &c->contents->controls;
    bool ok = true;
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    for (size_t i = 0; ok && i < c->recording->controls.count; i++) {
        const opli_entry_control *row = &c->recording->controls.items[i];
        const char *word = opli_control_word(row->what);
        int64_t first = opli_clock_fit_ns(c->recording, c->recording->controls.items[0].tick);
        ok = opli_table_add_number(table, opli_ns_between(first, opli_clock_fit_ns(c->recording, row->tick))) &&
             opli_table_add_text(table, word, strlen(word)) && opli_table_add_number(table, (int64_t)row->value);
    }
    return ok;
}

/* ---- all of it ---- */

static void add_drops(const opli_recording *recording, opli_contents *contents)
{
    for (uint32_t reason = 0; reason < OPLI_DROP_COUNT; reason++) {
        uint64_t count = recording->header.dropped[reason];
        for (size_t i = 0; i < recording->threads.count; i++)
            count += recording->threads.items[i].dropped[reason];
        contents->dropped[reason] = count;
        contents->dropped_total += count;
    }
}

opl_status opli_contents_read(opli_recording *recording, opli_contents *contents)
{
    memset(contents, 0, sizeof *contents);
    counting c = {.recording = recording, .contents = contents};
    c.by_thread = calloc(recording->threads.count + 1, sizeof *c.by_thread);
    c.by_track = calloc(recording->tracks.count + 1, sizeof *c.by_track);
    opl_status st = c.by_thread && c.by_track ? OPL_OK : OPL_NOMEM;
    if (st == OPL_OK)
        st = opli_events_visit(recording, count_event, &c);
    add_drops(recording, contents);
    if (st == OPL_OK && !(add_kinds(&c) && add_threads(&c) && add_devices(&c) && add_metadata(&c) && add_controls(&c)))
        st = OPL_NOMEM;
    free(c.by_thread);
    free(c.by_track);
    if (st != OPL_OK)
        opli_contents_free(contents);
    return st;
}

void opli_contents_free(opli_contents *contents)
{
    opli_table_free(&contents->kinds);
    opli_table_free(&contents->threads);
    opli_table_free(&contents->devices);
    opli_table_free(&contents->metadata);
    opli_table_free(&contents->controls);
}
