/* event_line.c - an event as a line of text or JSON.
 *
 * Both forms are made of the same fields; a text line is `type thread kind "name" field=value ...`. */
#include "export/event_line.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "import/arguments.h"

/* ---- fields: one way to write them, two spellings ---- */

typedef struct line {
    opli_text *out;
    bool json;
    bool first;
} line;

static void begin_field(line *l, const char *key, size_t length)
{
    if (l->json) {
        opli_text_addf(l->out, "%s", l->first ? "" : ", ");
        opli_text_add_json(l->out, key, length);
        opli_text_addf(l->out, ": ");
    } else {
        opli_text_addf(l->out, "%s", l->first ? "" : " ");
        opli_text_add_printable(l->out, key, length);
        opli_text_addf(l->out, "=");
    }
    l->first = false;
}

static void add_string(line *l, const char *key, const char *text, size_t length)
{
    begin_field(l, key, strlen(key));
    opli_text_add_json(l->out, text, length);
}

static void add_integer(line *l, const char *key, int64_t value)
{
    begin_field(l, key, strlen(key));
    opli_text_addf(l->out, "%" PRId64, value);
}

/* 16 hexadecimal digits, as ids and addresses are written everywhere. */
static void add_hex(line *l, const char *key, uint64_t value)
{
    begin_field(l, key, strlen(key));
    opli_text_addf(l->out, l->json ? "\"%016" PRIx64 "\"" : "%016" PRIx64, value);
}

static void add_real_value(opli_text *out, double value, bool json)
{
    if (isfinite(value))
        opli_text_addf(out, "%.17g", value);
    else
        opli_text_addf(out, json ? "\"%f\"" : "%f", value);
}

/* ---- arguments ---- */

static void add_tensor(opli_text *out, const opli_tensor_view *tensor)
{
#define WORD(id, word) word,
    static const char *const dtypes[] = {OPL_DTYPE_LIST(WORD)};
#undef WORD
    opli_text_addf(out, "{\"name\": ");
    opli_text_add_json(out, tensor->name.bytes, tensor->name.length);
    opli_text_addf(out, ", \"dtype\": \"%s\", \"shape\": [",
                   tensor->dtype < OPL_DTYPE_COUNT ? dtypes[tensor->dtype] : "unknown");
    for (uint32_t i = 0; i < tensor->rank; i++) {
        int64_t dim;
        memcpy(&dim, tensor->dims + i * sizeof dim, sizeof dim);
        opli_text_addf(out, "%s%" PRId64, i ? ", " : "", dim);
    }
    opli_text_addf(out, "]}");
}

static void add_tensors(opli_text *out, const opli_argument *argument)
{
    opli_tensor_view tensor;
    size_t at = 0;
    opli_text_addf(out, "[");
    for (bool first = true; opli_argument_tensor(argument, &at, &tensor); first = false) {
        opli_text_addf(out, "%s", first ? "" : ", ");
        add_tensor(out, &tensor);
    }
    opli_text_addf(out, "]");
}

static void add_integers(opli_text *out, const opli_argument *argument)
{
    opli_text_addf(out, "[");
    for (uint32_t at = 0; at + sizeof(int64_t) <= argument->size; at += sizeof(int64_t)) {
        int64_t value;
        memcpy(&value, argument->bytes + at, sizeof value);
        opli_text_addf(out, "%s%" PRId64, at ? ", " : "", value);
    }
    opli_text_addf(out, "]");
}

static void add_value(line *l, const opli_argument *argument)
{
    double real;
    switch (argument->tag) {
    case OPLI_TAG_ARG_INT: opli_text_addf(l->out, "%" PRId64, (int64_t)argument->value); break;
    case OPLI_TAG_ARG_UINT: opli_text_addf(l->out, "%" PRIu64, argument->value); break;
    case OPLI_TAG_ARG_BOOL: opli_text_addf(l->out, "%s", argument->value ? "true" : "false"); break;
    case OPLI_TAG_ARG_TEXT: opli_text_add_json(l->out, (const char *)argument->bytes, argument->size); break;
    case OPLI_TAG_ARG_INTS: add_integers(l->out, argument); break;
    case OPLI_TAG_ARG_TENSORS: add_tensors(l->out, argument); break;
    default: memcpy(&real, &argument->value, sizeof real); add_real_value(l->out, real, l->json);
    }
    if (argument->cut && !l->json)
        opli_text_addf(l->out, "(cut)");
}

static void add_arguments(line *l, const opli_recording *recording, const opli_event *event)
{
    if (l->json) {
        begin_field(l, "args", 4);
        opli_text_addf(l->out, "{");
        l->first = true;
    }
    for (uint32_t i = 0; i < event->argument_count; i++) {
        const opli_site_row *key = opli_recording_site(recording, event->arguments[i].key);
        opli_span_text name = key ? key->name : (opli_span_text){"(name lost)", 11};
        begin_field(l, name.bytes, name.length);
        add_value(l, &event->arguments[i]);
    }
    if (l->json)
        opli_text_addf(l->out, "}");
    l->first = false;
}

/* ---- the event ---- */

static void add_track(line *l, const opli_recording *recording, const opli_event *event)
{
    const opli_thread_row *thread = opli_recording_thread(recording, event->thread);
    const opli_track_row *track = event->track ? opli_recording_track(recording, event->track) : NULL;
    const opli_device_row *device = track ? opli_recording_device(recording, track->device) : NULL;
    add_integer(l, "tid", thread ? thread->tid : 0);
    if (device)
        add_string(l, "device", device->name.bytes, device->name.length);
    if (track)
        add_string(l, "track", track->name.bytes, track->name.length);
}

static void add_name(line *l, const opli_recording *recording, const opli_event *event)
{
    const opli_site_row *site = opli_recording_site(recording, event->site);
    const char *kind = site ? opli_category_word(site->category) : "unknown";
    opli_span_text name = site ? site->name : (opli_span_text){"(name lost)", 11};
    add_string(l, "kind", kind, strlen(kind));
    add_string(l, "name", name.bytes, name.length);
}

static void add_counter(line *l, const opli_event *event)
{
    if (!event->as.counter.real) {
        add_integer(l, "value", event->as.counter.integer);
        return;
    }
    begin_field(l, "value", 5);
    add_real_value(l->out, event->as.counter.number, l->json);
}

static void add_memory(line *l, const opli_recording *recording, const opli_event *event)
{
    const opli_device_row *device = opli_recording_device(recording, event->as.memory.device);
    add_string(l, "device", device ? device->name.bytes : "host", device ? device->name.length : 4);
    const char *what = event->as.memory.released ? "free" : "alloc";
    add_string(l, "what", what, strlen(what));
    add_hex(l, "address", event->as.memory.address);
    add_integer(l, "size_bytes", event->as.memory.size_bytes);
    if (event->as.memory.used_bytes >= 0)
        add_integer(l, "used_bytes", event->as.memory.used_bytes);
    if (event->as.memory.allocated_bytes >= 0)
        add_integer(l, "allocated_bytes", event->as.memory.allocated_bytes);
}

static void add_flow(line *l, const opli_event *event)
{
    static const char *const phases[] = {"begin", "step", "end"};
    const char *phase = event->as.flow.phase < 3 ? phases[event->as.flow.phase] : "unknown";
    add_hex(l, "flow", event->as.flow.id);
    add_string(l, "phase", phase, strlen(phase));
}

static void add_fields(line *l, const opli_recording *recording, const opli_event *event)
{
    if (event->kind == OPLI_EVENT_SPAN || event->kind == OPLI_EVENT_INSTANT || event->kind == OPLI_EVENT_COUNTER)
        add_name(l, recording, event);
    add_track(l, recording, event);
    add_integer(l, "start_ns", event->start_ns);
    switch (event->kind) {
    case OPLI_EVENT_SPAN:
        if (event->open) {
            begin_field(l, "open", 4);
            opli_text_addf(l->out, "true");
        } else {
            add_integer(l, "dur_ns", event->duration_ns);
        }
        break;
    case OPLI_EVENT_COUNTER: add_counter(l, event); break;
    case OPLI_EVENT_MEMORY: add_memory(l, recording, event); break;
    case OPLI_EVENT_FLOW: add_flow(l, event); break;
    default: break;
    }
    if (event->argument_count)
        add_arguments(l, recording, event);
}

static const char *const types[OPLI_EVENT_KINDS] = {"span", "instant", "counter", "memory", "flow"};

void opli_event_line(const opli_recording *recording, const opli_event *event, opli_text *out)
{
    line l = {out, false, false};
    opli_text_addf(out, "%s", types[event->kind]);
    add_fields(&l, recording, event);
    opli_text_addf(out, "\n");
}

void opli_event_line_json(const opli_recording *recording, const opli_event *event, opli_text *out)
{
    line l = {out, true, true};
    opli_text_addf(out, "{");
    add_string(&l, "type", types[event->kind], strlen(types[event->kind]));
    add_fields(&l, recording, event);
    opli_text_addf(out, "}\n");
}
