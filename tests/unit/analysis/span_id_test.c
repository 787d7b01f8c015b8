/* span_id_test.c - derived ids: of the right length, all different, shared where they should be. */
#include "analysis/span_id.h"

#include "test.h"
#include "trace/builder.h"

typedef struct planned {
    opl_category kind;
    bool on_device;
    int64_t start_ns, duration_ns;
} planned;

enum { FIRST, CONV, KERNEL, SECOND, POOL, OUTSIDE, PLANNED };
static const planned plan[PLANNED] = {
    [FIRST] = {OPL_CAT_INFERENCE, false, 0, 100}, [CONV] = {OPL_CAT_OP, false, 10, 20},
    [KERNEL] = {OPL_CAT_KERNEL, true, 200, 10},   [SECOND] = {OPL_CAT_INFERENCE, false, 300, 100},
    [POOL] = {OPL_CAT_OP, false, 310, 20},        [OUTSIDE] = {OPL_CAT_OP, false, 500, 20},
};

/* Two inferences with an operator each; the first operator launches a kernel; one operator stands alone. */
static void build(opli_trace *trace, int64_t pid)
{
    opli_builder builder;
    opli_builder_init(&builder, trace);
    uint32_t process = opli_builder_process(&builder, pid), gpu = opli_builder_device(&builder, "gpu", 0);
    uint32_t thread = opli_builder_track(&builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 1);
    uint32_t queue = opli_builder_track(&builder, OPLI_TRACK_QUEUE, process, gpu, 7);
    for (size_t i = 0; i < PLANNED; i++)
        opli_builder_span(&builder, &(opli_span_draft){.start_ns = plan[i].start_ns,
                                                       .duration_ns = plan[i].duration_ns,
                                                       .name = opli_builder_word(&builder, "x"),
                                                       .track = plan[i].on_device ? queue : thread,
                                                       .kind = (uint8_t)plan[i].kind});
    opli_builder_flow(&builder, (opli_flow_row){.time_ns = 15, .id = 1, .track = thread, .phase = OPLI_FLOW_START});
    opli_builder_flow(&builder, (opli_flow_row){.time_ns = 200, .id = 1, .track = queue, .phase = OPLI_FLOW_FINISH});
    CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
}

static uint32_t row_of(const opli_trace *trace, size_t planned_row)
{
    for (uint32_t i = 0; i < trace->spans.count; i++)
        if (trace->spans.start_ns[i] == plan[planned_row].start_ns)
            return i;
    return OPLI_NO_ROW;
}

static void write_ids(const opli_trace *trace, char ids[PLANNED][3][40])
{
    static const opli_column columns[] = {
        {"", "", OPLI_COLUMN_TEXT}, {"", "", OPLI_COLUMN_TEXT}, {"", "", OPLI_COLUMN_TEXT}};
    opli_span_ids made;
    opli_table table = {columns, 3, {0}};
    CHECK(opli_span_ids_init(&made, trace));
    for (size_t i = 0; i < PLANNED; i++) {
        uint32_t row = row_of(trace, i);
        CHECK(opli_span_ids_add_trace(&made, row, &table) && opli_span_ids_add_span(&made, row, &table) &&
              opli_span_ids_add_parent(&made, row, &table));
        for (size_t c = 0; c < 3; c++)
            snprintf(ids[i][c], sizeof ids[i][c], "%s", table.cells.items[i * 3 + c].text);
    }
    opli_span_ids_fini(&made);
    opli_table_free(&table);
}

enum { TRACE_ID, SPAN_ID, PARENT_ID };

TEST(span_id, has_16_digits_and_a_trace_id_32)
{
    opli_trace trace;
    char ids[PLANNED][3][40];
    build(&trace, 1);
    write_ids(&trace, ids);
    for (size_t i = 0; i < PLANNED; i++) {
        CHECK_EQ(strspn(ids[i][TRACE_ID], "0123456789abcdef"), 32);
        CHECK_EQ(strspn(ids[i][SPAN_ID], "0123456789abcdef"), 16);
        CHECK_EQ(strlen(ids[i][PARENT_ID]), 16);
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(ids[i][SPAN_ID], ids[j][SPAN_ID]) != 0);
    }
    opli_trace_free(&trace);
}

TEST(span_id, shares_the_trace_id_with_all_descendants_of_an_inference)
{
    opli_trace trace;
    char ids[PLANNED][3][40];
    build(&trace, 1);
    write_ids(&trace, ids);
    CHECK_TEXT(ids[CONV][TRACE_ID], ids[FIRST][TRACE_ID]);
    CHECK_TEXT(ids[KERNEL][TRACE_ID], ids[FIRST][TRACE_ID]);
    CHECK_TEXT(ids[POOL][TRACE_ID], ids[SECOND][TRACE_ID]);
    CHECK(strcmp(ids[FIRST][TRACE_ID], ids[SECOND][TRACE_ID]) != 0);
    CHECK(strcmp(ids[OUTSIDE][TRACE_ID], ids[SECOND][TRACE_ID]) != 0);
    opli_trace_free(&trace);
}

TEST(span_id, leads_to_the_parent_also_from_a_device)
{
    opli_trace trace;
    char ids[PLANNED][3][40];
    build(&trace, 1);
    write_ids(&trace, ids);
    CHECK_TEXT(ids[CONV][PARENT_ID], ids[FIRST][SPAN_ID]);
    CHECK_TEXT(ids[KERNEL][PARENT_ID], ids[CONV][SPAN_ID]);
    CHECK_TEXT(ids[FIRST][PARENT_ID], "0000000000000000");
    opli_trace_free(&trace);
}

TEST(span_id, is_the_same_when_read_again_and_another_in_another_process)
{
    opli_trace trace, again, other;
    char ids[PLANNED][3][40], ids_again[PLANNED][3][40], ids_other[PLANNED][3][40];
    build(&trace, 1);
    build(&again, 1);
    build(&other, 2);
    memset(ids, 0, sizeof ids);
    memset(ids_again, 0, sizeof ids_again);
    write_ids(&trace, ids);
    write_ids(&again, ids_again);
    write_ids(&other, ids_other);
    CHECK(memcmp(ids, ids_again, sizeof ids) == 0);
    CHECK(strcmp(ids[CONV][SPAN_ID], ids_other[CONV][SPAN_ID]) != 0);
    opli_trace_free(&trace);
    opli_trace_free(&again);
    opli_trace_free(&other);
}
