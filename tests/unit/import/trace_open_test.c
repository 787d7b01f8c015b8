/* trace_open_test.c - several files as one trace: their clocks. */
#include "hazard.h"
#include "inquiry.h"
#include "test.h"

#define DIFFER "files do not say how their clocks relate"

static const char *write_file(const char *name, const char *text)
{
    const char *path = test_path(name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    for (; *text; text++)
        fputc(*text == '\'' ? '"' : *text, file);
    CHECK_EQ(fclose(file), 0);
    return path;
}

static void open_two(opli_trace *trace, const char *first, const char *second)
{
    const char *paths[] = {write_file("one.json", first), write_file("two.json", second)};
    opl_error err = {OPL_OK, ""};
    if (opli_trace_open(paths, 2, trace, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

static int64_t start_of(const opli_trace *trace, const char *name)
{
    return trace->spans.start_ns[hazard_span(trace, name)];
}

TEST(trace_open, puts_files_that_say_what_time_it_is_on_one_clock)
{
    opli_trace trace;
    open_two(
        &trace,
        "{'baseTimeNanoseconds': 1700000000000000000, 'traceEvents': [{'ph':'X','name':'a','pid':1,'ts':5,'dur':1}]}",
        "{'baseTimeNanoseconds': 1700000000000002000, 'traceEvents': [{'ph':'X','name':'b','pid':2,'ts':5,'dur':1},"
        "{'ph':'i','name':'i','pid':2,'ts':6},{'ph':'C','name':'c','pid':2,'ts':7,'args':{'v':1}},"
        "{'ph':'s','id':1,'pid':2,'ts':5.5}]}");
    hazard_check(&trace, 5, 0);
    CHECK_EQ(trace.base_real_ns, 1700000000000000000);
    CHECK_EQ(start_of(&trace, "a"), 5000);
    CHECK_EQ(start_of(&trace, "b"), 7000);
    CHECK_EQ(trace.instants.items[0].time_ns, 8000);
    CHECK_EQ(trace.counters.items[0].time_ns, 9000);
    CHECK_EQ(trace.flows.items[0].time_ns, 7500);
    CHECK_EQ(trace.flows.items[0].span, hazard_span(&trace, "b"));
    CHECK_EQ(inquiry_note(&trace, DIFFER), 0);
    opli_trace_free(&trace);
}

TEST(trace_open, takes_times_that_count_from_1970_for_the_wall_clock)
{
    opli_trace trace;
    open_two(
        &trace,
        "{'baseTimeNanoseconds': 1700000000000000000, 'traceEvents': [{'ph':'X','name':'a','pid':1,'ts':5,'dur':1}]}",
        "[{'ph':'X','name':'b','pid':2,'ts':1700000000000009,'dur':1}]");
    CHECK_EQ(start_of(&trace, "b"), 9000);
    CHECK_EQ(inquiry_note(&trace, DIFFER), 0);
    opli_trace_free(&trace);
}

TEST(trace_open, says_when_files_do_not_tell_how_their_clocks_relate)
{
    opli_trace trace;
    open_two(&trace, "[{'ph':'X','name':'a','pid':1,'ts':5,'dur':1}]",
             "[{'ph':'X','name':'b','pid':2,'ts':5,'dur':1}]");
    hazard_check(&trace, 2, 0);
    CHECK_EQ(start_of(&trace, "a"), start_of(&trace, "b"));
    CHECK_EQ(inquiry_note(&trace, DIFFER), 1);
    opli_trace_free(&trace);
}

#define RANK(base, op, kernel)                                                                                 \
    "{'baseTimeNanoseconds': " base ", 'traceEvents': ["                                                       \
    "{'ph':'X','cat':'cpu_op','name':'" op "','pid':7,'tid':7,'ts':1,'dur':9,'args':{'External id':5}},"       \
    "{'ph':'X','cat':'cuda_runtime','name':'launch','pid':7,'tid':7,'ts':2,'dur':1,'args':{'correlation':9}}," \
    "{'ph':'X','cat':'kernel','name':'" kernel                                                                 \
    "','pid':0,'tid':7,'ts':5,'dur':8,'args':{'External id':5,'correlation':9}}"                               \
    "]}"

/* Two ranks of a job number their launches alike, and may even have the same pid on two machines. */
TEST(trace_open, keeps_ids_of_one_file_apart_from_those_of_another)
{
    opli_trace trace;
    open_two(&trace, RANK("1700000000000000000", "first", "a"), RANK("1700000000000000500", "second", "b"));
    hazard_check(&trace, 6, 0);
    opli_table table = inquiry_ask(&trace, &opli_analysis_averages);
    CHECK_EQ(inquiry_number(&table, inquiry_row(&table, "name", "first"), "device_total_ns"), 8000);
    CHECK_EQ(inquiry_number(&table, inquiry_row(&table, "name", "second"), "device_total_ns"), 8000);
    for (size_t i = 0; i < trace.spans.count; i++)
        CHECK(!(trace.spans.flags[i] & OPLI_SPAN_OVERLAPS));
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(trace_open, says_what_a_file_is_that_is_no_trace)
{
    opli_trace trace;
    opl_error err;
    CHECK_EQ(hazard_try(&trace, "PK\3\4and more", &err), OPL_FORMAT);
    CHECK(strstr(err.message, "is a zip file; unpack it first") != NULL);
    CHECK_EQ(hazard_try(&trace, "SQLite format 3 and more", &err), OPL_FORMAT);
    CHECK(strstr(err.message, "SQLite") != NULL);
}

TEST(trace_open, of_one_file_has_nothing_to_say_about_clocks)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'X','name':'a','pid':1,'ts':5,'dur':1}]");
    CHECK_EQ(trace.notes.count, 0);
    opli_trace_free(&trace);
}
