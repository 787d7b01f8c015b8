/* playback.c - record something in this process, then read it back. */
#include "playback.h"

#include "export/event_line.h"
#include "test.h"

/* ---- recording ---- */

void playback_record_with(const char *name, opl_recorder_options options)
{
    opl_error err = {OPL_OK, ""};
    options.path = test_path(name);
    if (opl_recorder_start(&options, &err) != OPL_OK)
        fail_msg("cannot record: %s", err.message);
}

void playback_record(const char *name) { playback_record_with(name, (opl_recorder_options){.level = 2}); }

playback playback_stop(void)
{
    char path[4096];
    opl_recorder_path(path, sizeof path);
    opl_recorder_stop();
    return playback_open(path);
}

/* ---- reading ---- */

static void copy_name(char name[64], opli_span_text text) { snprintf(name, 64, "%.*s", (int)text.length, text.bytes); }

static void keep_arguments(const opli_recording *recording, played *e, const opli_event *event)
{
    opli_argument *arguments = calloc(event->argument_count + 1, sizeof *arguments);
    e->keys = calloc(event->argument_count + 1, sizeof *e->keys);
    for (uint32_t i = 0; i < event->argument_count; i++) {
        const opli_site_row *key = opli_recording_site(recording, event->arguments[i].key);
        uint8_t *bytes = malloc(event->arguments[i].size + 1);
        arguments[i] = event->arguments[i];
        if (arguments[i].size)
            memcpy(bytes, arguments[i].bytes, arguments[i].size);
        bytes[arguments[i].size] = 0;
        arguments[i].bytes = bytes;
        if (key)
            copy_name(e->keys[i], key->name);
    }
    e->event.arguments = arguments;
}

static char *line_of(const opli_recording *recording, const opli_event *event, bool json)
{
    opli_text out = {0};
    (json ? opli_event_line_json : opli_event_line)(recording, event, &out);
    return out.bytes;
}

static bool keep_event(void *context, const opli_event *event)
{
    playback *p = context;
    const opli_site_row *site = opli_recording_site(&p->recording, event->site);
    played *e = opli_vector_add(&p->events);
    e->event = *event;
    e->kind = site ? opli_category_word(site->category) : "";
    if (site)
        copy_name(e->name, site->name);
    keep_arguments(&p->recording, e, event);
    e->line = line_of(&p->recording, event, false);
    e->json = line_of(&p->recording, event, true);
    return true;
}

static void read_events(playback *p)
{
    if (opli_events_visit(&p->recording, keep_event, p) != OPL_OK)
        fail_msg("no memory to read the events");
}

playback playback_open(const char *path)
{
    playback p = {0};
    opl_error err = {OPL_OK, ""};
    if (opli_recording_open(&p.recording, path, &err) != OPL_OK)
        fail_msg("cannot read: %s", err.message);
    read_events(&p);
    return p;
}

playback playback_open_bytes(const void *bytes, size_t size)
{
    playback p = {0};
    opl_error err = {OPL_OK, ""};
    if (opli_recording_open_bytes(&p.recording, bytes, size, "bytes", &err) != OPL_OK)
        fail_msg("cannot read: %s", err.message);
    read_events(&p);
    return p;
}

void playback_close(playback *p)
{
    for (size_t i = 0; i < p->events.count; i++) {
        played *e = &p->events.items[i];
        for (uint32_t a = 0; a < e->event.argument_count; a++)
            free((void *)(uintptr_t)e->event.arguments[a].bytes);
        free((void *)(uintptr_t)e->event.arguments);
        free(e->keys);
        free(e->line);
        free(e->json);
    }
    opli_vector_free(&p->events);
    opli_recording_close(&p->recording);
}

/* ---- asking ---- */

size_t playback_count(const playback *p, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < p->events.count; i++)
        count += strcmp(p->events.items[i].name, name) == 0;
    return count;
}

const played *playback_nth(const playback *p, const char *name, size_t number)
{
    for (size_t i = 0; i < p->events.count; i++)
        if (strcmp(p->events.items[i].name, name) == 0 && number-- == 0)
            return &p->events.items[i];
    fail_msg("there are fewer events named '%s'", name);
    return NULL;
}

const played *playback_first(const playback *p, const char *name) { return playback_nth(p, name, 0); }

const played *playback_only(const playback *p, const char *name)
{
    if (playback_count(p, name) != 1)
        fail_msg("there are %zu events named '%s' instead of one", playback_count(p, name), name);
    return playback_first(p, name);
}

const played *playback_kind(const playback *p, enum opli_event_kind kind, size_t number)
{
    for (size_t i = 0; i < p->events.count; i++)
        if (p->events.items[i].event.kind == kind && number-- == 0)
            return &p->events.items[i];
    fail_msg("there are fewer events of kind %d", (int)kind);
    return NULL;
}

const played *playback_at(const playback *p, uint64_t chunk, uint32_t index)
{
    for (size_t i = 0; i < p->events.count; i++)
        if (p->events.items[i].event.chunk == chunk && p->events.items[i].event.index == index)
            return &p->events.items[i];
    fail_msg("there is no event at record %u of chunk %llx", index, (unsigned long long)chunk);
    return NULL;
}

bool playback_has(const played *e, const char *key)
{
    for (uint32_t i = 0; i < e->event.argument_count; i++)
        if (strcmp(e->keys[i], key) == 0)
            return true;
    return false;
}

const opli_argument *playback_argument(const played *e, const char *key)
{
    for (uint32_t i = 0; i < e->event.argument_count; i++)
        if (strcmp(e->keys[i], key) == 0)
            return &e->event.arguments[i];
    fail_msg("'%s' has no argument '%s'", e->name, key);
    return NULL;
}

size_t playback_controls(const playback *p, uint64_t what)
{
    size_t count = 0;
    for (size_t i = 0; i < p->recording.controls.count; i++)
        count += p->recording.controls.items[i].what == what;
    return count;
}

uint64_t playback_control(const playback *p, uint64_t what, size_t number)
{
    for (size_t i = 0; i < p->recording.controls.count; i++)
        if (p->recording.controls.items[i].what == what && number-- == 0)
            return p->recording.controls.items[i].value;
    fail_msg("control %llu was noted less often", (unsigned long long)what);
    return 0;
}
