/* argument_test.c - every type of argument comes back exactly as it was given. */
#include <float.h>
#include <math.h>

#include "playback.h"
#include "test.h"

#define MANY 5000 /* spans that surely begin another chunk */

static void turn_the_chunk(void)
{
    for (int i = 0; i < MANY; i++)
        OPL_SPAN ("filler", OPL_CAT_OP) {
        }
}

/* ---- numbers ---- */

TEST(argument, keeps_every_integer_exactly)
{
    static const int64_t values[] = {
        0,         1,         -1,   INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, (int64_t)INT32_MIN - 1,
        INT64_MAX, INT64_MIN, 4096, -4096};
    playback_record("integers.opl");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OPL_SPAN ("s", OPL_CAT_OP) {
            OPL_INT("int", values[i]);
            OPL_UINT("uint", (uint64_t)values[i]);
            OPL_BOOL("bool", values[i] != 0);
        }
    playback p = playback_stop();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const played *e = playback_nth(&p, "s", i);
        CHECK_EQ(e->event.argument_count, 3);
        CHECK_EQ(playback_argument(e, "int")->tag, OPLI_TAG_ARG_INT);
        CHECK_EQ(playback_argument(e, "int")->value, values[i]);
        CHECK_EQ(playback_argument(e, "uint")->tag, OPLI_TAG_ARG_UINT);
        CHECK_EQ(playback_argument(e, "uint")->value, (uint64_t)values[i]);
        CHECK_EQ(playback_argument(e, "bool")->tag, OPLI_TAG_ARG_BOOL);
        CHECK_EQ(playback_argument(e, "bool")->value, values[i] != 0);
    }
    playback_close(&p);
}

TEST(argument, keeps_every_bit_of_a_real)
{
    const double values[] = {0.0, -0.0, 0.1, -1e300, DBL_MIN, DBL_TRUE_MIN, DBL_MAX, INFINITY, -INFINITY, NAN, -NAN};
    playback_record("reals.opl");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OPL_SPAN ("s", OPL_CAT_OP)
            OPL_REAL("real", values[i]);
    playback p = playback_stop();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const opli_argument *argument = playback_argument(playback_nth(&p, "s", i), "real");
        CHECK_EQ(argument->tag, OPLI_TAG_ARG_REAL);
        assert_memory_equal(&argument->value, &values[i], sizeof values[i]);
    }
    playback_close(&p);
}

TEST(argument, says_true_for_any_number_but_zero)
{
    playback_record("bools.opl");
    OPL_SPAN ("s", OPL_CAT_OP) {
        OPL_BOOL("two", 2);
        OPL_BOOL("minus", -1);
        OPL_BOOL("large", 0x10000);
    }
    playback p = playback_stop();
    const played *e = playback_only(&p, "s");
    CHECK(playback_argument(e, "two")->value == 1 && playback_argument(e, "minus")->value == 1 &&
          playback_argument(e, "large")->value == 1);
    playback_close(&p);
}

/* ---- texts ---- */

static void check_text(const played *e, const char *key, const char *text, size_t length, bool cut)
{
    const opli_argument *argument = playback_argument(e, key);
    CHECK_EQ(argument->tag, OPLI_TAG_ARG_TEXT);
    CHECK_EQ(argument->size, length);
    CHECK_EQ(argument->cut, cut);
    if (length)
        assert_memory_equal(argument->bytes, text, length);
}

TEST(argument, keeps_texts_of_every_length_up_to_16_kib)
{
    char text[16384 + 1];
    static const size_t lengths[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 4095, 4096, 16383, 16384};
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('!' + i % 90);
    playback_record("lengths.opl");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        OPL_SPAN ("s", OPL_CAT_OP)
            opl_arg_text_n(&opl_this_span, OPL_KEY("t"), text, lengths[i]);
    playback p = playback_stop();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_text(playback_nth(&p, "s", i), "t", text, lengths[i], false);
    playback_close(&p);
}

TEST(argument, cuts_a_text_over_16_kib_and_marks_it_as_cut)
{
    static char text[40001];
    static const size_t lengths[] = {16385, 20000, 40000};
    memset(text, 'x', sizeof text - 1);
    playback_record("cut.opl");
    for (size_t i = 0; i < 3; i++)
        OPL_SPAN ("s", OPL_CAT_OP)
            opl_arg_text_n(&opl_this_span, OPL_KEY("t"), text, lengths[i]);
    OPL_SPAN ("ended by zero", OPL_CAT_OP)
        OPL_TEXT("t", text);
    OPL_SPAN ("just fits", OPL_CAT_OP)
        opl_arg_text_n(&opl_this_span, OPL_KEY("t"), text, 16384);
    playback p = playback_stop();
    for (size_t i = 0; i < 3; i++)
        check_text(playback_nth(&p, "s", i), "t", text, 16384, true);
    check_text(playback_only(&p, "ended by zero"), "t", text, 16384, true);
    check_text(playback_only(&p, "just fits"), "t", text, 16384, false);
    CHECK(strstr(playback_only(&p, "ended by zero")->line, "(cut)"));
    playback_close(&p);
}

TEST(argument, keeps_texts_of_any_bytes)
{
    static const char bytes[] = "\0 zero, \xff\xfe, \xc3\xa4, \"quoted\", \n";
    playback_record("anybytes.opl");
    OPL_SPAN ("s", OPL_CAT_OP)
        opl_arg_text_n(&opl_this_span, OPL_KEY("t"), bytes, sizeof bytes);
    playback p = playback_stop();
    check_text(playback_only(&p, "s"), "t", bytes, sizeof bytes, false);
    playback_close(&p);
}

TEST(argument, says_nothing_for_a_missing_text)
{
    playback_record("missing.opl");
    OPL_SPAN ("s", OPL_CAT_OP) {
        OPL_TEXT("null", NULL);
        opl_arg_ints(&opl_this_span, OPL_KEY("null"), NULL, 3);
        opl_arg_tensors(&opl_this_span, OPL_KEY("null"), NULL, 3);
    }
    playback p = playback_stop();
    CHECK_EQ(playback_only(&p, "s")->event.argument_count, 0);
    playback_close(&p);
}

/* The same text again is not stored again; one that looks alike is not taken for it. */
TEST(argument, stores_a_text_once_and_never_mistakes_it)
{
    static const char *const texts[] = {"NCHW", "NHWC", "NCHW", "nchw", "NCH", "NCHW ", "", "NCHW"};
    playback_record("cache.opl");
    for (int round = 0; round < 3000; round++)
        OPL_SPAN ("s", OPL_CAT_OP) {
            OPL_TEXT("layout", texts[round % 8]);
            OPL_INTS("same bytes", ((int64_t[]){0x57484e}), 1);
        }
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "s"), 3000);
    for (size_t i = 0; i < p.events.count; i++)
        check_text(&p.events.items[i], "layout", texts[i % 8], strlen(texts[i % 8]), false);
    CHECK(p.recording.size < 3000 * 32 + 300000);
    playback_close(&p);
}

TEST(argument, keeps_a_thousand_different_texts_apart)
{
    char text[64];
    playback_record("thousands.opl");
    for (int i = 0; i < 20000; i++)
        OPL_SPAN ("s", OPL_CAT_OP) {
            snprintf(text, sizeof text, "text %d", i % 1500);
            OPL_TEXT("t", text);
        }
    playback p = playback_stop();
    for (size_t i = 0; i < 20000; i++) {
        int length = snprintf(text, sizeof text, "text %zu", i % 1500);
        check_text(&p.events.items[i], "t", text, (size_t)length, false);
    }
    playback_close(&p);
}

/* ---- lists ---- */

static void check_ints(const played *e, const char *key, const int64_t *values, size_t count, bool cut)
{
    const opli_argument *argument = playback_argument(e, key);
    CHECK_EQ(argument->tag, OPLI_TAG_ARG_INTS);
    CHECK_EQ(argument->size, count * sizeof *values);
    CHECK_EQ(argument->cut, cut);
    if (count)
        assert_memory_equal(argument->bytes, values, count * sizeof *values);
}

TEST(argument, keeps_lists_of_integers)
{
    static int64_t values[3000];
    for (size_t i = 0; i < 3000; i++)
        values[i] = i % 3 ? (int64_t)i : INT64_MIN + (int64_t)i;
    playback_record("lists.opl");
    OPL_SPAN ("s", OPL_CAT_OP) {
        OPL_INTS("none", NULL, 0);
        OPL_INTS("none again", NULL, 0);
        OPL_INTS("one", values, 1);
        OPL_INTS("most", values, 2048);
        OPL_INTS("too many", values, 2049);
    }
    playback p = playback_stop();
    const played *e = playback_only(&p, "s");
    check_ints(e, "none", NULL, 0, false);
    check_ints(e, "none again", NULL, 0, false);
    check_ints(e, "one", values, 1, false);
    check_ints(e, "most", values, 2048, false);
    check_ints(e, "too many", values, 2048, true);
    playback_close(&p);
}

/* ---- tensors ---- */

static void check_tensor(const opli_argument *argument, size_t *at, const opl_tensor *expected)
{
    opli_tensor_view tensor;
    const char *name = expected->name ? expected->name : "";
    CHECK(opli_argument_tensor(argument, at, &tensor));
    CHECK_EQ(tensor.dtype, expected->dtype);
    CHECK_EQ(tensor.rank, expected->rank);
    CHECK_EQ(tensor.name.length, strlen(name));
    assert_memory_equal(tensor.name.bytes, name, strlen(name));
    if (expected->rank)
        assert_memory_equal(tensor.dims, expected->dims, expected->rank * sizeof *expected->dims);
}

TEST(argument, keeps_tensors_of_every_rank_and_type)
{
    static const int64_t dims[] = {1, -1, 224, INT64_MAX, 0, INT64_MIN, 7, 8};
    static const char *const names[] = {"input", NULL, "", "12345678", "a longer name: \xc3\xa4"};
    opl_tensor tensors[OPL_DTYPE_COUNT];
    for (unsigned i = 0; i < OPL_DTYPE_COUNT; i++)
        tensors[i] = (opl_tensor){names[i % 5], (opl_dtype)i, i % 9, i % 9 ? dims : NULL};
    playback_record("tensors.opl");
    OPL_SPAN ("s", OPL_CAT_OP) {
        OPL_TENSORS("none", NULL, 0);
        OPL_TENSORS("inputs", tensors, OPL_DTYPE_COUNT);
    }
    playback p = playback_stop();
    const opli_argument *inputs = playback_argument(playback_only(&p, "s"), "inputs");
    size_t at = 0;
    CHECK(!inputs->cut);
    for (unsigned i = 0; i < OPL_DTYPE_COUNT; i++)
        check_tensor(inputs, &at, &tensors[i]);
    CHECK_EQ(at, inputs->size);
    CHECK_EQ(playback_argument(playback_only(&p, "s"), "none")->size, 0);
    playback_close(&p);
}

TEST(argument, keeps_the_tensors_that_fit_and_marks_the_list_as_cut)
{
    static const int64_t dims[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    opl_tensor tensors[300];
    for (size_t i = 0; i < 300; i++)
        tensors[i] = (opl_tensor){"a name of 24 bytes here!", OPL_DTYPE_F32, 8, dims};
    playback_record("manytensors.opl");
    OPL_SPAN ("s", OPL_CAT_OP)
        OPL_TENSORS("inputs", tensors, 300);
    playback p = playback_stop();
    const opli_argument *inputs = playback_argument(playback_only(&p, "s"), "inputs");
    size_t at = 0, count = 0;
    CHECK(inputs->cut);
    for (; at < inputs->size; count++)
        check_tensor(inputs, &at, &tensors[count]);
    CHECK(count >= 20);
    playback_close(&p);
}

/* ---- whose argument it is ---- */

TEST(argument, belongs_to_its_own_span_however_they_are_nested)
{
    playback_record("nested.opl");
    opl_span outer = OPL_SPAN_BEGIN("outer", OPL_CAT_OP);
    opl_span inner = OPL_SPAN_BEGIN("inner", OPL_CAT_OP);
    opl_arg_int(&outer, OPL_KEY("of"), 1);
    opl_arg_int(&inner, OPL_KEY("of"), 2);
    opl_span_end(&inner);
    opl_arg_text(&outer, OPL_KEY("more"), "after the inner one");
    opl_span_end(&outer);
    opl_arg_int(&outer, OPL_KEY("late"), 3); /* it has ended, and the handle is empty */
    playback p = playback_stop();
    const played *first = playback_only(&p, "outer"), *second = playback_only(&p, "inner");
    CHECK_EQ(playback_argument(first, "of")->value, 1);
    CHECK_EQ(playback_argument(second, "of")->value, 2);
    CHECK(playback_has(first, "more") && !playback_has(first, "late"));
    CHECK_EQ(first->event.argument_count, 2);
    CHECK_EQ(second->event.argument_count, 1);
    playback_close(&p);
}

TEST(argument, keeps_the_order_in_which_arguments_were_given)
{
    playback_record("order.opl");
    OPL_SPAN ("s", OPL_CAT_OP) {
        OPL_INT("c", 1);
        OPL_TEXT("a", "2");
        OPL_REAL("b", 3);
        OPL_INT("c", 4); /* a key may come twice */
    }
    playback p = playback_stop();
    const played *e = playback_only(&p, "s");
    static const char *const keys[] = {"c", "a", "b", "c"};
    CHECK_EQ(e->event.argument_count, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_TEXT(e->keys[i], keys[i]);
    playback_close(&p);
}

TEST(argument, finds_its_span_in_a_chunk_left_behind_long_ago)
{
    static const int64_t dims[] = {3, 4};
    playback_record("far.opl");
    opl_span span = OPL_SPAN_BEGIN("patient", OPL_CAT_OP);
    opl_arg_int(&span, OPL_KEY("near"), 0);
    for (int64_t i = 0; i < 4; i++) {
        turn_the_chunk();
        opl_arg_int(&span, OPL_KEY("far"), i);
        opl_arg_real(&span, OPL_KEY("far real"), 0.5);
        opl_arg_text(&span, OPL_KEY("far text"), "far away");
        opl_arg_ints(&span, OPL_KEY("far ints"), dims, 2);
        opl_arg_tensors(&span, OPL_KEY("far tensors"), &(opl_tensor){"x", OPL_DTYPE_F16, 2, dims}, 1);
    }
    opl_span_end(&span);
    playback p = playback_stop();
    const played *e = playback_only(&p, "patient");
    CHECK_EQ(e->event.argument_count, 1 + 4 * 5);
    CHECK_EQ(playback_argument(e, "far real")->tag, OPLI_TAG_ARG_REAL);
    check_text(e, "far text", "far away", 8, false);
    check_ints(e, "far ints", dims, 2, false);
    check_tensor(playback_argument(e, "far tensors"), &(size_t){0}, &(opl_tensor){"x", OPL_DTYPE_F16, 2, dims});
    CHECK(!e->event.open);
    playback_close(&p);
}

TEST(argument, can_be_given_to_instants_and_timed_spans)
{
    playback_record("others.opl");
    opl_span instant = opl_instant(OPL_SITE("spark", OPL_CAT_OP, 1));
    opl_arg_text(&instant, OPL_KEY("colour"), "blue");
    opl_span timed = opl_span_timed(OPL_SITE("timed", OPL_CAT_OP, 1), 0, opl_clock_ns(), 5);
    opl_arg_uint(&timed, OPL_KEY("address"), UINT64_MAX);
    playback p = playback_stop();
    check_text(playback_only(&p, "spark"), "colour", "blue", 4, false);
    CHECK_EQ(playback_argument(playback_only(&p, "timed"), "address")->value, UINT64_MAX);
    playback_close(&p);
}

TEST(argument, of_a_span_that_is_not_recorded_costs_nothing_and_is_nowhere)
{
    opl_span empty = {NULL, 0, 0};
    playback_record("nowhere.opl");
    opl_arg_int(&empty, OPL_KEY("k"), 1);
    opl_arg_text(&empty, OPL_KEY("k"), "t");
    opl_arg_ints(&empty, OPL_KEY("k"), (int64_t[]){1}, 1);
    opl_arg_operator(&empty, &(opl_operator){.op_type = "Conv"});
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 0);
    playback_close(&p);
}
