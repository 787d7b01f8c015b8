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
