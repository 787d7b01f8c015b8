/* chrome_store.c - what the events of a Chrome trace mean, put into the store. */
#define _GNU_SOURCE
#include "import/chrome_store.h"

#include <stdlib.h>
#include <string.h>

void opli_chrome_store_init(opli_chrome_store *store, opli_builder *builder)
{
    store->builder = store->texts.builder = builder;
    store->tracks.texts = &store->texts;
}

/* ---- categories ---- */

/* Where a category is remembered: by its length and a few of its letters. */
static opli_known_category *category_place(opli_chrome_store *store, const opli_json_value *value)
{
    uint64_t letters = value->length;
    if (value->length >= 4)
        letters += (uint64_t)(uint8_t)value->text[0] * 31 + (uint64_t)(uint8_t)value->text[3] * 7 +
                   (uint64_t)(uint8_t)value->text[value->length - 2] * 13;
    return &store->categories[letters % OPLI_KNOWN_CATEGORIES];
}

static const opli_known_category *category_of(opli_chrome_store *store, const opli_json_value *value)
{
    opli_known_category *known = category_place(store, value);
    if (known->length == value->length && known->kind == value->kind && known->filled &&
        (!value->length || memcmp(known->bytes, value->text, value->length) == 0))
        return known;
    uint32_t text = value->kind == OPLI_JSON_STRING ? opli_chrome_text(&store->texts, value) : 0;
    const char *word = opli_trace_text(store->builder->trace, text);
    *known = (opli_known_category){.text = text, .word = opli_chrome_word_find(word, strlen(word))};
    known->kind = value->kind;
    known->length = value->length;
    known->filled = value->length <= sizeof known->bytes;
    if (known->filled && value->length)
        memcpy(known->bytes, value->text, value->length);
    return known;
}

/* ---- arguments ---- */

static void add_word(opli_chrome_store *store, uint32_t key, const opli_json_value *value)
{
    if (value->length == 4 && memcmp(value->text, "true", 4) == 0)
        opli_builder_arg(store->builder, key, OPLI_ARG_BOOL, 1);
    else if (value->length == 5 && memcmp(value->text, "false", 5) == 0)
        opli_builder_arg(store->builder, key, OPLI_ARG_BOOL, 0);
    else
        opli_builder_arg(store->builder, key, OPLI_ARG_JSON, opli_chrome_text(&store->texts, value));
}

static void add_number(opli_chrome_store *store, uint32_t key, const opli_json_value *value)
{
    int64_t integer;
    double real;
    if (value->whole) {
        opli_builder_arg(store->builder, key, OPLI_ARG_INT, (uint64_t)value->digits);
        return;
    }
    bool whole = !memchr(value->text, '.', value->length) && !memchr(value->text, 'e', value->length) &&
                 !memchr(value->text, 'E', value->length);
    if (whole && opli_json_int(value, &integer))
        opli_builder_arg(store->builder, key, OPLI_ARG_INT, (uint64_t)integer);
    else if (opli_json_real(value, &real))
        opli_builder_arg_real(store->builder, key, real);
    else
        opli_builder_arg(store->builder, key, OPLI_ARG_JSON, opli_chrome_text(&store->texts, value));
}

/* The id of an argument's key, which its shape remembers. */
static uint32_t key_of(opli_chrome_store *store, const opli_chrome_argument *argument)
{
    uint32_t known = argument->text ? *argument->text : 0;
    if (known)
        return known;
    opli_json_value key = opli_chrome_key(argument);
    uint32_t text = opli_chrome_text(&store->texts, &key);
    if (argument->text)
        *argument->text = text;
    return text;
}

/* Whether the text of a value is in the trace as it stands in the file. */
static bool is_plain_text(const opli_json_value *value)
{
    return value->kind >= OPLI_JSON_OBJECT || (value->kind == OPLI_JSON_STRING && !value->escaped);
}

static uint32_t value_text(opli_chrome_store *store, const opli_chrome_argument *argument)
{
    const opli_json_value *value = &argument->value;
    return is_plain_text(value) ? opli_builder_hashed_text(store->builder, value->text, value->length, argument->hash)
                                : opli_chrome_text(&store->texts, value);
}

static void add_argument(opli_chrome_store *store, const opli_chrome_argument *argument)
{
    const opli_json_value *value = &argument->value;
    uint32_t name = key_of(store, argument);
    switch (value->kind) {
    case OPLI_JSON_STRING: opli_builder_arg(store->builder, name, OPLI_ARG_TEXT, value_text(store, argument)); break;
    case OPLI_JSON_NUMBER: add_number(store, name, value); break;
    case OPLI_JSON_WORD: add_word(store, name, value); break;
    default: opli_builder_arg(store->builder, name, OPLI_ARG_JSON, value_text(store, argument));
    }
}

/* Asks for the memory where the texts of the arguments may be, before the first is looked up. */
static void hash_arguments(opli_chrome_store *store, opli_chrome_event *event)
{
    for (size_t i = 0; i < event->arguments.count; i++) {
        opli_chrome_argument *argument = &event->arguments.items[i];
        const opli_json_value *value = &argument->value;
        argument->hash = is_plain_text(value) ? opli_builder_hash(store->builder, value->text, value->length) : 0;
    }
}

static void add_arguments(opli_chrome_store *store, opli_chrome_event *event)
{
    hash_arguments(store, event);
    for (size_t i = 0; i < event->arguments.count; i++)
        add_argument(store, &event->arguments.items[i]);
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

static void note(opli_chrome_store *store, const char *sentence, bool is_loss)
{
    opli_builder_note(store->builder, sentence, 1, is_loss);
}

/* Where the category says nothing, the row a span stands on may: TensorFlow's and Neural Engine's do. */
static uint8_t kind_without_category(const opli_chrome_store *store, const opli_chrome_event *event, uint32_t track)
{
    opli_json_value value;
    if (track >= store->builder->trace->tracks.count)
        return OPL_CAT_FUNCTION;
    const char *row = opli_trace_text(store->builder->trace, store->builder->trace->tracks.items[track].name);
    uint8_t kind = opli_chrome_kind_on_row(row, event->name.text, event->name.length);
    bool is_operator = kind == OPL_CAT_FUNCTION &&
                       (find_argument(event, "hlo_op", &value) || find_argument(event, "long_name", &value));
    return is_operator ? OPL_CAT_OP : kind;
}

static opli_span_draft draft_of(opli_chrome_store *store, const opli_chrome_event *event)
{
    const opli_known_category *category = category_of(store, &event->category);
    uint32_t name = opli_chrome_text(&store->texts, &event->name);
    opli_span_draft draft = {.start_ns = event->time_ns, .name = name, .category = category->text};
    draft.track = opli_chrome_track(&store->tracks, event, category->word.on_device);
    draft.kind = opli_chrome_kind_refine(category->word.kind, category->word.category,
                                         opli_trace_text(store->builder->trace, name),
                                         opli_string_length(&store->builder->trace->strings, name));
    if (!category->word.category[0])
        draft.kind = kind_without_category(store, event, draft.track);
    return draft;
}

static void read_complete(opli_chrome_store *store, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(store, event);
    draft.duration_ns = event->has_duration ? event->duration_ns : 0;
    if (!event->has_duration)
        note(store, "complete events have no duration: they were given none", false);
    if (draft.duration_ns < 0) {
        draft.duration_ns = 0;
        draft.flags |= OPLI_SPAN_REPAIRED;
        note(store, "spans end before they start: they were given no length", false);
    }
    add_arguments(store, event);
    opli_builder_span(store->builder, &draft);
}

static void read_begin(opli_chrome_store *store, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(store, event);
    add_arguments(store, event);
    if (!opli_pairs_begin(&store->pairs, store->builder, &draft))
        store->builder->out_of_memory = true;
}

static void read_end(opli_chrome_store *store, const opli_chrome_event *event)
{
    uint32_t track = opli_chrome_track(&store->tracks, event, category_of(store, &event->category)->word.on_device);
    if (!opli_pairs_end(&store->pairs, store->builder, track, opli_chrome_text(&store->texts, &event->name),
                        event->time_ns))
        note(store, "end events have no beginning: they were skipped", true);
}

/* Asynchronous spans belong to an id, not to a thread. */
static opli_pair_key async_key(opli_chrome_store *store, const opli_chrome_event *event)
{
    return (opli_pair_key){category_of(store, &event->category)->text, opli_chrome_text(&store->texts, &event->id),
                           opli_chrome_text(&store->texts, &event->name)};
}

static void read_async_begin(opli_chrome_store *store, opli_chrome_event *event)
{
    opli_span_draft draft = draft_of(store, event);
    uint32_t process = store->builder->trace->tracks.items[draft.track].process;
    draft.track = opli_builder_track(store->builder, OPLI_TRACK_ASYNC, process, OPLI_NO_ROW, draft.name);
    draft.flags = OPLI_SPAN_ASYNC;
    add_arguments(store, event);
    if (!opli_pairs_begin_async(&store->pairs, store->builder, async_key(store, event), &draft))
        store->builder->out_of_memory = true;
}

static void read_async_end(opli_chrome_store *store, const opli_chrome_event *event)
{
    if (!opli_pairs_end_async(&store->pairs, store->builder, async_key(store, event), event->time_ns))
        note(store, "asynchronous ends have no beginning: they were skipped", true);
}

/* PyTorch's allocations. */
static void read_memory(opli_chrome_store *store, const opli_chrome_event *event, uint32_t track)
{
    bool on_host = integer_argument(event, "Device Type", 0) == 0;
    int64_t device = integer_argument(event, "Device Id", 0);
    opli_builder_memory(
        store->builder,
        (opli_memory_row){.time_ns = event->time_ns,
                          .size_bytes = integer_argument(event, "Bytes", 0),
                          .address = (uint64_t)integer_argument(event, "Addr", 0),
                          .used_bytes = integer_argument(event, "Total Allocated", -1),
                          .allocated_bytes = integer_argument(event, "Total Reserved", -1),
                          .track = track,
                          .device = on_host ? OPLI_NO_ROW : opli_chrome_memory_device(&store->tracks, device)});
}

static void read_instant(opli_chrome_store *store, opli_chrome_event *event)
{
    const opli_known_category *category = category_of(store, &event->category);
    uint32_t track = opli_chrome_track(&store->tracks, event, category->word.on_device);
    if (opli_json_is(&event->name, "[memory]")) {
        read_memory(store, event, track);
        return;
    }
    add_arguments(store, event);
    opli_builder_instant(store->builder, (opli_instant_row){.time_ns = event->time_ns,
                                                            .track = track,
                                                            .name = opli_chrome_text(&store->texts, &event->name),
                                                            .category = category->text,
                                                            .kind = category->word.kind});
}

/* Every numeric argument is a series of the counter. */
static void read_counter(opli_chrome_store *store, const opli_chrome_event *event)
{
    double number;
    if (opli_json_is(&event->category, "oplens_memory"))
        return; /* our own export's curve of what the memory events say */
    uint32_t process = opli_builder_process(store->builder, opli_chrome_number(&store->texts, &event->process));
    if (!event->arguments.count)
        note(store, "counter events have no values: they were skipped", true);
    for (size_t i = 0; i < event->arguments.count; i++) {
        const opli_chrome_argument *argument = &event->arguments.items[i];
        if (!opli_json_real(&argument->value, &number)) {
            note(store, "counter values are not numbers: they were skipped", true);
            continue;
        }
        opli_builder_counter(store->builder, (opli_counter_row){.time_ns = event->time_ns,
                                                                .value = number,
                                                                .process = process,
                                                                .name = opli_chrome_text(&store->texts, &event->name),
                                                                .series = key_of(store, argument)});
    }
}

static void read_flow(opli_chrome_store *store, const opli_chrome_event *event)
{
    int64_t id = opli_chrome_number(&store->texts, &event->id);
    const opli_known_category *category = category_of(store, &event->category);
    uint32_t track = opli_chrome_flow_track(&store->tracks, event);
    uint8_t phase = event->phase == 's' ? OPLI_FLOW_START : event->phase == 'f' ? OPLI_FLOW_FINISH : OPLI_FLOW_MIDDLE;
    opli_builder_flow(
        store->builder,
        (opli_flow_row){
            .time_ns = event->time_ns, .id = (uint64_t)id, .category = category->text, .track = track, .phase = phase});
}

/* ---- metadata ---- */

/* Our own export: this pid is a device of that process. */
static void read_device_page(opli_chrome_store *store, const opli_chrome_event *event, int64_t pid)
{
    opli_json_value kind;
    char word[64] = "device";
    if (find_argument(event, "kind", &kind) && kind.length && kind.length < sizeof word) {
        memcpy(word, kind.text, kind.length);
        word[kind.length] = '\0';
    }
    opli_chrome_add_page(&store->tracks, pid, integer_argument(event, "process", pid), word,
                         integer_argument(event, "id", 0));
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

static void read_metadata(opli_chrome_store *store, const opli_chrome_event *event)
{
    opli_json_value value;
    int64_t pid = opli_chrome_number(&store->texts, &event->process),
            tid = opli_chrome_number(&store->texts, &event->thread);
    if (opli_json_is(&event->name, "oplens_device")) {
        read_device_page(store, event, pid);
    } else if (opli_json_is(&event->name, "process_name") && find_argument(event, "name", &value)) {
        opli_chrome_name_process(&store->tracks, pid, opli_chrome_text(&store->texts, &value));
    } else if (opli_json_is(&event->name, "process_labels") && find_argument(event, "labels", &value)) {
        uint32_t text = opli_chrome_text(&store->texts, &value), process = opli_builder_process(store->builder, pid);
        store->builder->trace->processes.items[process].labels = text;
    } else if (opli_json_is(&event->name, "thread_name") && find_argument(event, "name", &value)) {
        opli_chrome_name_tracks(&store->tracks, pid, tid, opli_chrome_text(&store->texts, &value));
    } else if (!is_for_viewers(&event->name)) {
        note(store, "metadata events are of a name we do not know: they were passed over", false);
    }
}

/* ---- one event ---- */

void opli_chrome_store_event(opli_chrome_store *store, opli_chrome_event *event)
{
    if (event->empty)
        return; /* what stands behind the last comma of some writers */
    if (event->phase == 'M') {
        read_metadata(store, event);
        return;
    }
    if (!event->has_time) {
        note(store, "events have no time that makes sense: they were skipped", true);
        return;
    }
    switch (event->phase) {
    case 'X': read_complete(store, event); break;
    case 'B': read_begin(store, event); break;
    case 'E': read_end(store, event); break;
    case 'b':
    case 'S': read_async_begin(store, event); break;
    case 'e':
    case 'F': read_async_end(store, event); break;
    case 'C': read_counter(store, event); break;
    case 'i':
    case 'I':
    case 'n':
    case 'R': read_instant(store, event); break;
    case 's':
    case 't':
    case 'f': read_flow(store, event); break;
    default: note(store, "events are of a phase we do not know: they were skipped", true);
    }
}

/* ---- facts ---- */

static opli_json members_of(const opli_json_value *object)
{
    bool is_object = object->kind == OPLI_JSON_OBJECT;
    return (opli_json){is_object ? object->text + 1 : NULL, is_object ? object->text + object->length : NULL};
}

static void read_device(opli_chrome_store *store, const opli_json_value *object)
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
    uint32_t device = opli_builder_device(store->builder, "gpu", id);
    if (device == OPLI_NO_ROW)
        return;
    store->builder->trace->devices.items[device].name = opli_chrome_text(&store->texts, &name);
    store->builder->trace->devices.items[device].memory_bytes = memory;
}

static void read_devices(opli_chrome_store *store, const opli_json_value *array)
{
    opli_json elements = {array->text + 1, array->text + array->length};
    opli_json_value device;
    while (opli_json_element(&elements, &device))
        read_device(store, &device);
}

/* What our own export noted of the trace it came from. */
static void read_notes(opli_chrome_store *store, const opli_json_value *array)
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
                sentence = opli_chrome_text(&store->texts, &value);
            else if (opli_json_is(&key, "count"))
                opli_json_int(&value, &count);
            else if (opli_json_is(&key, "is_loss"))
                is_loss = value.length == 4;
        }
        if (sentence && count > 0) {
            char *copy = strdup(opli_trace_text(store->builder->trace, sentence)); /* adding may move the texts */
            opli_builder_note(store->builder, copy ? copy : "", (uint64_t)count, is_loss);
            free(copy);
        }
    }
}

void opli_chrome_store_fact(opli_chrome_store *store, const opli_json_value *key, const opli_json_value *value)
{
    if (opli_json_is(key, "deviceProperties") && value->kind == OPLI_JSON_ARRAY)
        read_devices(store, value);
    if (opli_json_is(key, "baseTimeNanoseconds"))
        opli_json_int(value, &store->builder->trace->base_real_ns);
    if (opli_json_is(key, "oplensNotes") && value->kind == OPLI_JSON_ARRAY) {
        read_notes(store, value);
        return;
    }
    opli_builder_fact(store->builder, opli_chrome_text(&store->texts, key), opli_chrome_text(&store->texts, value));
}

void opli_chrome_store_finish(opli_chrome_store *store)
{
    opli_pairs_finish(&store->pairs, store->builder);
    opli_chrome_tracks_free(&store->tracks);
    opli_chrome_texts_free(&store->texts);
}
