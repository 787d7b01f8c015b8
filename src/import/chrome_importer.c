/* chrome_importer.c - Chrome trace JSON in the dialects met in the field: an object or a bare array,
 * complete or cut off, by PyTorch, ONNX Runtime, TensorFlow, RAF, Neural Engine or anyone.
 *
 * One pass over the text, event by event, straight into the builder. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "import/chrome_ahead.h"
#include "import/chrome_event.h"
#include "import/chrome_pairs.h"
#include "import/chrome_words.h"
#include "import/importer.h"

#define FORGET_BYTES (8u << 20)
#define CATEGORIES_MAX 256u
#define LAST_TRACKS 32u
#define MORE_BYTES ((size_t)16 << 20)
#define LOOK_BYTES 64         /* that are looked at without asking whether there are more */
#ifndef AHEAD_BYTES           /* fuzzing has it smaller */
#define AHEAD_BYTES (4 << 20) /* less is read before a thread has begun */
#endif
#define ALONE_EVENTS 4096u /* that we read ourselves when reading ahead did not get far */
#define LOOK_AGAIN_MAX 64u /* times the file: what may be read in vain */

/* What is known of a category once it was seen. */
typedef struct known_category {
    uint32_t text;
    bool filled;
    enum opli_json_kind kind;
    size_t length;
    char bytes[32]; /* as it stands in the file */
    opli_chrome_word word;
} known_category;

/* The last row found for a pid and tid: events of a thread come in runs, or a few threads take turns. */
typedef struct last_track {
    opli_json_value process, thread;
    bool on_device, filled;
    uint32_t track;
} last_track;

/* A pid that stands for a device, as our own export says it. */
typedef struct device_page {
    int64_t pid;
    uint32_t process, device;
} device_page;

typedef struct chrome {
    const opli_source *source;
    opli_builder *builder;
    opli_json json;
    opli_chrome_event event;
    opli_shapes shapes;
    size_t alone; /* events to read before another thread is asked to */
    opli_pairs pairs;
    known_category categories[CATEGORIES_MAX];
    last_track last[2][LAST_TRACKS]; /* host, device; by the end of the thread's number */
    char *scratch;                   /* for escapes */
    size_t scratch_bytes;
    size_t forgotten;
    size_t looked_again; /* bytes read in vain */
    OPLI_VECTOR(device_page) pages;
} chrome;

/* ---- texts ---- */

static uint32_t text_of(chrome *c, const opli_json_value *value)
{
    if (!value->escaped || value->kind != OPLI_JSON_STRING)
        return opli_builder_text(c->builder, value->text ? value->text : "", value->length);
    if (value->length > c->scratch_bytes) {
        char *larger = realloc(c->scratch, value->length);
        if (!larger)
            return 0;
        c->scratch = larger;
        c->scratch_bytes = value->length;
    }
    return opli_builder_text(c->builder, c->scratch, opli_json_unescape(value, c->scratch));
}

/* Where a category is remembered: by its length and a few of its letters. */
static known_category *category_place(chrome *c, const opli_json_value *value)
{
    uint64_t letters = value->length;
    if (value->length >= 4)
        letters += (uint64_t)(uint8_t)value->text[0] * 31 + (uint64_t)(uint8_t)value->text[3] * 7 +
                   (uint64_t)(uint8_t)value->text[value->length - 2] * 13;
    return &c->categories[letters % CATEGORIES_MAX];
}

static const known_category *category_of(chrome *c, const opli_json_value *value)
{
    known_category *known = category_place(c, value);
    if (known->length == value->length && known->kind == value->kind && known->filled &&
        (!value->length || memcmp(known->bytes, value->text, value->length) == 0))
        return known;
    uint32_t text = value->kind == OPLI_JSON_STRING ? text_of(c, value) : 0;
    const char *word = opli_trace_text(c->builder->trace, text);
    *known = (known_category){.text = text, .word = opli_chrome_word_find(word, strlen(word))};
    known->kind = value->kind;
    known->length = value->length;
    known->filled = value->length <= sizeof known->bytes;
    if (known->filled && value->length)
        memcpy(known->bytes, value->text, value->length);
    return known;
}

/* ---- tracks ---- */

/* A pid or tid: a number, or a word that becomes a number below all others. */
static int64_t number_of(chrome *c, const opli_json_value *value)
{
    int64_t number;
    if (value->kind == OPLI_JSON_END)
        return 0;
    return opli_json_int(value, &number) ? number : -1000000000 - (int64_t)text_of(c, value);
}

static bool same_value(const opli_json_value *a, const opli_json_value *b)
{
    return a->length == b->length && a->kind == b->kind && (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

static const device_page *page_of(const chrome *c, int64_t pid)
{
    for (size_t i = 0; i < c->pages.count; i++)
        if (c->pages.items[i].pid == pid)
            return &c->pages.items[i];
    return NULL;
}

/* The process's queue of that number, on the device that make_track() would give it; OPLI_NO_ROW when there
 * is none. */
static uint32_t find_queue(const chrome *c, uint32_t process, int64_t number)
{
    int64_t pid = c->builder->trace->processes.items[process].pid;
    const device_page *page = page_of(c, pid);
    uint32_t devices[] = {page ? page->device : OPLI_NO_ROW, opli_builder_device_find(c->builder, "gpu", pid),
                          opli_builder_device_find(c->builder, "gpu", 0)};
    uint32_t row = OPLI_NO_ROW;
    for (size_t i = 0; row == OPLI_NO_ROW && i < sizeof devices / sizeof *devices; i++)
        if (devices[i] != OPLI_NO_ROW)
            row = opli_builder_track_find(c->builder, OPLI_TRACK_QUEUE, process, devices[i], number);
    return row;
}

/* A name may have come before the track was known to be a device's. */
static uint32_t name_by_number(const chrome *c, uint32_t process, int64_t number)
{
    const opli_track *tracks = c->builder->trace->tracks.items;
    uint32_t thread = opli_builder_track_find(c->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, number);
    uint32_t queue = find_queue(c, process, number);
    if (thread != OPLI_NO_ROW && tracks[thread].name)
        return tracks[thread].name;
    return queue == OPLI_NO_ROW ? 0 : tracks[queue].name;
}

static uint32_t make_track(chrome *c, const opli_chrome_event *event, bool on_device)
{
    opli_trace *trace = c->builder->trace;
    int64_t pid = number_of(c, &event->process), tid = number_of(c, &event->thread);
    const device_page *page = page_of(c, pid);
    uint32_t process = page ? page->process : opli_builder_process(c->builder, pid);
    int64_t gpu = event->thread.kind == OPLI_JSON_STRING && tid < 0 ? 0 : pid; /* RAF knows device 0 only */
    uint32_t device = page ? page->device : on_device ? opli_builder_device(c->builder, "gpu", gpu) : OPLI_NO_ROW;
    on_device = on_device || page;
    uint32_t track =
        opli_builder_track(c->builder, on_device ? OPLI_TRACK_QUEUE : OPLI_TRACK_THREAD, process, device, tid);
    if (c->builder->out_of_memory)
        return 0;
    if (on_device && !trace->tracks.items[track].name)
        trace->tracks.items[track].name = name_by_number(c, opli_builder_process(c->builder, pid), tid);
    if (event->process.kind == OPLI_JSON_STRING && pid < 0 && !trace->processes.items[process].name)
        trace->processes.items[process].name = text_of(c, &event->process);
    if (event->thread.kind == OPLI_JSON_STRING && tid < 0 && !trace->tracks.items[track].name)
        trace->tracks.items[track].name = text_of(c, &event->thread);
    return track;
}

static uint32_t track_of(chrome *c, const opli_chrome_event *event, bool on_device)
{
    size_t length = event->thread.length;
    size_t place =
        length > 1 ? (size_t)event->thread.text[length - 1] + 7u * (size_t)event->thread.text[length - 2] : 0;
    last_track *last = &c->last[on_device][place % LAST_TRACKS];
    if (last->filled && same_value(&last->thread, &event->thread) && same_value(&last->process, &event->process))
        return last->track;
    *last = (last_track){event->process, event->thread, on_device, true, make_track(c, event, on_device)};
    return last->track;
}

/* ---- arguments ---- */

static void add_word(chrome *c, uint32_t key, const opli_json_value *value)
{
    if (value->length == 4 && memcmp(value->text, "true", 4) == 0)
        opli_builder_arg(c->builder, key, OPLI_ARG_BOOL, 1);
    else if (value->length == 5 && memcmp(value->text, "false", 5) == 0)
        opli_builder_arg(c->builder, key, OPLI_ARG_BOOL, 0);
    else
        opli_builder_arg(c->builder, key, OPLI_ARG_JSON, text_of(c, value));
}

static void add_number(chrome *c, uint32_t key, const opli_json_value *value)
{
    int64_t integer;
    double real;
    if (value->whole) {
        opli_builder_arg(c->builder, key, OPLI_ARG_INT, (uint64_t)value->digits);
        return;
    }
    bool whole = !memchr(value->text, '.', value->length) && !memchr(value->text, 'e', value->length) &&
                 !memchr(value->text, 'E', value->length);
    if (whole && opli_json_int(value, &integer))
        opli_builder_arg(c->builder, key, OPLI_ARG_INT, (uint64_t)integer);
    else if (opli_json_real(value, &real))
        opli_builder_arg_real(c->builder, key, real);
    else
        opli_builder_arg(c->builder, key, OPLI_ARG_JSON, text_of(c, value));
}

/* The id of an argument's key, which its shape remembers. */
static uint32_t key_of(chrome *c, const opli_chrome_argument *argument)
{
    uint32_t known = argument->text ? *argument->text : 0;
    if (known)
        return known;
    opli_json_value key = opli_chrome_key(argument);
    uint32_t text = text_of(c, &key);
    if (argument->text)
        *argument->text = text;
    return text;
}

/* Whether the text of a value is in the trace as it stands in the file. */
static bool is_plain_text(const opli_json_value *value)
{
    return value->kind >= OPLI_JSON_OBJECT || (value->kind == OPLI_JSON_STRING && !value->escaped);
}

static uint32_t value_text(chrome *c, const opli_chrome_argument *argument)
{
    const opli_json_value *value = &argument->value;
    return is_plain_text(value) ? opli_builder_hashed_text(c->builder, value->text, value->length, argument->hash)
                                : text_of(c, value);
}

static void add_argument(chrome *c, const opli_chrome_argument *argument)
{
    const opli_json_value *value = &argument->value;
    uint32_t name = key_of(c, argument);
    switch (value->kind) {
    case OPLI_JSON_STRING: opli_builder_arg(c->builder, name, OPLI_ARG_TEXT, value_text(c, argument)); break;
    case OPLI_JSON_NUMBER: add_number(c, name, value); break;
    case OPLI_JSON_WORD: add_word(c, name, value); break;
    default: opli_builder_arg(c->builder, name, OPLI_ARG_JSON, value_text(c, argument));
    }
}

static opli_json members_of(const opli_json_value *object)
{
    bool is_object = object->kind == OPLI_JSON_OBJECT;
    return (opli_json){is_object ? object->text + 1 : NULL, is_object ? object->text + object->length : NULL};
}

/* Asks for the memory where the texts of the arguments may be, before the first is looked up. */
static void hash_arguments(chrome *c, opli_chrome_event *event)
{
    for (size_t i = 0; i < event->arguments.count; i++) {
        opli_chrome_argument *argument = &event->arguments.items[i];
        const opli_json_value *value = &argument->value;
        argument->hash = is_plain_text(value) ? opli_builder_hash(c->builder, value->text, value->length) : 0;
    }
}

static void add_arguments(chrome *c, opli_chrome_event *event)
{
    hash_arguments(c, event);
    for (size_t i = 0; i < event->arguments.count; i++)
        add_argument(c, &event->arguments.items[i]);
}

/* One of the arguments; false when it is not there. */
static bool find_argument(const opli_chrome_event *event, const char *name, opli_json_value *value)
{
    for (size_t i = 0; i < event->arguments.count; i++) {
        opli_json_value key = opli_chrome_key(&event->arguments.items[i]);
        if (!opli_json_is(&key, name))
            continue;
        *value = event->arguments.items[i].value;
        return true;
    }
    return false;
}

static int64_t integer_argument(const opli_chrome_event *event, const char *name, int64_t otherwise)
{
    opli_json_value value;
    int64_t number;
    return find_argument(event, name, &value) && opli_json_int(&value, &number) ? number : otherwise;
}

/* ---- events ---- */

static void note(chrome *c, const char *sentence, bool is_loss) { opli_builder_note(c->builder, sentence, 1, is_loss); }

/* Where the category says nothing, the row a span stands on may: TensorFlow's and Neural Engine's do. */
static uint8_t kind_without_category(const chrome *c, const opli_chrome_event *event, uint32_t track)
{
    opli_json_value value;
    if (track >= c->builder->trace->tracks.count)
        return OPL_CAT_FUNCTION;
    const char *row = opli_trace_text(c->builder->trace, c->builder->trace->tracks.items[track].name);
    uint8_t kind = opli_chrome_kind_on_row(row, event->name.text, event->name.length);
    bool is_operator = kind == OPL_CAT_FUNCTION &&
                       (find_argument(event, "hlo_op", &value) || find_argument(event, "long_name", &value));
    return is_operator ? OPL_CAT_OP : kind;
}

static opli_span_draft draft_of(chrome *c, const opli_chrome_event *event)
{
    const known_category *category = category_of(c, &event->category);
    uint32_t name = text_of(c, &event->name);
    opli_span_draft draft = {.start_ns = event->time_ns, .name = name, .category = category->text};
    draft.track = track_of(c, event, category->word.on_device);
    draft.kind =
        opli_chrome_kind_refine(category->word.kind, category->word.category, opli_trace_text(c->builder->trace, name),
                                opli_string_length(&c->builder->trace->strings, name));
    if (!category->word.category[0])
        draft.kind = kind_without_category(c, event, draft.track);
    return draft;
}

static void read_complete(chrome *c, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(c, event);
    draft.duration_ns = event->has_duration ? event->duration_ns : 0;
    if (!event->has_duration)
        note(c, "complete events have no duration: they were given none", false);
    if (draft.duration_ns < 0) {
        draft.duration_ns = 0;
        draft.flags |= OPLI_SPAN_REPAIRED;
        note(c, "spans end before they start: they were given no length", false);
    }
    add_arguments(c, event);
    opli_builder_span(c->builder, &draft);
}

static void read_begin(chrome *c, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(c, event);
    add_arguments(c, event);
    if (!opli_pairs_begin(&c->pairs, c->builder, &draft))
        c->builder->out_of_memory = true;
}

static void read_end(chrome *c, const opli_chrome_event *event)
{
    uint32_t track = track_of(c, event, category_of(c, &event->category)->word.on_device);
    if (!opli_pairs_end(&c->pairs, c->builder, track, text_of(c, &event->name), event->time_ns))
        note(c, "end events have no beginning: they were skipped", true);
}

/* Asynchronous spans belong to an id, not to a thread. */
static opli_pair_key async_key(chrome *c, const opli_chrome_event *event)
{
    return (opli_pair_key){category_of(c, &event->category)->text, text_of(c, &event->id), text_of(c, &event->name)};
}

static void read_async_begin(chrome *c, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(c, event);
    uint32_t process = c->builder->trace->tracks.items[draft.track].process;
    draft.track = opli_builder_track(c->builder, OPLI_TRACK_ASYNC, process, OPLI_NO_ROW, draft.name);
    draft.flags = OPLI_SPAN_ASYNC;
    add_arguments(c, event);
    if (!opli_pairs_begin_async(&c->pairs, c->builder, async_key(c, event), &draft))
        c->builder->out_of_memory = true;
}

static void read_async_end(chrome *c, const opli_chrome_event *event)
{
    if (!opli_pairs_end_async(&c->pairs, c->builder, async_key(c, event), event->time_ns))
        note(c, "asynchronous ends have no beginning: they were skipped", true);
}

/* A device known from our own export, else a GPU. */
static uint32_t memory_device(chrome *c, int64_t id)
{
    for (size_t i = 0; i < c->pages.count; i++) {
        uint32_t device = c->pages.items[i].device;
        if (device != OPLI_NO_ROW && c->builder->trace->devices.items[device].id == id)
            return device;
    }
    return opli_builder_device(c->builder, "gpu", id);
}

/* PyTorch's allocations. */
static void read_memory(chrome *c, const opli_chrome_event *event, uint32_t track)
{
    bool on_host = integer_argument(event, "Device Type", 0) == 0;
    int64_t device = integer_argument(event, "Device Id", 0);
    opli_builder_memory(c->builder, (opli_memory_row){.time_ns = event->time_ns,
                                                      .size_bytes = integer_argument(event, "Bytes", 0),
                                                      .address = (uint64_t)integer_argument(event, "Addr", 0),
                                                      .used_bytes = integer_argument(event, "Total Allocated", -1),
                                                      .allocated_bytes = integer_argument(event, "Total Reserved", -1),
                                                      .track = track,
                                                      .device = on_host ? OPLI_NO_ROW : memory_device(c, device)});
}

static void read_instant(chrome *c, opli_chrome_event *event)
{
    const known_category *category = category_of(c, &event->category);
    uint32_t track = track_of(c, event, category->word.on_device);
    if (opli_json_is(&event->name, "[memory]")) {
        read_memory(c, event, track);
        return;
    }
    add_arguments(c, event);
    opli_builder_instant(c->builder, (opli_instant_row){.time_ns = event->time_ns,
                                                        .track = track,
                                                        .name = text_of(c, &event->name),
                                                        .category = category->text,
                                                        .kind = category->word.kind});
}

/* Every numeric argument is a series of the counter. */
static void read_counter(chrome *c, const opli_chrome_event *event)
{
    double number;
    if (opli_json_is(&event->category, "oplens_memory"))
        return; /* our own export's curve of what the memory events say */
    uint32_t process = opli_builder_process(c->builder, number_of(c, &event->process));
    if (!event->arguments.count)
        note(c, "counter events have no values: they were skipped", true);
    for (size_t i = 0; i < event->arguments.count; i++) {
        const opli_chrome_argument *argument = &event->arguments.items[i];
        if (!opli_json_real(&argument->value, &number)) {
            note(c, "counter values are not numbers: they were skipped", true);
            continue;
        }
        opli_builder_counter(c->builder, (opli_counter_row){.time_ns = event->time_ns,
                                                            .value = number,
                                                            .process = process,
                                                            .name = text_of(c, &event->name),
                                                            .series = key_of(c, argument)});
    }
}

/* A flow of PyTorch's ends on a device's queue, which its own category does not say: where a thread
 * and a queue have the same numbers, it is the queue. */
static uint32_t flow_track(chrome *c, const opli_chrome_event *event)
{
    int64_t pid = number_of(c, &event->process), tid = number_of(c, &event->thread);
    uint32_t process = page_of(c, pid) ? OPLI_NO_ROW : opli_builder_process_find(c->builder, pid);
    uint32_t queue = process == OPLI_NO_ROW ? OPLI_NO_ROW : find_queue(c, process, tid);
    return queue == OPLI_NO_ROW ? track_of(c, event, false) : queue;
}

static void read_flow(chrome *c, const opli_chrome_event *event)
{
    int64_t id = number_of(c, &event->id);
    const known_category *category = category_of(c, &event->category);
    uint32_t track = flow_track(c, event);
    uint8_t phase = event->phase == 's' ? OPLI_FLOW_START : event->phase == 'f' ? OPLI_FLOW_FINISH : OPLI_FLOW_MIDDLE;
    opli_builder_flow(
        c->builder,
        (opli_flow_row){
            .time_ns = event->time_ns, .id = (uint64_t)id, .category = category->text, .track = track, .phase = phase});
}

/* ---- metadata ---- */

static void name_tracks(chrome *c, int64_t pid, int64_t tid, uint32_t text)
{
    opli_trace *trace = c->builder->trace;
    uint32_t process = opli_builder_process(c->builder, pid), queue = find_queue(c, process, tid);
    uint32_t thread = opli_builder_track_find(c->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, tid);
    if (queue != OPLI_NO_ROW)
        trace->tracks.items[queue].name = text;
    if (thread == OPLI_NO_ROW && queue == OPLI_NO_ROW)
        thread = opli_builder_track(c->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, tid);
    if (thread != OPLI_NO_ROW && thread < trace->tracks.count)
        trace->tracks.items[thread].name = text;
}

/* Our own export: this pid is a device of that process. */
static void read_device_page(chrome *c, const opli_chrome_event *event, int64_t pid)
{
    opli_json_value kind;
    char word[64] = "device";
    device_page *page = opli_vector_add(&c->pages);
    if (!page) {
        c->builder->out_of_memory = true;
        return;
    }
    if (find_argument(event, "kind", &kind) && kind.length && kind.length < sizeof word) {
        memcpy(word, kind.text, kind.length);
        word[kind.length] = '\0';
    }
    page->pid = pid;
    page->process = opli_builder_process(c->builder, integer_argument(event, "process", pid));
    page->device = opli_builder_device(c->builder, word, integer_argument(event, "id", 0));
    memset(c->last, 0, sizeof c->last);
}

/* TensorFlow and JAX: the pid of that name is a device, and its threads are queues. */
static void name_process(chrome *c, int64_t pid, uint32_t text)
{
    opli_chrome_device named;
    uint32_t process = opli_builder_process(c->builder, pid);
    if (c->builder->out_of_memory)
        return;
    c->builder->trace->processes.items[process].name = text;
    if (!opli_chrome_device_named(opli_trace_text(c->builder->trace, text), &named) || page_of(c, pid))
        return;
    uint32_t device = opli_builder_device(c->builder, named.kind, named.id);
    device_page *page = opli_vector_add(&c->pages);
    c->builder->out_of_memory |= !page;
    if (!page || device == OPLI_NO_ROW)
        return;
    *page = (device_page){.pid = pid, .process = process, .device = device};
    c->builder->trace->devices.items[device].name = text;
    memset(c->last, 0, sizeof c->last);
}

/* Names that only say how a viewer should draw. */
static bool is_for_viewers(const opli_json_value *name)
{
    static const char *const names[] = {"process_sort_index", "thread_sort_index", "process_uptime_seconds", "num_cpus",
                                        "trace_buffer_overflowed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (opli_json_is(name, names[i]))
            return true;
    return false;
}

static void read_metadata(chrome *c, const opli_chrome_event *event)
{
    opli_json_value value;
    int64_t pid = number_of(c, &event->process), tid = number_of(c, &event->thread);
    if (opli_json_is(&event->name, "oplens_device")) {
        read_device_page(c, event, pid);
    } else if (opli_json_is(&event->name, "process_name") && find_argument(event, "name", &value)) {
        name_process(c, pid, text_of(c, &value));
    } else if (opli_json_is(&event->name, "process_labels") && find_argument(event, "labels", &value)) {
        uint32_t text = text_of(c, &value), process = opli_builder_process(c->builder, pid);
        c->builder->trace->processes.items[process].labels = text;
    } else if (opli_json_is(&event->name, "thread_name") && find_argument(event, "name", &value)) {
        name_tracks(c, pid, tid, text_of(c, &value));
    } else if (!is_for_viewers(&event->name)) {
        note(c, "metadata events are of a name we do not know: they were passed over", false);
    }
}

/* ---- one event ---- */

static void read_event(chrome *c, opli_chrome_event *event)
{
    if (event->empty)
        return; /* what stands behind the last comma of some writers */
    if (event->phase == 'M') {
        read_metadata(c, event);
        return;
    }
    if (!event->has_time) {
        note(c, "events have no time that makes sense: they were skipped", true);
        return;
    }
    switch (event->phase) {
    case 'X': read_complete(c, event); break;
    case 'B': read_begin(c, event); break;
    case 'E': read_end(c, event); break;
    case 'b':
    case 'S': read_async_begin(c, event); break;
    case 'e':
    case 'F': read_async_end(c, event); break;
    case 'C': read_counter(c, event); break;
    case 'i':
    case 'I':
    case 'n':
    case 'R': read_instant(c, event); break;
    case 's':
    case 't':
    case 'f': read_flow(c, event); break;
    default: note(c, "events are of a phase we do not know: they were skipped", true);
    }
}

/* ---- the file ---- */

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
    memset(c->last, 0, sizeof c->last); /* they point into what goes */
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
            read_event(c, &batch->events[i]);
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
            read_event(c, &c->event);
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

static void read_device(chrome *c, const opli_json_value *object)
{
    opli_json members = members_of(object);
    opli_json_value key, value, name = {.kind = OPLI_JSON_END};
    int64_t id = 0, memory = 0;
    while (members.at && opli_json_member(&members, &key, &value)) {
        if (opli_json_is(&key, "id"))
            opli_json_int(&value, &id);
        else if (opli_json_is(&key, "totalGlobalMem"))
            opli_json_int(&value, &memory);
        else if (opli_json_is(&key, "name"))
            name = value;
    }
    uint32_t device = opli_builder_device(c->builder, "gpu", id);
    if (device == OPLI_NO_ROW)
        return;
    c->builder->trace->devices.items[device].name = text_of(c, &name);
    c->builder->trace->devices.items[device].memory_bytes = memory;
}

static void read_devices(chrome *c, const opli_json_value *array)
{
    opli_json elements = {array->text + 1, array->text + array->length};
    opli_json_value device;
    while (opli_json_element(&elements, &device))
        read_device(c, &device);
}

/* What our own export noted of the trace it came from. */
static void read_notes(chrome *c, const opli_json_value *array)
{
    opli_json elements = {array->text + 1, array->text + array->length};
    opli_json_value object, key, value;
    while (opli_json_element(&elements, &object)) {
        opli_json members = members_of(&object);
        uint32_t sentence = 0;
        int64_t count = 1;
        bool is_loss = false;
        while (members.at && opli_json_member(&members, &key, &value)) {
            if (opli_json_is(&key, "note"))
                sentence = text_of(c, &value);
            else if (opli_json_is(&key, "count"))
                opli_json_int(&value, &count);
            else if (opli_json_is(&key, "is_loss"))
                is_loss = value.length == 4;
        }
        if (sentence && count > 0) {
            char *copy = strdup(opli_trace_text(c->builder->trace, sentence)); /* adding may move the texts */
            opli_builder_note(c->builder, copy ? copy : "", (uint64_t)count, is_loss);
            free(copy);
        }
    }
}

/* A member of the file's object that is not the events. */
static void read_fact(chrome *c, const opli_json_value *key, const opli_json_value *value)
{
    if (opli_json_is(key, "deviceProperties") && value->kind == OPLI_JSON_ARRAY)
        read_devices(c, value);
    if (opli_json_is(key, "baseTimeNanoseconds"))
        opli_json_int(value, &c->builder->trace->base_real_ns);
    if (opli_json_is(key, "oplensNotes") && value->kind == OPLI_JSON_ARRAY) {
        read_notes(c, value);
        return;
    }
    opli_builder_fact(c->builder, text_of(c, key), text_of(c, value));
}

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
        read_fact(c, &key, &value);
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

static opl_status read_chrome(const opli_source *source, opli_builder *builder, opl_error *err)
{
    uint64_t before = builder->draft_count + builder->trace->instants.count + builder->trace->counters.count +
                      builder->trace->flows.count + builder->trace->memory.count + builder->trace->tracks.count;
    chrome *c = calloc(1, sizeof *c);
    if (!c || !opli_shapes_init(&c->shapes)) {
        if (c)
            opli_shapes_free(&c->shapes);
        free(c);
        return opli_fail(err, OPL_NOMEM, "%s: not enough memory to read it", source->path);
    }
    c->source = source;
    c->builder = builder;
    c->json = (opli_json){source->bytes, source->bytes + source->size};
    do {
        read_document(c);
    } while (has_another(c));
    opli_pairs_finish(&c->pairs, builder);
    opli_shapes_free(&c->shapes);
    opli_vector_free(&c->event.arguments);
    opli_vector_free(&c->pages);
    free(c->scratch);
    free(c);
    uint64_t after = builder->draft_count + builder->trace->instants.count + builder->trace->counters.count +
                     builder->trace->flows.count + builder->trace->memory.count + builder->trace->tracks.count;
    if (after == before && !builder->trace->notes.count)
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
