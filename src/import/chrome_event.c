/* chrome_event.c - one event of a Chrome trace, as it stands in the text. */
#include "import/chrome_event.h"

#include <string.h>

/* A key as a number, so that one switch tells them apart: up to 8 bytes of it. */
static uint64_t key_word(const opli_json_value *key)
{
    uint64_t word = 0;
    if (key->length <= sizeof word)
        memcpy(&word, key->text, key->length);
    return word;
}

#define KEY2(a, b) ((uint64_t)(a) | (uint64_t)(b) << 8)
#define KEY3(a, b, c) (KEY2(a, b) | (uint64_t)(c) << 16)
#define KEY4(a, b, c, d) (KEY3(a, b, c) | (uint64_t)(d) << 24)

static enum opli_chrome_role role_of(const opli_json_value *key)
{
    switch (key_word(key)) {
    case KEY2('p', 'h'): return OPLI_ROLE_PHASE;
    case KEY2('t', 's'): return OPLI_ROLE_TIME;
    case KEY3('d', 'u', 'r'): return OPLI_ROLE_DURATION;
    case KEY3('p', 'i', 'd'): return OPLI_ROLE_PROCESS;
    case KEY3('t', 'i', 'd'): return OPLI_ROLE_THREAD;
    case KEY3('c', 'a', 't'): return OPLI_ROLE_CATEGORY;
    case KEY4('n', 'a', 'm', 'e'): return OPLI_ROLE_NAME;
    case KEY2('i', 'd'):
    case KEY3('i', 'd', '2'): return OPLI_ROLE_ID;
    default: return OPLI_ROLE_OTHER;
    }
}

static void take(opli_chrome_event *event, enum opli_chrome_role role, const opli_json_value *value)
{
    switch (role) {
    case OPLI_ROLE_PHASE: event->phase = value->length ? value->text[0] : '\0'; break;
    case OPLI_ROLE_TIME: event->has_time = opli_json_thousandths(value, &event->time_ns); break;
    case OPLI_ROLE_DURATION: event->has_duration = opli_json_thousandths(value, &event->duration_ns); break;
    case OPLI_ROLE_PROCESS: event->process = *value; break;
    case OPLI_ROLE_THREAD: event->thread = *value; break;
    case OPLI_ROLE_CATEGORY: event->category = *value; break;
    case OPLI_ROLE_NAME: event->name = *value; break;
    case OPLI_ROLE_ID:
        event->id = *value;
        event->has_id = true;
        break;
    default: break;
    }
}

static void clear(opli_chrome_event *event)
{
    event->phase = '\0';
    event->empty = true;
    event->has_time = event->has_duration = event->has_id = false;
    event->name.kind = event->category.kind = event->process.kind = event->thread.kind = event->id.kind = OPLI_JSON_END;
    event->name.text = event->category.text = event->process.text = event->thread.text = event->id.text = NULL;
    event->name.length = event->category.length = event->process.length = event->thread.length = event->id.length = 0;
    event->arguments.count = 0;
}

static opli_chrome_argument *next_argument(opli_chrome_event *event)
{
    if (event->arguments.count < event->arguments.capacity)
        return &event->arguments.items[event->arguments.count++];
    return opli_vector_add(&event->arguments);
}

/* ---- by its shape ---- */

/* Where a value goes that is kept as it stands; `other` for one that is not. NULL: no memory. */
static inline opli_json_value *place_of(opli_chrome_event *event, opli_shape *shape, opli_json_value *other)
{
    switch (shape->role) {
    case OPLI_ROLE_PROCESS: return &event->process;
    case OPLI_ROLE_THREAD: return &event->thread;
    case OPLI_ROLE_CATEGORY: return &event->category;
    case OPLI_ROLE_NAME: return &event->name;
    case OPLI_ROLE_ID: event->has_id = true; return &event->id;
    case OPLI_ROLE_ARGUMENT: break;
    default: return other;
    }
    opli_chrome_argument *argument = next_argument(event);
    if (!argument)
        return NULL;
    argument->key = shape->key;
    argument->key_length = shape->key_length;
    argument->key_escaped = shape->key_escaped;
    argument->text = &shape->key_text;
    return &argument->value;
}

/* Reads an event whose shape is known; false when it is not, with the text where it was. */
static bool read_known(opli_json *json, opli_shapes *shapes, opli_chrome_event *event)
{
    opli_json at = *json;
    opli_json_value other;
    for (uint32_t shape = 0;;) {
        shape = opli_shape_match(shapes, shape, at.at, at.end);
        if (!shape)
            return false;
        opli_shape *known = &shapes->items[shape];
        at.at += known->gap_length;
        if (known->role == OPLI_ROLE_END) {
            json->at = at.at;
            return true;
        }
        opli_json_value *value = place_of(event, known, &other);
        enum opli_json_kind kind = value ? opli_json_read(&at, value) : OPLI_JSON_WRONG;
        if (kind == OPLI_JSON_END || kind == OPLI_JSON_WRONG)
            return false;
        event->empty = false;
        if (value == &other)
            take(event, (enum opli_chrome_role)known->role, value);
    }
}

/* ---- member by member ---- */

/* An event being read, and its shape being learnt. */
typedef struct study {
    opli_json *json;
    opli_shapes *shapes;
    opli_chrome_event *event;
    uint32_t shape;  /* the last value's; OPLI_SHAPES_MAX: not learnt any more */
    const char *gap; /* the end of the last value */
    bool has_arguments;
} study;

static void learn(study *s, const char *to, enum opli_chrome_role role, const opli_json_value *key)
{
    if (s->shape != OPLI_SHAPES_MAX) {
        uint32_t shape = opli_shape_learn(s->shapes, s->shape, s->gap, (size_t)(to - s->gap), role);
        if (shape && role == OPLI_ROLE_ARGUMENT &&
            !opli_shape_set_key(s->shapes, shape, key->text, key->length, key->escaped))
            shape = 0;
        s->shape = shape ? shape : OPLI_SHAPES_MAX;
    }
    s->gap = s->json->at;
}

static void forget_shape(study *s) { s->shape = OPLI_SHAPES_MAX; }

static const char *start_of(const opli_json_value *value) { return value->text - (value->kind == OPLI_JSON_STRING); }

/* The members of "args", from behind its brace. What cannot be read ends them, and they are kept so far. */
static enum opli_chrome_outcome read_arguments(study *s, const opli_json_value *whole)
{
    opli_json inside = {whole->text + 1, whole->text + whole->length};
    opli_json_value key, value;
    if (s->has_arguments) { /* twice: the later ones count */
        s->event->arguments.count = 0;
        forget_shape(s);
    }
    s->has_arguments = true;
    const char *behind = s->json->at;
    while (opli_json_member(&inside, &key, &value)) {
        opli_chrome_argument *argument = next_argument(s->event);
        if (!argument)
            return OPLI_CHROME_NOMEM;
        *argument = (opli_chrome_argument){
            .value = value, .key = key.text, .key_length = (uint32_t)key.length, .key_escaped = key.escaped};
        s->json->at = inside.at;
        learn(s, start_of(&value), OPLI_ROLE_ARGUMENT, &key);
    }
    if (inside.at != behind)
        forget_shape(s);
    s->json->at = behind;
    return OPLI_CHROME_EVENT;
}

static enum opli_chrome_outcome read_member(study *s, const opli_json_value *key, const opli_json_value *value)
{
    bool arguments = key->length == 4 && memcmp(key->text, "args", 4) == 0;
    s->event->empty = false;
    if (arguments && value->kind == OPLI_JSON_OBJECT)
        return read_arguments(s, value);
    if (arguments)
        forget_shape(s); /* no object here; elsewhere it may be one, behind the same text */
    enum opli_chrome_role role = role_of(key);
    take(s->event, role, value);
    learn(s, start_of(value), role, key);
    return OPLI_CHROME_EVENT;
}

static enum opli_chrome_outcome read_unknown(opli_json *json, opli_shapes *shapes, opli_chrome_event *event)
{
    const char *start = json->at;
    study s = {.json = json, .shapes = shapes, .event = event, .gap = start};
    opli_json_value key, value;
    enum opli_chrome_outcome outcome = OPLI_CHROME_EVENT;
    json->at++;
    while (outcome == OPLI_CHROME_EVENT && opli_json_member(json, &key, &value))
        outcome = read_member(&s, &key, &value);
    if (outcome == OPLI_CHROME_EVENT && value.kind == OPLI_JSON_WORD) {
        if (s.shape || event->empty) /* one with members but no values would be taken for empty */
            learn(&s, json->at, OPLI_ROLE_END, NULL);
        return OPLI_CHROME_EVENT;
    }
    json->at = start;
    if (outcome != OPLI_CHROME_EVENT)
        return outcome;
    return value.kind == OPLI_JSON_END ? OPLI_CHROME_CUT : OPLI_CHROME_WRONG;
}

enum opli_chrome_outcome opli_chrome_event_read(opli_json *json, opli_shapes *shapes, opli_chrome_event *event)
{
    const char *start = json->at;
    if (opli_json_peek(json) != '{') {
        json->at = start;
        return json->at == json->end ? OPLI_CHROME_CUT : OPLI_CHROME_WRONG;
    }
    clear(event);
    if (read_known(json, shapes, event))
        return OPLI_CHROME_EVENT;
    clear(event);
    return read_unknown(json, shapes, event);
}
