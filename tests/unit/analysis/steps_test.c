/* steps_test.c - turns of a loop: what belongs to them, and when devices work in them. */
#include "inquiry.h"
#include "test.h"

/* Two steps on thread 1. The second begins while a kernel of the first still runs; thread 2 works for both. */
static const char loop[] =
    "[{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#4\", \"pid\": 1, \"tid\": 1, \"ts\": 0, "
    "\"dur\": 100},"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#5\", \"pid\": 1, \"tid\": 1, \"ts\": 100, "
    "\"dur\": 50},"
    "{\"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"ProfilerStep#4\", \"pid\": 0, \"tid\": 7, \"ts\": "
    "20, "
    "\"dur\": 100, \"args\": {\"device\": 0}},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"mm\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 5, "
    "\"args\": {\"External id\": 1}},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"backward\", \"pid\": 1, \"tid\": 2, \"ts\": 60, \"dur\": 70, "
    "\"args\": {\"External id\": 2}},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"add\", \"pid\": 1, \"tid\": 1, \"ts\": 100, \"dur\": 5, "
    "\"args\": {\"External id\": 3}},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"elsewhere\", \"pid\": 2, \"tid\": 1, \"ts\": 50, \"dur\": 5},"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\", \"pid\": 0, \"tid\": 7, \"ts\": 20, \"dur\": 30, "
    "\"args\": {\"device\": 0, \"External id\": 1}},"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"b\", \"pid\": 0, \"tid\": 8, \"ts\": 40, \"dur\": 20, "
    "\"args\": {\"device\": 0, \"External id\": 1}},"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"c\", \"pid\": 0, \"tid\": 7, \"ts\": 90, \"dur\": 30, "
    "\"args\": {\"device\": 0, \"External id\": 2}}]";

TEST(steps, have_their_operators_on_all_threads_and_the_time_devices_are_busy_once)
{
    opli_trace trace;
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, loop, strlen(loop)), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_steps);
    CHECK_EQ(opli_table_rows(&table), 2);
    CHECK_EQ(inquiry_number(&table, 0, "step"), 4);
    CHECK_EQ(inquiry_number(&table, 0, "pid"), 1);
    CHECK_EQ(inquiry_number(&table, 0, "duration_ns"), 100000);
    CHECK_EQ(inquiry_number(&table, 0, "operators"), 2);
    CHECK_EQ(inquiry_number(&table, 0, "launched"), 3);
    CHECK_EQ(inquiry_number(&table, 0, "device_total_ns"), 80000);
    CHECK_EQ(inquiry_number(&table, 0, "device_busy_ns"), 50000); /* 20 to 60, and 90 to 100 */
    CHECK_EQ(inquiry_number(&table, 0, "device_idle_ns"), 50000);
    CHECK_EQ(inquiry_number(&table, 1, "step"), 5);
    CHECK_EQ(inquiry_number(&table, 1, "operators"), 1);
    CHECK_EQ(inquiry_number(&table, 1, "launched"), 0);
    CHECK_EQ(inquiry_number(&table, 1, "device_busy_ns"), 20000); /* what the first launched */
    CHECK_EQ(inquiry_number(&table, 1, "device_idle_ns"), 30000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* As our recorder's schedule writes them. */
TEST(steps, of_our_recorder_have_the_number_in_their_argument)
{
    opli_trace trace;
    opli_builder b;
    opli_builder_init(&b, &trace);
    uint32_t track = opli_builder_track(&b, OPLI_TRACK_THREAD, opli_builder_process(&b, 3), OPLI_NO_ROW, 9);
    opli_builder_arg(&b, opli_builder_word(&b, "step"), OPLI_ARG_INT, 12);
    opli_builder_span(&b, &(opli_span_draft){.start_ns = 5,
                                             .duration_ns = 10,
                                             .name = opli_builder_word(&b, "step"),
                                             .track = track,
                                             .kind = OPL_CAT_STEP});
    opli_builder_span(&b, &(opli_span_draft){.start_ns = 20,
                                             .duration_ns = 10,
                                             .name = opli_builder_word(&b, "epoch #x"),
                                             .track = track,
                                             .kind = OPL_CAT_STEP});
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    opli_table table = inquiry_ask(&trace, &opli_analysis_steps);
    CHECK_EQ(inquiry_number(&table, 0, "step"), 12);
    CHECK_EQ(inquiry_number(&table, 0, "thread"), 9);
    CHECK_EQ(inquiry_number(&table, 0, "device_idle_ns"), 10);
    CHECK(inquiry_cell(&table, 1, "step")->empty);
    opli_table_free(&table);
    opli_trace_free(&trace);
}
