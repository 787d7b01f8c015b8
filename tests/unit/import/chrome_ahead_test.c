/* chrome_ahead_test.c - events that another thread reads arrive all, in order, and no further than they go. */
#include "import/chrome_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "test.h"

#define EVENTS 20000u

static void put_event(opli_text *text, unsigned number)
{
    opli_text_addf(text, "%s{\"ph\": \"X\", \"ts\": %u, \"args\": {\"n\": %u, \"k%u\": \"v\"}}", number ? ",\n" : "",
                   number, number, number % 100);
}

static opli_json text_json(const opli_text *text) { return (opli_json){text->bytes, text->bytes + text->length}; }

/* Takes all batches; how many events came. */
static size_t take_all(opli_chrome_ahead *ahead, const char **at)
{
    size_t count = 0;
    const opli_chrome_batch *batch;
    while ((batch = opli_chrome_ahead_next(ahead))) {
        for (size_t i = 0; i < batch->count; i++, count++) {
            CHECK_EQ(batch->events[i].time_ns, count * 1000);
            CHECK_EQ(batch->events[i].arguments.items[0].value.digits, count);
        }
        *at = batch->at;
    }
    CHECK(!opli_chrome_ahead_next(ahead));
    return count;
}

static void read_all(const char *behind, size_t wanted)
{
    opli_text text = {0};
    opli_shapes shapes;
    const char *at = NULL;
    for (unsigned i = 0; i < EVENTS; i++)
        put_event(&text, i);
    size_t length = text.length;
    opli_text_addf(&text, "%s", behind);
    CHECK(opli_shapes_init(&shapes));
    opli_chrome_ahead *ahead = opli_chrome_ahead_open(text_json(&text), &shapes);
    if (ahead) {
        CHECK_EQ(take_all(ahead, &at), wanted);
        CHECK(at == text.bytes + length);
        opli_chrome_ahead_close(ahead);
    }
    opli_shapes_free(&shapes);
    opli_text_free(&text);
    if (!ahead)
        SKIP("there is only one CPU");
}

TEST(reading_ahead, brings_every_event_in_order) { read_all("\n]", EVENTS); }

TEST(reading_ahead, stops_before_what_is_no_event) { read_all(", \"no event\", {\"ph\": \"X\"}]", EVENTS); }

TEST(reading_ahead, stops_before_an_event_that_is_cut) { read_all(", {\"ph\": \"X\", \"ts", EVENTS); }

TEST(reading_ahead, may_be_given_up_at_any_time)
{
    opli_text text = {0};
    opli_shapes shapes;
    for (unsigned i = 0; i < EVENTS; i++)
        put_event(&text, i);
    CHECK(opli_shapes_init(&shapes));
    for (unsigned batches = 0; batches < 6; batches++) {
        opli_chrome_ahead *ahead = opli_chrome_ahead_open(text_json(&text), &shapes);
        for (unsigned i = 0; ahead && i < batches; i++)
            CHECK(opli_chrome_ahead_next(ahead));
        if (ahead)
            opli_chrome_ahead_close(ahead);
    }
    opli_shapes_free(&shapes);
    opli_text_free(&text);
}
