/* averages_test.c - our averages beside PyTorch's own key_averages, for the same traces. */
#include <math.h>

#include "analysis/analysis.h"
#include "base/table_order.h"
#include "import/importer.h"
#include "import/json_scan.h"
#include "inquiry.h"
#include "test.h"

/* What PyTorch said of a key, in its units. */
typedef struct expected {
    char name[1024], shapes[1024];
    double count, cpu_total, self_cpu, dev_total, self_dev;
    double cpu_mem, self_cpu_mem, dev_mem, self_dev_mem, flops;
} expected;

static double *field_of(expected *e, const opli_json_value *key)
{
    const struct {
        const char *name;
        double *field;
    } fields[] = {{"count", &e->count},
                  {"cpu_total", &e->cpu_total},
                  {"self_cpu", &e->self_cpu},
                  {"dev_total", &e->dev_total},
                  {"self_dev", &e->self_dev},
                  {"cpu_mem", &e->cpu_mem},
                  {"self_cpu_mem", &e->self_cpu_mem},
                  {"dev_mem", &e->dev_mem},
                  {"self_dev_mem", &e->self_dev_mem},
                  {"flops", &e->flops}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (opli_json_is(key, fields[i].name))
            return fields[i].field;
    return NULL;
}

static void read_expected(const opli_json_value *object, expected *e)
{
    opli_json json = {object->text + 1, object->text + object->length};
    opli_json_value key, value;
    memset(e, 0, sizeof *e);
    while (opli_json_member(&json, &key, &value)) {
        double *field = field_of(e, &key);
        if (field)
            CHECK(opli_json_real(&value, field));
        else if (opli_json_is(&key, "key"))
            e->name[opli_json_unescape(&value, e->name)] = '\0';
        else if (opli_json_is(&key, "shapes"))
            e->shapes[opli_json_unescape(&value, e->shapes)] = '\0';
    }
}

/* A trace file has three decimals of a microsecond, so a sum of n times is right to n half nanoseconds. */
static bool near_ns(int64_t ns, double us, double count) { return fabs((double)ns - us * 1000) <= count + 1; }

static bool equals(const opli_table *table, size_t row, const expected *e)
{
#define NUMBER(key) inquiry_number(table, row, key)
    return NUMBER("count") == (int64_t)e->count && near_ns(NUMBER("cpu_total_ns"), e->cpu_total, e->count) &&
           near_ns(NUMBER("cpu_self_ns"), e->self_cpu, 4 * e->count) &&
           near_ns(NUMBER("device_total_ns"), e->dev_total, 8 * e->count) &&
           near_ns(NUMBER("device_self_ns"), e->self_dev, 8 * e->count) &&
           NUMBER("cpu_memory_bytes") == (int64_t)e->cpu_mem &&
           NUMBER("cpu_self_memory_bytes") == (int64_t)e->self_cpu_mem &&
           NUMBER("device_memory_bytes") == (int64_t)e->dev_mem &&
           NUMBER("device_self_memory_bytes") == (int64_t)e->self_dev_mem &&
           (e->flops == 0 || NUMBER("flops") == (int64_t)e->flops);
#undef NUMBER
}

static bool has_row(const opli_table *table, const expected *e, bool by_shape)
{
    for (size_t r = 0; r < opli_table_rows(table); r++) {
        const opli_cell *shapes = inquiry_cell(table, r, "input_shapes");
        if (strcmp(inquiry_text(table, r, "name"), e->name) == 0 &&
            (!by_shape || strcmp(shapes->length ? shapes->text : "[]", e->shapes) == 0) && equals(table, r, e))
            return true;
    }
    return false;
}

/* The names whose numbers cannot follow from the file. In the GPU trace the profiler's own buffer
 * request fell into the first convolution; PyTorch counts it, and the kernel launched meanwhile, as a
 * child of that call, but the file puts it on a process of its own (-1). */
static bool is_excused(const char *trace, const char *name)
{
    static const char *const names[] = {"Activity Buffer Request", "model_inference",    "aten::conv2d",
                                        "aten::convolution",       "aten::_convolution", "aten::cudnn_convolution"};
    for (size_t i = 0; strstr(trace, "h200") && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void ask(const char *path, const char *group_by, opli_trace *trace, opli_table *table)
{
    opl_error err = {OPL_OK, ""};
    opli_question question = {.group_by = group_by};
    memset(table, 0, sizeof *table);
    if (opli_trace_open(&path, 1, trace, &err) != OPL_OK ||
        opli_analysis_averages.run(trace, &question, table, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

static void compare(const char *trace_path, const char *expected_path, bool by_shape, size_t least_equal)
{
    static expected e;
    opli_trace trace;
    opli_table table;
    opli_source source;
    opl_error err;
    opli_json_value object;
    size_t equal = 0;
    ask(trace_path, by_shape ? "shape" : NULL, &trace, &table);
    CHECK_EQ(opli_source_open(&source, expected_path, &err), OPL_OK);
    opli_json json = {source.bytes + 1, source.bytes + source.size};
    while (opli_json_element(&json, &object)) {
        read_expected(&object, &e);
        bool found = has_row(&table, &e, by_shape);
        equal += found;
        if (!found && !is_excused(trace_path, e.name))
            fail_msg("%s %s differs from PyTorch's numbers", e.name, e.shapes);
    }
    CHECK(equal >= least_equal);
    opli_source_close(&source);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(averages, equal_pytorchs_for_resnet18_on_the_cpu)
{
    compare(TEST_DATA "/resnet18_cpu.pt.trace.json.gz", TEST_DATA "/resnet18_cpu.key_averages.json", false, 35);
}

TEST(averages, equal_pytorchs_by_shape_on_the_cpu)
{
    compare(TEST_DATA "/resnet18_cpu.pt.trace.json.gz", TEST_DATA "/resnet18_cpu.key_averages_by_shape.json", true,
            113);
}

TEST(averages, equal_pytorchs_for_resnet18_on_a_gpu)
{
    compare(TEST_DATA "/resnet18_h200.pt.trace.json.gz", TEST_DATA "/resnet18_h200.key_averages.json", false, 45);
}

TEST(averages, equal_pytorchs_by_shape_on_a_gpu)
{
    compare(TEST_DATA "/resnet18_h200.pt.trace.json.gz", TEST_DATA "/resnet18_h200.key_averages_by_shape.json", true,
            116);
}

TEST(averages, are_the_same_bytes_when_asked_twice)
{
    opli_trace trace;
    opli_table first, second = {0};
    opli_text a = {0}, b = {0};
    ask(TEST_DATA "/resnet18_h200.pt.trace.json.gz", NULL, &trace, &first);
    CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){0}, &second, NULL), OPL_OK);
    opli_table_print_json(&first, &a);
    opli_table_print_json(&second, &b);
    CHECK_TEXT(a.bytes, b.bytes);
    opli_text_free(&a);
    opli_text_free(&b);
    opli_table_free(&first);
    opli_table_free(&second);
    opli_trace_free(&trace);
}

TEST(averages, say_which_groupings_there_are)
{
    opli_trace trace = {.base_real_ns = 0};
    opli_table table = {0};
    opl_error err;
    CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){.group_by = "colour"}, &table, &err), OPL_INVALID);
    CHECK(strstr(err.message, "name, shape, overload, module and stack:N") != NULL);
    CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){.group_by = "shape,stack:0"}, &table, &err),
             OPL_INVALID);
    CHECK(strstr(err.message, "'stack:0'") != NULL);
}

/* ---- percentages ---- */

static double percent(const opli_table *table, size_t row, const char *key)
{
    const opli_cell *cell = inquiry_cell(table, row, key);
    CHECK(!cell->empty);
    return cell->real;
}

static size_t host_row(const opli_table *table, const char *name)
{
    for (size_t row = 0; row < opli_table_rows(table); row++)
        if (strcmp(inquiry_text(table, row, "name"), name) == 0 &&
            strcmp(inquiry_text(table, row, "side"), "host") == 0)
            return row;
    fail_msg("%s has no row on the host", name);
    return 0;
}

/* As PyTorch printed them in its table for the same run; cudnn_convolution is left out, see is_excused(). */
TEST(averages, have_pytorchs_percentages)
{
    static const struct {
        const char *name;
        double self, total, device;
    } printed[] = {{"model_inference", 21.40, 99.89, 0.00},  {"aten::conv2d", 1.43, 43.26, 0.00},
                   {"aten::convolution", 2.52, 41.83, 0.00}, {"aten::_convolution", 2.88, 39.31, 0.00},
                   {"aten::batch_norm", 1.37, 22.76, 0.00},  {"aten::cudnn_batch_norm", 9.03, 19.51, 12.12},
                   {"cudaLaunchKernel", 12.23, 12.23, 0.00}, {"aten::clamp_min_", 2.73, 4.97, 5.37},
                   {"aten::add_", 1.99, 3.03, 2.47}};
    opli_trace trace;
    opli_table table;
    ask(TEST_DATA "/resnet18_h200.pt.trace.json.gz", NULL, &trace, &table);
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        size_t row = host_row(&table, printed[i].name);
        CHECK(fabs(percent(&table, row, "cpu_self_percent") - printed[i].self) < 0.0101);
        CHECK(fabs(percent(&table, row, "cpu_total_percent") - printed[i].total) < 0.0101);
        CHECK(fabs(percent(&table, row, "device_self_percent") - printed[i].device) < 0.0101);
    }
    CHECK(inquiry_cell(&table, host_row(&table, "Activity Buffer Request"), "cpu_self_percent")->empty);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* ---- groups ---- */

#define SPAN(category, name, ts, dur, args)                                                                  \
    "{\"ph\": \"X\", \"cat\": \"" category "\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 1, \"ts\": " ts \
    ", \"dur\": " dur ", \"args\": {" args "}}"

/* main calls two layers; both call mm, one of them through a helper, and mm calls itself again by way of copy. */
static const char calls[] =
    "[" SPAN("python_function", "main.py(1): main", "0", "100", "") "," SPAN("python_function", "nn.Module: Linear_0", "1", "40", "") "," SPAN(
        "cpu_op", "mm", "2", "10",
        "\"Overload Name\": \"out\"") "," SPAN("cpu_op", "copy", "3", "6",
                                               "") "," SPAN("cpu_op", "mm", "4", "2",
                                                            "\"Overload Name\": \"out\"") "," SPAN("python_function",
                                                                                                   "nn.Module: "
                                                                                                   "Linear_1",
                                                                                                   "50", "40",
                                                                                                   "") "," SPAN("python"
                                                                                                                "_funct"
                                                                                                                "ion",
                                                                                                                "util."
                                                                                                                "py(7):"
                                                                                                                " helpe"
                                                                                                                "r",
                                                                                                                "51",
                                                                                                                "30",
                                                                                                                "") "," SPAN("cpu_op",
                                                                                                                             "mm",
                                                                                                                             "52",
                                                                                                                             "10",
                                                                                                                             "\"Overload Name\": "
                                                                                                                             "\"out\"") "," SPAN("cpu_"
                                                                                                                                                 "op",
                                                                                                                                                 "relu",
                                                                                                                                                 "70",
                                                                                                                                                 "5",
                                                                                                                                                 "") "]";

static opli_table ask_calls(opli_trace *trace, opli_question question)
{
    opli_table table = {0};
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(inquiry_read(trace, &opli_importer_chrome, calls, strlen(calls)), OPL_OK);
    if (opli_analysis_averages.run(trace, &question, &table, &err) != OPL_OK)
        fail_msg("%s", err.message);
    return table;
}

static size_t rows_named(const opli_table *table, const char *name)
{
    size_t count = 0;
    for (size_t row = 0; row < opli_table_rows(table); row++)
        count += strcmp(inquiry_text(table, row, "name"), name) == 0;
    return count;
}

static size_t row_called_by(const opli_table *table, const char *name, const char *stack)
{
    for (size_t row = 0; row < opli_table_rows(table); row++) {
        const opli_cell *cell = inquiry_cell(table, row, "stack");
        if (strcmp(inquiry_text(table, row, "name"), name) == 0 && !cell->empty && strcmp(cell->text, stack) == 0)
            return row;
    }
    fail_msg("%s has no row for the callers %s", name, stack);
    return 0;
}

TEST(averages, by_stack_are_apart_where_their_next_callers_are)
{
    opli_trace trace;
    opli_table table = ask_calls(&trace, (opli_question){.group_by = "stack:1"});
    CHECK_EQ(rows_named(&table, "mm"), 2);
    size_t direct = row_called_by(&table, "mm", "nn.Module: Linear_0"); /* operators are no callers here */
    CHECK_EQ(inquiry_number(&table, direct, "count"), 2);
    opli_table_free(&table);
    opli_trace_free(&trace);
    table = ask_calls(&trace, (opli_question){.group_by = "stack:3"});
    size_t helped = row_called_by(&table, "mm", "util.py(7): helper;nn.Module: Linear_1;main.py(1): main");
    CHECK_EQ(inquiry_number(&table, helped, "count"), 1);
    CHECK_EQ(inquiry_number(&table, helped, "cpu_total_ns"), 10000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(averages, by_module_are_apart_and_otherwise_name_the_module_only_where_all_agree)
{
    opli_trace trace;
    opli_table table = ask_calls(&trace, (opli_question){.group_by = "module"});
    CHECK_EQ(rows_named(&table, "mm"), 2);
    CHECK_TEXT(inquiry_text(&table, host_row(&table, "copy"), "module"), "Linear_0");
    opli_table_free(&table);
    opli_trace_free(&trace);
    table = ask_calls(&trace, (opli_question){0});
    CHECK_EQ(rows_named(&table, "mm"), 1);
    CHECK(inquiry_cell(&table, host_row(&table, "mm"), "module")->empty);
    CHECK_TEXT(inquiry_text(&table, host_row(&table, "mm"), "overload"), "out");
    CHECK_TEXT(inquiry_text(&table, host_row(&table, "relu"), "module"), "Linear_1");
    CHECK(inquiry_cell(&table, host_row(&table, "relu"), "overload")->empty);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(averages, of_the_top_level_leave_out_what_is_inside_another_of_its_kind)
{
    opli_trace trace;
    opli_table table = ask_calls(&trace, (opli_question){.top_level = true});
    CHECK_EQ(inquiry_number(&table, host_row(&table, "mm"), "count"), 2); /* the third is inside the first */
    CHECK_EQ(rows_named(&table, "copy"), 0);
    CHECK_EQ(rows_named(&table, "relu"), 1);
    CHECK_EQ(rows_named(&table, "main.py(1): main"), 1);
    CHECK_EQ(rows_named(&table, "util.py(7): helper"), 0);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* A list of callers that a span brings along is cut after the nearest ones. */
TEST(averages, by_stack_take_the_callers_a_span_lists_itself)
{
    static const char json[] = "[" SPAN("cpu_op", "mm", "0", "1", "\"Call stack\": \"a;b;c\"") "," SPAN(
        "cpu_op", "mm", "5", "1", "\"Call stack\": \"a;b;d\"") "]";
    opli_trace trace;
    opli_table table = {0};
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){.group_by = "stack:2"}, &table, NULL), OPL_OK);
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_TEXT(inquiry_text(&table, 0, "stack"), "a;b");
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(averages, by_shape_know_the_shapes_that_onnx_runtime_and_our_recorder_write)
{
    static const char json[] =
        "[" SPAN("Node", "ort", "0", "1", "\"input_type_shape\": [{\"float\":[1,28]},{\"int64\":[]}]") "," SPAN(
            "op", "own", "5", "1",
            "\"inputs\": [{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [1, 28]}]") "," SPAN("op", "own", "9", "1",
                                                                                                "\"inputs\": "
                                                                                                "[{\"name\": "
                                                                                                "\"y\", \"dtype\": "
                                                                                                "\"f32\", \"shape\": "
                                                                                                "[1, "
                                                                                                "28]}]") "," SPAN("op",
                                                                                                                  "own",
                                                                                                                  "15",
                                                                                                                  "1",
                                                                                                                  "\"in"
                                                                                                                  "puts"
                                                                                                                  "\": "
                                                                                                                  "\"no"
                                                                                                                  "ne"
                                                                                                                  "\"") "]";
    opli_trace trace;
    opli_table table = {0};
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    CHECK_EQ(opli_analysis_averages.run(&trace, &(opli_question){.group_by = "shape"}, &table, NULL), OPL_OK);
    CHECK_EQ(opli_table_rows(&table), 3);
    CHECK_TEXT(inquiry_text(&table, host_row(&table, "ort"), "input_shapes"), "[[1, 28], []]");
    size_t own = inquiry_row(&table, "input_shapes", "[[1, 28]]");
    CHECK_TEXT(inquiry_text(&table, own, "name"), "own");
    CHECK_EQ(inquiry_number(&table, own, "count"), 2);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(averages, can_be_sorted_by_every_word_pytorch_knows)
{
    static const char *const words[] = {"cpu_time",
                                        "cpu_time_total",
                                        "self_cpu_time_total",
                                        "cuda_time",
                                        "cuda_time_total",
                                        "self_cuda_time_total",
                                        "device_time",
                                        "device_time_total",
                                        "self_device_time_total",
                                        "xpu_time",
                                        "xpu_time_total",
                                        "self_xpu_time_total",
                                        "cpu_memory_usage",
                                        "self_cpu_memory_usage",
                                        "cuda_memory_usage",
                                        "xpu_memory_usage",
                                        "self_cuda_memory_usage",
                                        "self_xpu_memory_usage",
                                        "count",
                                        "self_device_memory_usage",
                                        "device_memory_usage",
                                        "key",
                                        "flops",
                                        "-cpu_time_total,name"};
    opli_trace trace;
    opli_table table = ask_calls(&trace, (opli_question){0});
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        opli_text keys = {0};
        opl_error err;
        opli_sort_words_replace(opli_analysis_averages.sort_words, words[i], &keys);
        if (opli_table_sort(&table, keys.bytes, &err) != OPL_OK)
            fail_msg("%s: %s", words[i], err.message);
        opli_text_free(&keys);
    }
    CHECK_TEXT(inquiry_text(&table, 0, "name"), "main.py(1): main");
    opli_table_free(&table);
    opli_trace_free(&trace);
}
