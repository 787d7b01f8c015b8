/* defects_test.c - what the originals got wrong, one test for each defect that concerns tables and exports.
 *
 * Those of recorders (a variable that is set means on, output only at exit, one buffer for all threads, a sync around
 * every span, records cleared in silence, files of the same second) are tests of record/ and harm/. */
#define _GNU_SOURCE
#include "base/table_format.h"
#include "export/exporter.h"
#include "hazard.h"
#include "import/csv.h"
#include "inquiry.h"
#include "test.h"

#define HEADER \
    "trace_id,parent_span_id,span_id,start,end,cat,name,thread.id,pe_index,execution_index,instruction_index\n"

static void read_furiosa(opli_trace *trace, const char *rows)
{
    opli_text csv = {0};
    opli_text_addf(&csv, HEADER "%s", rows);
    CHECK_EQ(inquiry_read(trace, &opli_importer_furiosa, csv.bytes, csv.length), OPL_OK);
    opli_text_free(&csv);
}

static opli_text exported(const opli_trace *trace)
{
    char *bytes = NULL;
    size_t size = 0;
    opl_error err = {OPL_OK, ""};
    opli_text text = {0};
    FILE *file = open_memstream(&bytes, &size);
    CHECK_EQ(opli_exporter_chrome.write(trace, &(opli_export_options){0}, file, &err), OPL_OK);
    CHECK_EQ(fclose(file), 0);
    opli_text_add(&text, bytes, size);
    free(bytes);
    return text;
}

/* Exported and read again. */
static void pass_on(const opli_trace *trace, opli_trace *again)
{
    opli_text json = exported(trace);
    hazard_open_bytes(again, json.bytes, json.length);
    opli_text_free(&json);
}

TEST(defect, 1_a_wait_below_zero_is_no_huge_number_but_negative_and_said)
{
    opli_trace trace;
    read_furiosa(&trace, "t,0,1,1000,200000,Runtime,Inference,1,,,\n"
                         "t,1,2,10000,118134,NPU,Execution,,0,0,\n"         /* 108134 long, as in Furiosa's sample */
                         "t,2,3,10000,129145,NPU,LowLevelConv2d,,0,0,1\n"); /* 119145: more than its execution */
    opli_table table = inquiry_ask(&trace, &opli_analysis_executions);
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_EQ(inquiry_number(&table, 0, "wait_ns"), -11011);
    CHECK(inquiry_text(&table, 0, "note")[0] != '\0');
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 3_an_average_is_that_of_all_samples_and_not_the_last)
{
    opli_trace trace;
    read_furiosa(&trace,
                 "t,2,3,100,110,NPU,Conv,,0,0,1\nt,2,4,200,220,NPU,Conv,,0,0,2\nt,2,5,300,360,NPU,Conv,,0,0,3\n");
    opli_table table = inquiry_ask(&trace, &opli_analysis_operators);
    CHECK_EQ(inquiry_number(&table, 0, "count"), 3);
    CHECK_EQ(inquiry_number(&table, 0, "mean_ns"), 30);
    CHECK_EQ(inquiry_number(&table, 0, "median_ns"), 20);
    CHECK_EQ(inquiry_number(&table, 0, "min_ns"), 10);
    CHECK_EQ(inquiry_number(&table, 0, "max_ns"), 60);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 4_and_16_times_that_were_made_up_and_trees_that_were_guessed_are_labelled)
{
    static const char *const files[] = {TEST_DATA "/neural_engine.json", TEST_DATA "/resnet18.prof"};
    for (size_t i = 0; i < 2; i++) {
        opli_trace trace;
        inquiry_open(&trace, files[i]);
        CHECK_EQ(inquiry_note(&trace, "the file holds no start times"), 1);
        for (size_t row = 0; row < trace.spans.count; row++)
            CHECK(trace.spans.flags[row] & OPLI_SPAN_SYNTHETIC);
        opli_trace_free(&trace);
    }
}

TEST(defect, 5_a_category_is_no_thread_id)
{
    opli_trace trace, again;
    inquiry_open(&trace, TEST_DATA "/raf_vm.json");
    opli_text json = exported(&trace);
    CHECK(strstr(json.bytes, "\"tid\": \"") == NULL);
    CHECK(strstr(json.bytes, "\"pid\": \"") == NULL);
    opli_text_free(&json);
    pass_on(&trace, &again);
    uint32_t relu = hazard_span(&again, "raf.op.cuda.relu");
    CHECK_TEXT(opli_trace_text(&again, again.spans.category[relu]), "Stream 2");
    CHECK_TEXT(opli_trace_text(&again, again.tracks.items[again.spans.track[relu]].name), "Stream 2");
    opli_trace_free(&again);
    opli_trace_free(&trace);
}

/* Every row of the CSV has as many fields as its first line. */
static void check_csv(const opli_table *table, const char *name)
{
    opli_text out = {0};
    opli_csv_row row = {0};
    size_t rows = 0, length;
    bool found = false;
    opli_table_print_csv(table, &out);
    for (const char *at = out.bytes, *end = at + out.length; opli_csv_next(&row, &at, end); rows++) {
        CHECK_EQ(row.ends.count, table->column_count);
        const char *first = opli_csv_field(&row, 0, &length);
        found |= length == strlen(name) && memcmp(first, name, length) == 0;
    }
    CHECK(found);
    CHECK_EQ(rows, opli_table_rows(table) + 1);
    opli_csv_row_free(&row);
    opli_text_free(&out);
}

TEST(defect, 6_no_name_breaks_json_or_csv_and_no_shape_shifts_the_columns)
{
    static const char name[] = "a \"b\", c;\r\nd\\ \xe6\xa8\xa1\xe5\x9e\x8b";
    opli_trace trace, again;
    hazard_open(&trace,
                "[{'ph':'X','cat':'cpu_op','name':'a \\'b\\', c;\\r\\nd\\\\ \xe6\xa8\xa1\xe5\x9e\x8b','pid':1,'tid'"
                ":1,'ts':1,'dur':2,'args':{'Input Dims':[[],[2,3],[]]}}]");
    CHECK_EQ(trace.spans.count, 1);
    hazard_span(&trace, name);
    pass_on(&trace, &again);
    hazard_span(&again, name);
    opli_table table = {0};
    CHECK_EQ(opli_analysis_averages.run(&again, &(opli_question){.group_by = "shape"}, &table, NULL), OPL_OK);
    check_csv(&table, name);
    opli_table_free(&table);
    opli_trace_free(&again);
    opli_trace_free(&trace);
}

/* No two spans of one thread in the exported file overlap partly: that is what viewers drop. */
TEST(defect, 7_spans_that_overlap_stand_on_threads_of_their_own_in_an_export)
{
    opli_trace trace, again;
    hazard_open(&trace,
                "[{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':10},{'ph':'X','name':'b','pid':1,'tid':1,'ts':5,"
                "'dur':10},{'ph':'X','name':'c','pid':1,'tid':1,'ts':7,'dur':20}]");
    CHECK(trace.spans.flags[hazard_span(&trace, "b")] & OPLI_SPAN_OVERLAPS);
    pass_on(&trace, &again);
    CHECK_EQ(again.spans.count, 3);
    for (size_t i = 0; i < again.spans.count; i++)
        CHECK(!(again.spans.flags[i] & OPLI_SPAN_OVERLAPS));
    opli_trace_free(&again);
    opli_trace_free(&trace);
}

TEST(defect, 12_the_largest_allocation_is_found_where_it_was_and_not_where_most_was_used)
{
    opli_trace trace;
    hazard_open(&trace,
                "[{'ph':'C','name':'pool','pid':1,'ts':1,'args':{'used':90,'allocated':100}},{'ph':'C','name':'pool',"
                "'pid':1,'ts':2,'args':{'used':10,'allocated':400}}]");
    opli_table table = inquiry_ask(&trace, &opli_analysis_counters);
    double used = 0, allocated = 0;
    for (size_t row = 0; row < opli_table_rows(&table); row++) {
        double *most = strcmp(inquiry_text(&table, row, "series"), "used") == 0 ? &used : &allocated;
        double value = inquiry_cell(&table, row, "value")->real;
        *most = value > *most ? value : *most;
    }
    CHECK(used == 90 && allocated == 400);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 14_busy_and_idle_time_of_a_step_are_the_step_and_never_more)
{
    opli_trace trace;
    hazard_open(
        &trace,
        "[{'ph':'X','cat':'user_annotation','name':'ProfilerStep#1','pid':9,'tid':9,'ts':0,'dur':100},{'ph':'X','cat':"
        "'kernel','name':'a','pid':0,'tid':7,'ts':10,'dur':60},{'ph':'X','cat':'kernel','name':'b','pid':0,'tid':8,'ts'"
        ":20,'dur':70},{'ph':'X','cat':'kernel','name':'c','pid':0,'tid':8,'ts':95,'dur':50}]");
    opli_table table = inquiry_ask(&trace, &opli_analysis_steps);
    CHECK_EQ(opli_table_rows(&table), 1);
    int64_t busy = inquiry_number(&table, 0, "device_busy_ns"), idle = inquiry_number(&table, 0, "device_idle_ns");
    CHECK_EQ(busy + idle, inquiry_number(&table, 0, "duration_ns"));
    CHECK_EQ(busy, 85000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 15_own_time_is_divided_by_all_calls_and_total_time_by_primitive_ones)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18.prof");
    opli_table table = inquiry_ask(&trace, &opli_analysis_functions);
    bool any_recursive = false;
    for (size_t row = 0; row < opli_table_rows(&table); row++) {
        int64_t calls = inquiry_number(&table, row, "calls"),
                primitive = inquiry_number(&table, row, "primitive_calls");
        int64_t own = inquiry_number(&table, row, "tottime_percall_ns") * calls;
        int64_t total = inquiry_number(&table, row, "cumtime_percall_ns") * primitive;
        CHECK(llabs(own - inquiry_number(&table, row, "tottime_ns")) <= calls);
        CHECK(llabs(total - inquiry_number(&table, row, "cumtime_ns")) <= primitive);
        any_recursive |= calls != primitive;
    }
    CHECK(any_recursive);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

/* Where `"key":` stands in the first object. */
static size_t place_of_key(const opli_text *json, const char *key)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(json->bytes, quoted);
    CHECK(found != NULL);
    return (size_t)(found - json->bytes);
}

TEST(defect, 17_headers_and_cells_agree_with_every_optional_column_on)
{
    opli_trace trace;
    opli_table table = {0};
    opli_text json = {0};
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_question question = {.group_by = "shape,overload,module,stack:5"};
    CHECK_EQ(opli_analysis_averages.run(&trace, &question, &table, NULL), OPL_OK);
    check_csv(&table, "aten::conv2d");
    opli_table_print_json(&table, &json);
    for (size_t c = 1; c < table.column_count; c++)
        CHECK(place_of_key(&json, table.columns[c - 1].key) < place_of_key(&json, table.columns[c].key));
    opli_text_free(&json);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 20_all_threads_count_without_being_asked_for)
{
    opli_trace trace;
    hazard_open(&trace,
                "[{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':0,'dur':10},{'ph':'X','cat':'cpu_op',"
                "'name':'a','pid':1,'tid':2,'ts':0,'dur':20},{'ph':'X','cat':'cpu_op','name':'a','pid':2,'tid':3,'ts':"
                "0,'dur':30}]");
    opli_table table = inquiry_ask(&trace, &opli_analysis_averages);
    CHECK_EQ(opli_table_rows(&table), 1);
    CHECK_EQ(inquiry_number(&table, 0, "count"), 3);
    CHECK_EQ(inquiry_number(&table, 0, "cpu_total_ns"), 60000);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(defect, 21_nanoseconds_and_bytes_stay_whole_numbers_from_end_to_end)
{
    opli_trace trace, again;
    hazard_open(
        &trace,
        "[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1726704000000000.123,'dur':86400000000.001},{'ph':'i','name'"
        ":'[memory]','pid':1,'tid':1,'ts':1726704000000001,'args':{'Bytes':9007199254740993,'Addr':1,"
        "'Device Type':0,'Device Id':-1,'Total Allocated':9007199254740995}}]");
    pass_on(&trace, &again);
    CHECK_EQ(again.spans.start_ns[0] - again.memory.items[0].time_ns, 123 - 1000);
    CHECK_EQ(again.spans.duration_ns[0], 86400000000001);
    CHECK_EQ(again.memory.items[0].size_bytes, 9007199254740993);
    CHECK_EQ(again.memory.items[0].used_bytes, 9007199254740995);
    opli_trace_free(&again);
    opli_trace_free(&trace);
}

TEST(defect, 22_asking_for_an_answer_does_not_change_the_next_one)
{
    opli_trace trace;
    inquiry_open(&trace, TEST_DATA "/resnet18_h200.pt.trace.json.gz");
    opli_text once = exported(&trace);
#define ASK(name)                                                      \
    {                                                                  \
        opli_table table = inquiry_ask(&trace, &opli_analysis_##name); \
        opli_table_free(&table);                                       \
    }
    OPLI_ANALYSES(ASK)
#undef ASK
    opli_text twice = exported(&trace);
    CHECK_EQ(once.length, twice.length);
    CHECK_EQ(memcmp(once.bytes, twice.bytes, once.length), 0);
    opli_text_free(&once);
    opli_text_free(&twice);
    opli_trace_free(&trace);
}
