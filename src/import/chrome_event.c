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

static void take(opli_chrome_event *event, const opli_json_value *key, const opli_json_value *value)
{
    switch (key_word(key)) {
    case KEY2('p', 'h'): event->phase = value->length ? value->text[0] : '\0'; break;
    case KEY2('t', 's'): event->has_time = opli_json_thousandths(value, &event->time_ns); break;
    case KEY3('d', 'u', 'r'): event->has_duration = opli_json_thousandths(value, &event->duration_ns); break;
    case KEY3('p', 'i', 'd'): event->process = *value; break;
    case KEY3('t', 'i', 'd'): event->thread = *value; break;
    case KEY3('c', 'a', 't'): event->category = *value; break;
    case KEY4('n', 'a', 'm', 'e'): event->name = *value; break;
    case KEY4('a', 'r', 'g', 's'): event->args = *value; break;
    case KEY2('i', 'd'):
    case KEY3('i', 'd', '2'):
        event->id = *value;
        event->has_id = true;
        break;
    default: break;
    }
}

enum opli_chrome_outcome opli_chrome_event_read(opli_json *json, opli_chrome_event *event)
{
    const char *start = json->at;
    opli_json_value key, value;
    memset(event, 0, sizeof *event);
    if (opli_json_peek(json) != '{') {
        json->at = start;
        return json->at == json->end ? OPLI_CHROME_CUT : OPLI_CHROME_WRONG;
    }
    json->at++;
    while (opli_json_member(json, &key, &value))
        take(event, &key, &value);
    if (value.kind == OPLI_JSON_WORD)
        return OPLI_CHROME_EVENT;
    json->at = start;
    return value.kind == OPLI_JSON_END ? OPLI_CHROME_CUT : OPLI_CHROME_WRONG;
}
