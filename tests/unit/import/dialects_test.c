/* dialects_test.c - traces as ONNX Runtime, TensorFlow, RAF and Neural Engine write them, beside figures made by hand
 * or by a script. RAF's and Neural Engine's files follow what their writers do, letter by letter: see their notes in
 * each test. */
#include "base/text.h"
#include "hazard.h"
#include "inquiry.h"
#include "test.h"

/* The table's row of that name on the host or on the device. */
static size_t row_on(const opli_table *table, const char *name, bool on_device)
{
    for (size_t row = 0; row < opli_table_rows(table); row++)
        if (strcmp(inquiry_text(table, row, "name"), name) == 0 &&
            (inquiry_number(table, row, "device_self_ns") > 0) == on_device)
            return row;
    fail_msg("there is no row '%s'", name);
    return 0;
}

static void check_host(const opli_table *averages, const char *name, int64_t count, int64_t self_ns, int64_t total_ns)
{
    size_t row = row_on(averages, name, false);
    CHECK_EQ(inquiry_number(averages, row, "count"), count);
    CHECK_EQ(inquiry_number(averages, row, "cpu_self_ns"), self_ns);
    CHECK_EQ(inquiry_number(averages, row, "cpu_total_ns"), total_ns);
}

static void check_operator(const opli_table *operators, const char *name, int64_t count, int64_t total_ns)
{
    size_t row = inquiry_row(operators, "name", name);
    CHECK_EQ(inquiry_number(operators, row, "count"), count);
    CHECK_EQ(inquiry_number(operators, row, "total_ns"), total_ns);
}

/* ---- ONNX Runtime ---- */

typedef struct sum {
    int64_t count, total_ns;
} sum;

/* All nodes of that type, by the argument the runtime gives them. */
static sum sum_of_type(const opli_trace *trace, const char *type)
{
    uint32_t key = opli_string_find(&trace->strings, "op_name", 7);
    sum found = {0, 0};
    for (uint32_t i = 0; i < trace->spans.count; i++) {
        uint32_t arg = opli_trace_arg(trace, i, key);
        if (arg == OPLI_NO_ROW || trace->spans.kind[i] != OPL_CAT_OP ||
            strcmp(opli_trace_text(trace, (uint32_t)opli_args_value(&trace->args, arg)), type) != 0)
            continue;
        found.count++;
        found.total_ns += trace->spans.duration_ns[i];
    }
    return found;
}

static sum sum_of_name(const opli_table *averages, const char *name)
{
    size_t row = inquiry_row(averages, "name", name);
    return (sum){inquiry_number(averages, row, "count"), inquiry_number(averages, row, "cpu_total_ns")};
}

/* Each line of what tests/data/ort_sums.py prints: "name" or "type", which, how often, nanoseconds. */
static size_t check_sums(const char *profile, const char *sums)
{
    opli_trace trace;
    inquiry_open(&trace, profile);
    opli_table averages = inquiry_ask(&trace, &opli_analysis_averages);
    char key[16], name[512];
    long long count, total_ns;
    size_t lines = 0;
    FILE *file = fopen(sums, "r");
    CHECK(file != NULL);
    for (; fscanf(file, "%15s\t%511[^\t]\t%lld\t%lld\n", key, name, &count, &total_ns) == 4; lines++) {
        sum ours = strcmp(key, "type") == 0 ? sum_of_type(&trace, name) : sum_of_name(&averages, name);
        if (ours.count != count || ours.total_ns != total_ns)
            fail_msg("%s %s: %lld ns in %lld calls, the script says %lld in %lld", key, name, (long long)ours.total_ns,
                     (long long)ours.count, total_ns, count);
    }
    CHECK(feof(file));
    fclose(file);
    opli_table_free(&averages);
    opli_trace_free(&trace);
    return lines;
}

TEST(onnx_runtime, sums_of_mnist_are_those_of_a_ten_line_script)
{
    CHECK_EQ(check_sums(TEST_DATA "/ort_mnist.json.gz", TEST_DATA "/ort_mnist.sums.txt"), 14);
}

TEST(onnx_runtime, sums_of_bert_are_those_of_a_ten_line_script)
{
    CHECK_EQ(check_sums(TEST_DATA "/ort_bert_tiny.json.gz", TEST_DATA "/ort_bert_tiny.sums.txt"), 158);
}

TEST(onnx_runtime, runs_are_counted_once_though_the_profile_has_two_spans_for_each)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/ort_bert_tiny.json.gz");
    opli_table summary = inquiry_ask(&trace, &opli_analysis_summary);
    CHECK_EQ(inquiry_number(&summary, 0, "count"), 4);
    opli_table_free(&summary);
    opli_trace_free(&trace);
}

/* ---- RAF: beginnings and ends one after the other for each span, unsorted, the category for a thread ---- */

TEST(raf, streams_are_queues_of_a_device_and_all_else_is_the_hosts)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/raf_vm.json");
    hazard_check(&trace, 7, 0);
    CHECK_EQ(trace.devices.count, 1);
    CHECK_EQ(trace.devices.items[0].id, 0);
    opli_table operators = inquiry_ask(&trace, &opli_analysis_operators);
    CHECK_EQ(opli_table_rows(&operators), 2);
    check_operator(&operators, "raf.op.cublas.dense", 2, 120000);
    check_operator(&operators, "raf.op.cuda.relu", 1, 30000);
    opli_table averages = inquiry_ask(&trace, &opli_analysis_averages);
    check_host(&averages, "InvokeJit", 2, 160000, 160000);
    check_host(&averages, "AllocTensor", 1, 5000, 5000);
    check_host(&averages, "raf.op.cublas.dense", 1, 55000, 55000);
    opli_table_free(&averages);
    opli_table_free(&operators);
    opli_trace_free(&trace);
}

TEST(raf, times_are_exact_and_what_the_operator_was_given_is_kept)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/raf_vm.json");
    uint32_t relu = hazard_span(&trace, "raf.op.cuda.relu");
    CHECK_EQ(trace.spans.start_ns[relu], 1650000000000140000);
    uint32_t key = opli_string_find(&trace.strings, "args_string", 11), arg = opli_trace_arg(&trace, relu, key);
    CHECK_TEXT(opli_trace_text(&trace, (uint32_t)opli_args_value(&trace.args, arg)), "T<768xf16>,|T<768xf16>");
    CHECK_TEXT(opli_trace_text(&trace, trace.tracks.items[trace.spans.track[relu]].name), "Stream 2");
    opli_trace_free(&trace);
}

/* ---- Neural Engine: durations as six digits, laid end to end, the operator's type for a category ---- */

TEST(neural_engine, operators_have_the_time_of_reshape_and_forward_together)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/neural_engine.json");
    hazard_check(&trace, 9, 0);
    CHECK_TEXT(opli_trace_text(&trace, trace.source), "Neural Engine");
    opli_table averages = inquiry_ask(&trace, &opli_analysis_averages);
    check_host(&averages, "fc1", 2, 464000, 464000);         /* 0.004 + 0.25 and 0.21 ms */
    check_host(&averages, "gelu_1", 2, 91000, 91000);        /* 0.001 + 0.05 and 0.04 ms */
    check_host(&averages, "fc2", 2, 1200800000, 1200800000); /* 0.002 + 1200.5, as 1.2005e+06 us, and 0.3 ms */
    check_host(&averages, "model_inference", 1, 1201360000, 1201360000);
    opli_table_free(&averages);
    opli_table hosts = inquiry_ask(&trace, &opli_analysis_host_operators);
    CHECK_EQ(opli_table_rows(&hosts), 6);
    opli_table_free(&hosts);
    opli_trace_free(&trace);
}

TEST(neural_engine, times_that_its_writer_made_up_are_marked_and_said)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/neural_engine.json");
    for (size_t i = 0; i < trace.spans.count; i++)
        CHECK(trace.spans.flags[i] & OPLI_SPAN_SYNTHETIC);
    CHECK_EQ(inquiry_note(&trace, "the file holds no start times"), 1);
    opli_trace_free(&trace);
}

/* ---- TensorFlow and JAX: no categories, devices and queues by their names, {} at the end ---- */

TEST(tensorflow, devices_and_kinds_are_known_by_the_names_of_processes_and_rows)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/jax_gpu.trace.json");
    hazard_check(&trace, 16, 0);
    CHECK_EQ(trace.notes.count, 0);
    CHECK_EQ(trace.devices.count, 1);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "loop_fusion")], OPL_CAT_KERNEL);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "MemcpyH2D")], OPL_CAT_COPY);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "fusion.1")], OPL_CAT_OP);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "jit_step(1234)")], OPL_CAT_MODEL);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "0")], OPL_CAT_STEP);
    CHECK_EQ(trace.spans.kind[hazard_span(&trace, "$train.py:12 step")], OPL_CAT_FUNCTION);
    opli_trace_free(&trace);
}

TEST(tensorflow, tables_have_the_figures_of_the_file_to_the_nanosecond)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/jax_gpu.trace.json");
    opli_table operators = inquiry_ask(&trace, &opli_analysis_operators);
    check_operator(&operators, "dot.3", 2, 300500);
    check_operator(&operators, "fusion.1", 2, 200500);
    check_operator(&operators, "loop_fusion", 2, 198002);
    check_operator(&operators, "cutlass_gemm", 2, 300000); /* 150.0000000000001 us */
    opli_table averages = inquiry_ask(&trace, &opli_analysis_averages);
    check_host(&averages, "PjitFunction(step)", 1, 100250, 800250);
    check_host(&averages, "$train.py:12 step", 1, 700000, 700000);
    check_host(&averages, "dot.3", 1, 50000, 50000);
    opli_table_free(&averages);
    opli_table_free(&operators);
    opli_trace_free(&trace);
}
