/* chrome_importer.c - Chrome trace JSON in the dialects met in the field: an object or a bare array,
 * complete or cut off, by PyTorch, ONNX Runtime, TensorFlow, RAF, Neural Engine or anyone.
 *
 * The file as a whole: where its events are, what stands around them, and how to go on behind what cannot be
 * read. What an event means is chrome_store.c's. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "import/chrome_ahead.h"
#include "import/chrome_store.h"
#include "import/importer.h"

#define FORGET_BYTES (8u << 20)
#define MORE_BYTES ((size_t)16 << 20)
#define LOOK_BYTES 64         /* that are looked at without asking whether there are more */
#ifndef AHEAD_BYTES           /* fuzzing has it smaller */
#define AHEAD_BYTES (4 << 20) /* less is read before a thread has begun */
#endif
#define ALONE_EVENTS 4096u /* that we read ourselves when reading ahead did not get far */
#define LOOK_AGAIN_MAX 64u /* times the file: what may be read in vain */

typedef struct chrome {
    const opli_source *source;
    opli_builder *builder;
    opli_json json;
    opli_shapes shapes;
    opli_chrome_event event;
    opli_chrome_store store;
    size_t alone; /* events to read before another thread is asked to */
    size_t forgotten;
    size_t looked_again; /* bytes read in vain */
} chrome;

static void note(chrome *c, const char *sentence, bool is_loss) { opli_builder_note(c->builder, sentence, 1, is_loss); }

/* ---- events ---- */

/* The last byte before `at` that is no space; 0 when there is none. */
static const char *before(const char *at, const char *start)
{
    while (at > start && (at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\r' || at[-1] == '\t'))
        at--;
    return at > start ? at - 1 : NULL;
}

/* Whether an event can begin with this brace: behind the end of another, and not inside one. */
static bool may_begin(const char *brace, const char *start)
{
    const char *last = before(brace, start);
    if (last && *last == ',')
        last = before(last, start);
    return last && *last == '}';
}

/* Looks for the next event after one that cannot be read. */
static bool skip_to_next(opli_json *json)
{
    const char *start = json->at, *brace = start;
    do {
        brace = brace + 1 < json->end ? memchr(brace + 1, '{', (size_t)(json->end - brace - 1)) : NULL;
    } while (brace && !may_begin(brace, start));
    json->at = brace ? brace : json->end;
    return brace != NULL;
}

static void forget(chrome *c)
{
    size_t done = (size_t)(c->json.at - c->source->bytes);
    if (done - c->forgotten < FORGET_BYTES)
        return;
    opli_chrome_tracks_forget(&c->store.tracks);
    opli_source_forget(c->source, done);
    c->forgotten = done;
}

/* Behind an event that cannot be read; false when that is the end of the file. One that seems to go on to
 * the end may only lack a brace, so there we look for another too, as long as that stays cheap. */
static bool skip_event(chrome *c, bool seems_cut)
{
    const char *start = c->json.at;
    opli_json_value value;
    if (*start != '{' && opli_json_read(&c->json, &value) >= OPLI_JSON_STRING) {
        note(c, "things in the list of events are no events: they were skipped", true);
        return true;
    }
    c->looked_again += seems_cut ? (size_t)(c->json.end - start) : 0;
    bool found = c->looked_again / LOOK_AGAIN_MAX <= c->source->size && skip_to_next(&c->json);
    note(c,
         seems_cut && !found ? "the file ends inside an event: it was skipped"
                             : "events cannot be read as JSON: they were skipped",
         true);
    return !seems_cut || found;
}

/* Waits for more of a file that is still being unpacked: at least as much again as is left, since what is left
 * may be read once more. False when there is no more. */
static bool more_comes(chrome *c)
{
    size_t there = (size_t)(c->json.end - c->source->bytes), left = (size_t)(c->json.end - c->json.at);
    size_t now = opli_source_wait(c->source, there + (left < MORE_BYTES ? MORE_BYTES : left));
    if (now == there)
        return false;
    c->json.end = c->source->bytes + now;
    c->alone = 0; /* there is something to read ahead again */
    return true;
}

/* Has another thread read the events that follow one another from here on; false when there is none. */
static bool read_ahead(chrome *c)
{
    opli_chrome_ahead *ahead =
        c->json.end - c->json.at > AHEAD_BYTES ? opli_chrome_ahead_open(c->json, &c->shapes) : NULL;
    size_t count = 0;
    const opli_chrome_batch *batch;
    while (ahead && !c->builder->out_of_memory && (batch = opli_chrome_ahead_next(ahead))) {
        for (size_t i = 0; i < batch->count; i++)
            opli_chrome_store_event(&c->store, &batch->events[i]);
        count += batch->count;
        c->json.at = batch->at;
        forget(c);
    }
    if (ahead)
        opli_chrome_ahead_close(ahead);
    c->alone = !ahead ? SIZE_MAX : count < ALONE_EVENTS ? ALONE_EVENTS : 1;
    return count > 0;
}

/* From behind the bracket of the events' array to behind its end. */
static void read_events(chrome *c)
{
    for (;;) {
        if (c->builder->out_of_memory)
            return;
        if (!c->alone && read_ahead(c))
            continue;
        char next = opli_json_peek(&c->json);
        if (c->json.at == c->json.end) {
            if (more_comes(c))
                continue;
            note(c, "the file ends before its list of events does", false);
            return;
        }
        if (next == ']') {
            c->json.at++;
            return;
        }
        if (next == ',') {
            c->json.at++;
            continue;
        }
        enum opli_chrome_outcome outcome = opli_chrome_event_read(&c->json, &c->shapes, &c->event);
        if (outcome == OPLI_CHROME_EVENT) {
            opli_chrome_store_event(&c->store, &c->event);
            forget(c);
            c->alone -= c->alone > 0;
        } else if (outcome == OPLI_CHROME_NOMEM) {
            c->builder->out_of_memory = true;
            return;
        } else if (!more_comes(c) && !skip_event(c, outcome == OPLI_CHROME_CUT)) {
            return;
        }
    }
}

/* ---- documents ---- */

/* The events' list, behind its key and colon. */
static void read_list(chrome *c)
{
    opli_json_value value;
    c->json.at++;
    if (opli_json_peek(&c->json) == '[') {
        c->json.at++;
        read_events(c);
        return;
    }
    note(c, "what should be the list of events is none", true);
    opli_json_read(&c->json, &value);
}

/* Something outside the list of events cannot be read: what is behind it is, from the list on. */
static void skip_to_list(chrome *c, const char *start)
{
    static const char word[] = "\"traceEvents\"";
    note(c, "the file ends, or cannot be read, outside its list of events", false);
    const char *found =
        start < c->json.end ? memmem(start + 1, (size_t)(c->json.end - start - 1), word, sizeof word - 1) : NULL;
    c->json.at = found ? found : c->json.end;
}

/* The object's members in any order; the events among them are read one by one. Where it turns out to be
 * an event itself, the file is a list of events without brackets. */
static void read_object(chrome *c)
{
    opli_json_value key, value;
    const char *object = c->json.at;
    size_t facts = c->builder->trace->facts.count;
    c->json.at++;
    for (;;) {
        char next = opli_json_peek(&c->json);
        if (next == ',') {
            c->json.at++;
            continue;
        }
        if (c->json.end - c->json.at < LOOK_BYTES && more_comes(c))
            continue;
        if (c->json.at == c->json.end) {
            note(c, "the file ends, or cannot be read, outside its list of events", false);
            return;
        }
        if (next == '}') {
            c->json.at++;
            return;
        }
        const char *start = c->json.at;
        if (opli_json_read(&c->json, &key) == OPLI_JSON_STRING && opli_json_is(&key, "traceEvents") &&
            opli_json_peek(&c->json) == ':') {
            read_list(c);
            continue;
        }
        c->json.at = start;
        if (!opli_json_member(&c->json, &key, &value)) {
            c->json.at = start;
            if (!more_comes(c))
                skip_to_list(c, start);
            continue;
        }
        if (opli_json_is(&key, "ph")) {
            c->builder->trace->facts.count = facts;
            c->json.at = object;
            read_events(c);
            return;
        }
        opli_chrome_store_fact(&c->store, &key, &value);
    }
}

static void read_document(chrome *c)
{
    if (opli_json_peek(&c->json) == '{') {
        read_object(c);
        return;
    }
    c->json.at++;
    read_events(c);
}

/* Whether another document follows; some writers append to the file that is there. */
static bool has_another(chrome *c)
{
    char next = opli_json_peek(&c->json);
    while (c->json.at == c->json.end && more_comes(c))
        next = opli_json_peek(&c->json);
    if (c->json.at == c->json.end || c->builder->out_of_memory)
        return false;
    bool begins = next == '{' || next == '[';
    note(c,
         begins ? "several JSON documents stand in the file: they were read as one"
                : "text behind the end of the trace was skipped",
         !begins);
    return begins;
}

static char first_byte(const opli_source *source)
{
    opli_json json = {source->bytes, source->bytes + source->size};
    return opli_json_peek(&json);
}

static bool recognises(const opli_source *source) { return first_byte(source) == '{' || first_byte(source) == '['; }

/* How much there is of what a file may add to. */
static uint64_t count_rows(const opli_builder *builder)
{
    return builder->draft_count + opli_trace_events(builder->trace) + builder->trace->tracks.count;
}

static chrome *chrome_new(const opli_source *source, opli_builder *builder)
{
    chrome *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->source = source;
    c->builder = builder;
    c->json = (opli_json){source->bytes, source->bytes + source->size};
    opli_chrome_store_init(&c->store, builder);
    if (opli_shapes_init(&c->shapes))
        return c;
    opli_shapes_free(&c->shapes);
    free(c);
    return NULL;
}

static void chrome_finish(chrome *c)
{
    opli_chrome_store_finish(&c->store);
    opli_shapes_free(&c->shapes);
    opli_vector_free(&c->event.arguments);
    free(c);
}

static opl_status read_chrome(const opli_source *source, opli_builder *builder, opl_error *err)
{
    uint64_t rows = count_rows(builder);
    chrome *c = chrome_new(source, builder);
    if (!c)
        return opli_fail(err, OPL_NOMEM, "%s: not enough memory to read it", source->path);
    do {
        read_document(c);
    } while (has_another(c));
    chrome_finish(c);
    if (count_rows(builder) == rows && !builder->trace->notes.count)
        return opli_fail(err, OPL_FORMAT, "%s: is JSON, but holds no trace events", source->path);
    if (!builder->trace->source)
        builder->trace->source = opli_builder_word(builder, "Chrome trace");
    return OPL_OK;
}

const opli_importer opli_importer_chrome = {
    .name = "chrome",
    .summary = "Chrome trace JSON, as PyTorch, ONNX Runtime, TensorFlow, RAF and others write it",
    .reads_growing = true,
    .recognises = recognises,
    .read = read_chrome,
};
