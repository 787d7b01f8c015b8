/* chrome_event_test.c - events read by their shape are read as they are member by member. */
#include "import/chrome_event.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define MARGIN "                                " /* shapes want to look a little ahead */

typedef struct fixture {
    opli_json json;
    opli_shapes shapes;
    opli_chrome_event event;
} fixture;

static void begin(fixture *f, const char *text)
{
    memset(f, 0, sizeof *f);
    f->json = (opli_json){text, text + strlen(text)};
    CHECK(opli_shapes_init(&f->shapes));
}

static void finish(fixture *f)
{
    opli_shapes_free(&f->shapes);
    opli_vector_free(&f->event.arguments);
}

static enum opli_chrome_outcome read_next(fixture *f)
{
    if (opli_json_peek(&f->json) == ',')
        f->json.at++;
    return opli_chrome_event_read(&f->json, &f->shapes, &f->event);
}

static const opli_json_value *argument(const fixture *f, const char *name)
{
    for (size_t i = 0; i < f->event.arguments.count; i++) {
        opli_json_value key = opli_chrome_key(&f->event.arguments.items[i]);
        if (opli_json_is(&key, name))
            return &f->event.arguments.items[i].value;
    }
    fail_msg("there is no argument '%s'", name);
    return NULL;
}

static void check_text(const opli_json_value *value, const char *text)
{
    CHECK_EQ(value->length, strlen(text));
    CHECK_EQ(memcmp(value->text, text, value->length), 0);
}

TEST(events, of_one_shape_are_read_alike)
{
    fixture f;
    begin(&f, "{\"ph\": \"X\", \"cat\": \"op\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": 1.5, \"dur\": 0.001, "
              "\"args\": {\"Input Dims\": [[1, 2], []], \"id\": 7}},"
              "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"b \\\"quoted\\\"\", \"pid\": 3, \"tid\": 4, \"ts\": 2, "
              "\"dur\": 12.345678, \"args\": {\"Input Dims\": \"none\", \"id\": -8.5}}" MARGIN);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    check_text(&f.event.name, "a");
    CHECK_EQ(f.event.time_ns, 1500);
    CHECK_EQ(f.event.duration_ns, 1);
    check_text(argument(&f, "Input Dims"), "[[1, 2], []]");
    CHECK_EQ(argument(&f, "id")->digits, 7);
    uint32_t shapes = f.shapes.count;
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(f.shapes.count, shapes);
    check_text(&f.event.name, "b \\\"quoted\\\"");
    CHECK(f.event.name.escaped);
    check_text(&f.event.category, "kernel");
    check_text(&f.event.process, "3");
    CHECK_EQ(f.event.time_ns, 2000);
    CHECK_EQ(f.event.duration_ns, 12346);
    CHECK_EQ(f.event.arguments.count, 2);
    check_text(argument(&f, "Input Dims"), "none");
    CHECK(!argument(&f, "id")->whole);
    finish(&f);
}

TEST(events, keep_nothing_of_the_event_before)
{
    fixture f;
    begin(&f, "{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"id\":3,\"name\":\"n\",\"args\":{\"a\":1}},{\"ph\":\"i\",\"ts\":5},"
              "{\"ph\":\"X\",\"ts\":9}" MARGIN);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(f.event.phase, 'i');
    CHECK(!f.event.has_duration && !f.event.has_id);
    CHECK_EQ(f.event.name.kind, OPLI_JSON_END);
    CHECK_EQ(f.event.arguments.count, 0);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(f.event.phase, 'X');
    CHECK_EQ(f.event.time_ns, 9000);
    finish(&f);
}

TEST(events, may_have_arguments_that_are_no_object_and_then_some_that_are)
{
    fixture f;
    begin(&f, "{\"ph\":\"X\",\"ts\":1,\"args\":null},{\"ph\":\"X\",\"ts\":1,\"args\":{\"a\":1}},"
              "{\"ph\":\"X\",\"ts\":1,\"args\":[1]},{\"ph\":\"X\",\"ts\":1,\"args\":{}},"
              "{\"ph\":\"X\",\"ts\":1,\"args\":{\"a\":2}}" MARGIN);
    size_t wanted[] = {0, 1, 0, 0, 1};
    for (size_t i = 0; i < 5; i++) {
        CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
        CHECK_EQ(f.event.arguments.count, wanted[i]);
    }
    CHECK_EQ(argument(&f, "a")->digits, 2);
    finish(&f);
}

TEST(events, that_say_their_arguments_twice_have_the_later_ones)
{
    fixture f;
    begin(&f, "{\"args\":{\"a\":1,\"b\":2},\"args\":{\"c\":3}},{\"args\":{\"a\":1,\"b\":2},\"args\":{\"c\":4}}" MARGIN);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
        CHECK_EQ(f.event.arguments.count, 1);
        CHECK_EQ(argument(&f, "c")->digits, 3 + i);
    }
    finish(&f);
}

TEST(events, with_arguments_that_cannot_be_read_keep_those_before)
{
    fixture f;
    begin(&f, "{\"args\":{\"a\":1,\"b\":},\"ts\":4},{\"args\":{\"a\":1,\"b\":5},\"ts\":4}" MARGIN);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(f.event.arguments.count, 1);
    CHECK_EQ(f.event.time_ns, 4000);
    CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
    CHECK_EQ(f.event.arguments.count, 2);
    finish(&f);
}

TEST(events, that_are_cut_leave_the_text_where_it_was)
{
    const char *text = "{\"ph\":\"X\",\"ts\":1,\"args\":{\"a\":\"long enough\"}}";
    for (size_t length = 0; length < strlen(text); length++) {
        fixture f;
        begin(&f, "{\"ph\":\"X\",\"ts\":1,\"args\":{\"a\":\"long enough\"}}" MARGIN);
        CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT); /* the shape is known now */
        char *copy = malloc(length + 1);            /* of that size, for the sanitizers to watch */
        memcpy(copy, text, length);
        f.json = (opli_json){copy, copy + length};
        CHECK_EQ(read_next(&f), OPLI_CHROME_CUT);
        CHECK(f.json.at == copy);
        free(copy);
        finish(&f);
    }
}

TEST(events, of_more_shapes_than_are_kept_are_read_all_the_same)
{
    fixture f;
    char text[256];
    begin(&f, "");
    for (unsigned i = 0; i < 2 * OPLI_SHAPES_MAX; i++) {
        snprintf(text, sizeof text, "{\"ts\":%u,\"args\":{\"key %u\":%u,\"other\":1}}" MARGIN, i, i, i);
        f.json = (opli_json){text, text + strlen(text)};
        CHECK_EQ(read_next(&f), OPLI_CHROME_EVENT);
        CHECK_EQ(f.event.time_ns, i * 1000);
        CHECK_EQ(f.event.arguments.count, 2);
        CHECK_EQ(f.event.arguments.items[0].value.digits, i);
    }
    CHECK(f.shapes.count <= OPLI_SHAPES_MAX);
    finish(&f);
}
