/* furiosa_importer_test.c - Furiosa's CSV: tracks, kinds and ids, in any order of columns; no crash. */
#include "inquiry.h"
#include "test.h"

#define MOBILENET TEST_DATA "/furiosa_mobilenet.csv"
#define READ(trace, text) CHECK_EQ(inquiry_read(&(trace), &opli_importer_furiosa, text, strlen(text)), OPL_OK)

static uint32_t span_named(const opli_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->spans.count; i++)
        if (strcmp(opli_trace_text(trace, trace->spans.name[i]), name) == 0)
            return i;
    fail_msg("there is no span %s", name);
    return 0;
}

static opl_category kind_of(const opli_trace *trace, const char *name)
{
    return (opl_category)trace->spans.kind[span_named(trace, name)];
}

static const opli_track *track_of(const opli_trace *trace, const char *name)
{
    return &trace->tracks.items[trace->spans.track[span_named(trace, name)]];
}

/* The argument's value; a text's id if it is one. */
static uint64_t arg_of(const opli_trace *trace, const char *name, const char *key)
{
    uint32_t text = opli_string_find(&trace->strings, key, strlen(key));
    uint32_t arg = opli_trace_arg(trace, span_named(trace, name), text);
    CHECK(arg != OPLI_NO_ROW);
    return opli_args_value(&trace->args, arg);
}

TEST(furiosa_importer, knows_what_each_row_is)
{
    opli_trace trace;
    inquiry_open(&trace, MOBILENET);
    CHECK_EQ(trace.spans.count, 485);
    CHECK_EQ(kind_of(&trace, "Compile"), OPL_CAT_MODEL);
    CHECK_EQ(kind_of(&trace, "Register"), OPL_CAT_MODEL);
    CHECK_EQ(kind_of(&trace, "Inference"), OPL_CAT_INFERENCE);
    CHECK_EQ(kind_of(&trace, "Enqueue"), OPL_CAT_API);
    CHECK_EQ(kind_of(&trace, "Quantize"), OPL_CAT_OP);
    CHECK_EQ(kind_of(&trace, "Task"), OPL_CAT_INFERENCE);
    CHECK_EQ(kind_of(&trace, "Load"), OPL_CAT_COPY);
    CHECK_EQ(kind_of(&trace, "LowLevelConv2d"), OPL_CAT_OP);
    CHECK_EQ(kind_of(&trace, "trace"), OPL_CAT_LABEL);
    opli_trace_free(&trace);
}

TEST(furiosa_importer, puts_host_rows_on_threads_and_npu_rows_on_queues)
{
    opli_trace trace;
    inquiry_open(&trace, MOBILENET);
    CHECK_EQ(track_of(&trace, "Inference")->kind, OPLI_TRACK_THREAD);
    CHECK_EQ(track_of(&trace, "Inference")->number, 1);
    CHECK_EQ(track_of(&trace, "Quantize")->number, 40);
    const opli_track *queue = track_of(&trace, "LowLevelConv2d");
    CHECK_EQ(queue->kind, OPLI_TRACK_QUEUE);
    CHECK_EQ(queue->number, 0);
    CHECK_TEXT(opli_trace_text(&trace, trace.devices.items[queue->device].kind), "npu");
    opli_trace_free(&trace);
}

TEST(furiosa_importer, keeps_ids_and_indices)
{
    opli_trace trace;
    inquiry_open(&trace, MOBILENET);
    CHECK_TEXT(opli_trace_text(&trace, (uint32_t)arg_of(&trace, "trace", "trace_id")),
               "f3b158734e3684f2e043ed41309c4c2d");
    CHECK_TEXT(opli_trace_text(&trace, (uint32_t)arg_of(&trace, "trace", "parent_span_id")), "0000000000000000");
    CHECK_EQ(arg_of(&trace, "Lower", "operator_index"), 1);
    CHECK_EQ(arg_of(&trace, "LowLevelConv2d", "instruction_index"), 1);
    CHECK_EQ(arg_of(&trace, "LowLevelConv2d", "dram_base"), 2147483648);
    CHECK(trace.base_real_ns == 1690448162271450000);
    CHECK_EQ(trace.spans.start_ns[span_named(&trace, "Register")], 0);
    opli_trace_free(&trace);
}

TEST(furiosa_importer, reads_columns_in_any_order_and_does_without_most)
{
    opli_trace trace;
    READ(trace, "dur,name,pe_index,start\r\n7,\"Conv, \"\"fast\"\"\",3.0,1000\r\n5,Inference,<NA>,1001\r\n");
    CHECK_EQ(trace.spans.count, 2);
    const opli_track *queue = track_of(&trace, "Conv, \"fast\"");
    CHECK_EQ(queue->kind, OPLI_TRACK_QUEUE);
    CHECK_EQ(queue->number, 3);
    CHECK_EQ(trace.spans.duration_ns[span_named(&trace, "Conv, \"fast\"")], 7);
    CHECK_EQ(kind_of(&trace, "Conv, \"fast\""), OPL_CAT_OP);
    CHECK_EQ(kind_of(&trace, "Inference"), OPL_CAT_INFERENCE);
    opli_trace_free(&trace);
}

TEST(furiosa_importer, says_which_rows_it_mended_or_skipped)
{
    opli_trace trace;
    READ(trace, "span_id,start,end,name\n1,,5,no start\n2,5,x,no end\n3,9,4,backwards\n4,1e3,4,odd\n5,9,"
                "99999999999999999999,far\n6,3\n");
    CHECK_EQ(trace.spans.count, 1);
    CHECK(trace.spans.flags[0] & OPLI_SPAN_REPAIRED);
    CHECK_EQ(inquiry_note(&trace, "rows without a start and an end were skipped"), 5);
    CHECK_EQ(inquiry_note(&trace, "spans end before they start"), 1);
    opli_trace_free(&trace);
}

TEST(furiosa_importer, leaves_other_tables_alone)
{
    static const char *const others[] = {"", "a,b\n1,2\n", "name,start\n", "{\"start\": 1, \"name\": 2}",
                                         "start,end,name\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!opli_importer_furiosa.recognises(
            &(opli_source){.path = "", .bytes = others[i], .size = strlen(others[i])}));
}

TEST(furiosa_importer, survives_any_bytes)
{
    static const char few[] =
        "trace_id,parent_span_id,span_id,start,end,cat,name,thread.id,pe_index,instruction_index\n"
        "1,2,1,5,90,Runtime,Inference,1,,\n2,1,2,3,99,Runtime,x,1,,\n"
        "3,1,3,10,20,NPU,Task,,0,\n4,3,4,11,40,NPU,\"Co\"\"nv\",,0,1\n";
    size_t size;
    char *bytes = inquiry_load(MOBILENET, &size);
    inquiry_torture(&opli_importer_furiosa, bytes, size / 8); /* one inference of four is enough */
    inquiry_torture(&opli_importer_furiosa, few, sizeof few - 1);
    free(bytes);
}
