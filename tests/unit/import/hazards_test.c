/* hazards_test.c - what is the matter with traces in the field: each event is kept, or counted with a reason. */
#include <math.h>

#include "hazard.h"
#include "inquiry.h"
#include "test.h"

#define X(name, more) "{'ph':'X','name':'" name "','pid':1,'tid':1," more "}"

/* ---- text ---- */

TEST(hazard, backslashes_of_windows_paths_that_nobody_escaped_are_kept)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("C:\\Users\\me\\net.py", "'ts':1,'dur':1") "," X("b", "'ts':3,'dur':1") "]");
    hazard_check(&trace, 2, 0);
    hazard_span(&trace, "C:\\Users\\me\net.py"); /* \n is a newline in JSON whatever was meant */
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, a_backslash_before_the_closing_quote_costs_that_event_only)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1,'dur':1") "," X("C:\\dir\\", "'ts':2,'dur':1") "," X("c", "'ts':3") "]");
    hazard_check(&trace, 2, 1);
    CHECK_EQ(inquiry_note(&trace, "events cannot be read as JSON"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, raw_newlines_and_control_characters_inside_names_are_kept)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("two\nlines\x01\x1f", "'ts':1,'dur':1") "]");
    hazard_check(&trace, 1, 0);
    hazard_span(&trace, "two\nlines\x01\x1f");
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, bare_quotes_inside_a_name_cost_that_event_only)
{
    opli_trace trace;
    hazard_open(&trace,
                "{'traceEvents':[" X("a", "'ts':1,'dur':1") "," X(
                    "say 'hello' there", "'ts':2,'dur':1,'args':{'k':{'deep':1}}") "," X("c", "'ts':3,'dur':1") "]}");
    hazard_check(&trace, 2, 1);
    hazard_span(&trace, "c");
    opli_trace_free(&trace);
}

TEST(hazard, a_key_without_its_opening_quote_costs_that_event_only)
{
    opli_trace trace;
    hazard_open(&trace, "[{name': 'a', 'ph':'X', 'ts':1},\n" X("b", "'ts':2,'dur':1") "]");
    hazard_check(&trace, 1, 1);
    opli_trace_free(&trace);
}

TEST(hazard, an_event_without_its_closing_brace_costs_that_event_only)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1,'dur':1") ",{'ph':'X','name':'b','args':{'x':1,'ts':2,'dur':1},\n" X(
                            "c", "'ts':3,'dur':1") "," X("d", "'ts':4,'dur':1") "]");
    hazard_check(&trace, 3, 1);
    opli_trace_free(&trace);
}

TEST(hazard, text_that_is_no_utf8_is_kept_and_passed_on_as_valid_json)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("caf\xe9 \xff\xfe \xed\xa0\x80", "'ts':1,'dur':1,'args':{'k':'\xc3'}") "]");
    hazard_check(&trace, 1, 0);
    hazard_span(&trace, "caf\xe9 \xff\xfe \xed\xa0\x80");
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, escapes_become_characters_and_lone_surrogates_the_mark_of_a_lost_one)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("\\u00e9\\ud83d\\ude00", "'ts':1") "," X("\\ud83d!", "'ts':2") "," X(
                            "\\ude00\\ud83d", "'ts':3") "," X("\\u12", "'ts':4") "]");
    hazard_check(&trace, 4, 0);
    hazard_span(&trace, "\xc3\xa9\xf0\x9f\x98\x80");
    hazard_span(&trace, "\xef\xbf\xbd!");
    hazard_span(&trace, "\xef\xbf\xbd\xef\xbf\xbd");
    hazard_span(&trace, "\\u12");
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, a_name_of_a_hundred_kilobytes_is_kept_whole)
{
    enum { LENGTH = 100000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"");
    for (int i = 0; i < LENGTH; i++)
        opli_text_add(&json, "k", 1);
    opli_text_addf(&json, "\"}]");
    hazard_open_bytes(&trace, json.bytes, json.length);
    hazard_check(&trace, 1, 0);
    CHECK_EQ(opli_string_length(&trace.strings, trace.spans.name[0]), LENGTH);
    opli_text_free(&json);
    opli_trace_free(&trace);
}

/* ---- the file ---- */

TEST(hazard, an_empty_file_and_one_of_spaces_are_refused_with_the_reason)
{
    opli_trace trace;
    opl_error err;
    CHECK_EQ(hazard_try(&trace, "", &err), OPL_FORMAT);
    CHECK(strstr(err.message, "is empty") != NULL);
    CHECK_EQ(hazard_try(&trace, " \n\t", &err), OPL_FORMAT);
    CHECK(strstr(err.message, "in any format we know") != NULL);
}

TEST(hazard, a_byte_order_mark_is_passed_over)
{
    opli_trace trace;
    hazard_open(&trace, "\xef\xbb\xbf[" X("a", "'ts':1,'dur':1") "]");
    hazard_check(&trace, 1, 0);
    opli_trace_free(&trace);
}

TEST(hazard, utf16_is_refused_with_what_would_help)
{
    opli_trace trace;
    opl_error err;
    CHECK_EQ(hazard_try(&trace, "\xff\xfe[", &err), OPL_FORMAT);
    CHECK(strstr(err.message, "save it as UTF-8") != NULL);
}

TEST(hazard, a_cut_file_keeps_what_is_whole_and_counts_what_is_not)
{
    static const char *const cuts[] = {"[" X("a", "'ts':1,'dur':1") ",{'ph':'X','na", "[" X("a", "'ts':1,'dur':1") ",{",
                                       "{'traceEvents':[" X("a", "'ts':1,'dur':1") ",{'args':{'x':[1,2",
                                       "[" X("a", "'ts':1,'dur':1") ",{'name':'never clos"};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        opli_trace trace;
        hazard_open(&trace, cuts[i]);
        hazard_check(&trace, 1, 1);
        CHECK_EQ(inquiry_note(&trace, "the file ends inside an event"), 1);
        opli_trace_free(&trace);
    }
}

TEST(hazard, a_list_without_its_bracket_or_with_commas_too_many_or_too_few_is_read_whole)
{
    static const char *const files[] = {
        "[" X("a", "'ts':1") "," X("b", "'ts':2"),       "[" X("a", "'ts':1") "," X("b", "'ts':2") ",",
        "[" X("a", "'ts':1") ",," X("b", "'ts':2") "]",  "[" X("a", "'ts':1") "\n" X("b", "'ts':2") "]",
        "[," X("a", "'ts':1") "," X("b", "'ts':2") ",]", "{'traceEvents':[" X("a", "'ts':1") "," X("b", "'ts':2"),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        opli_trace trace;
        hazard_open(&trace, files[i]);
        hazard_check(&trace, 2, 0);
        opli_trace_free(&trace);
    }
}

TEST(hazard, events_without_any_list_around_them_are_read)
{
    opli_trace trace;
    hazard_open(&trace, X("a", "'ts':1") "\n" X("b", "'ts':2") "\r\n" X("c", "'ts':3") "\n");
    hazard_check(&trace, 3, 0);
    CHECK_EQ(trace.facts.count, 0);
    opli_trace_free(&trace);
}

TEST(hazard, several_documents_in_one_file_are_read_as_one_and_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1") "]\n{'traceEvents':[" X("b", "'ts':2") "]}[" X("c", "'ts':3") "]");
    hazard_check(&trace, 3, 0);
    CHECK_EQ(inquiry_note(&trace, "several JSON documents"), 2);
    opli_trace_free(&trace);
}

TEST(hazard, text_behind_the_end_is_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1") "]\nsegmentation fault\n");
    hazard_check(&trace, 1, 1);
    CHECK_EQ(inquiry_note(&trace, "text behind the end"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, things_in_the_list_that_are_no_events_are_counted_one_by_one)
{
    opli_trace trace;
    hazard_open(&trace, "[1, 'two', null, [3], " X("a", "'ts':1") ", {}]");
    hazard_check(&trace, 1, 4);
    opli_trace_free(&trace);
}

TEST(hazard, a_list_of_events_that_is_none_is_counted_and_the_rest_is_read)
{
    opli_trace trace;
    hazard_open(&trace, "{'traceEvents': null, 'a': 1}[" X("a", "'ts':1") "]");
    hazard_check(&trace, 1, 1);
    CHECK_EQ(trace.facts.count, 1);
    opli_trace_free(&trace);
}

TEST(hazard, events_behind_a_member_that_cannot_be_read_are_found)
{
    opli_trace trace;
    hazard_open(&trace, "{'note': 'say 'hi' to me', 'traceEvents': [" X("a", "'ts':1") "]}");
    hazard_check(&trace, 1, 0);
    CHECK_EQ(inquiry_note(&trace, "the file ends, or cannot be read, outside"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, every_layout_of_the_same_events_reads_the_same)
{
    static const char *const layouts[] = {
        "[{'ph':'X','name':'a','pid':1,'tid':2,'ts':3,'dur':4}]",
        "[\r\n{\r\n'dur' : 4 ,\r\n'ts' : 3,\r\n'tid' : 2,\r\n'pid' : 1,\r\n'name' : 'a','ph' : 'X'}\r\n]",
        "{'otherData':{'traceEvents':[]},'traceEvents':[{'tid' :2,'name':'a','ph' : 'X','dur' :4,'ts' :3,'pid' :1}]}",
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        opli_trace trace;
        hazard_open(&trace, layouts[i]);
        hazard_check(&trace, 1, 0);
        CHECK_EQ(trace.spans.start_ns[0], 3000);
        CHECK_EQ(trace.spans.duration_ns[0], 4000);
        CHECK_EQ(trace.tracks.items[0].number, 2);
        CHECK_EQ(trace.processes.items[0].pid, 1);
        opli_trace_free(&trace);
    }
}

TEST(hazard, lists_nested_a_million_deep_are_kept_as_they_stand)
{
    enum { DEPTH = 1000000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"a\",\"args\":{\"deep\":");
    for (int i = 0; i < DEPTH; i++)
        opli_text_add(&json, "[", 1);
    for (int i = 0; i < DEPTH; i++)
        opli_text_add(&json, "]", 1);
    opli_text_addf(&json, "}}]");
    hazard_open_bytes(&trace, json.bytes, json.length);
    hazard_check(&trace, 1, 0);
    opli_text_free(&json);
    opli_trace_free(&trace);
}

/* Large enough that another thread reads ahead. */
TEST(hazard, broken_events_all_over_a_large_file_cost_just_those)
{
    enum { COUNT = 80000 };
    opli_trace trace;
    opli_text json = {0};
    uint64_t broken = 0;
    opli_text_addf(&json, "{\"traceEvents\":[\n");
    for (int i = 0; i < COUNT; i++) {
        const char *name = i % 97 == 0 ? "bare \"quotes\" in it" : i % 101 == 0 ? "no end" : "fine";
        broken += i % 97 == 0 || i % 101 == 0;
        opli_text_addf(
            &json,
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"name\":\"%s\",\"args\":{%s},\n",
            i, name, i % 97 && i % 101 == 0 ? "" : "\"External id\":1}");
    }
    opli_text_addf(&json, "{}]}");
    hazard_open_bytes(&trace, json.bytes, json.length);
    opli_text_free(&json);
    hazard_check(&trace, COUNT - broken, broken);
    CHECK_EQ(inquiry_note(&trace, "events cannot be read as JSON"), broken);
    opli_trace_free(&trace);
}

/* ---- times ---- */

TEST(hazard, times_in_every_spelling_are_exact_to_the_nanosecond)
{
    static const struct {
        const char *written;
        int64_t ns;
    } times[] = {{"1", 1000},
                 {"'7'", 7000},
                 {"1.5", 1500},
                 {"'2.25'", 2250},
                 {"12.345", 12345},
                 {"0.0005", 1},
                 {"0.00049999", 0},
                 {"-3.001", -3001},
                 {"1e3", 1000000},
                 {"1.23457e+06", 1234570000},
                 {"4563.2210000000005", 4563221},
                 {"1726704000000000.123", 1726704000000000123},
                 {"9007199254740993.001", OPLI_TIME_MAX},
                 {"1726704000000000.1234567", 1726704000000000123},
                 {"000012.5", 12500},
                 {"0", 0}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char json[256];
        opli_trace trace;
        snprintf(json, sizeof json, "[{'ph':'X','name':'a','dur':1,'ts':%s}]", times[i].written);
        hazard_open(&trace, json);
        hazard_check(&trace, 1, 0);
        if (trace.spans.start_ns[0] != times[i].ns)
            fail_msg("%s is %lld ns, not %lld", times[i].written, (long long)trace.spans.start_ns[0],
                     (long long)times[i].ns);
        opli_trace_free(&trace);
    }
}

TEST(hazard, times_that_are_none_cost_the_event_and_are_counted)
{
    static const char *const times[] = {"NaN",  "Infinity", "-Infinity", "null", "'soon'",
                                        "[1]",  "{}",       "1e400",     "''",   "99999999999999999999999",
                                        "1.2.3"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char json[256];
        opli_trace trace;
        snprintf(json, sizeof json, "[{'ph':'X','name':'a','dur':1,'ts':%s}," X("b", "'ts':1,'dur':1") "]", times[i]);
        hazard_open(&trace, json);
        hazard_check(&trace, 1, 1);
        CHECK_EQ(inquiry_note(&trace, "events have no time that makes sense"), 1);
        opli_trace_free(&trace);
    }
}

TEST(hazard, durations_that_are_missing_negative_or_no_numbers_leave_a_span_of_no_length)
{
    opli_trace trace;
    hazard_open(&trace,
                "[" X("missing", "'ts':1") "," X("back", "'ts':2,'dur':-5") "," X("nan", "'ts':3,'dur':NaN") "," X(
                    "zero", "'ts':4,'dur':0") "," X("long", "'ts':5,'dur':9223372036854775") "]");
    hazard_check(&trace, 5, 0);
    for (size_t i = 0; i < 5; i++)
        CHECK_EQ(trace.spans.duration_ns[i], 0);
    CHECK_EQ(inquiry_note(&trace, "complete events have no duration"), 2);
    CHECK_EQ(inquiry_note(&trace, "spans end before they start"), 1);
    CHECK_EQ(inquiry_note(&trace, "spans are so long"), 1);
    CHECK(trace.spans.flags[hazard_span(&trace, "back")] & OPLI_SPAN_REPAIRED);
    CHECK(trace.spans.flags[hazard_span(&trace, "long")] & OPLI_SPAN_REPAIRED);
    opli_trace_free(&trace);
}

TEST(hazard, times_a_century_and_a_half_away_are_put_where_they_can_be_reckoned_with_and_counted)
{
    opli_trace trace;
    hazard_open(&trace,
                "[" X("far", "'ts':9223372036854775,'dur':1") "," X("past", "'ts':-9223372036854775,'dur':1") "]");
    hazard_check(&trace, 2, 0);
    CHECK_EQ(inquiry_note(&trace, "events lie more than 146 years"), 2);
    CHECK_EQ(trace.spans.start_ns[hazard_span(&trace, "far")], OPLI_TIME_MAX);
    CHECK_EQ(trace.spans.start_ns[hazard_span(&trace, "past")], -OPLI_TIME_MAX);
    opli_trace_free(&trace);
}

TEST(hazard, a_trace_whose_times_are_all_zero_keeps_every_event)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':0,'dur':0") "," X("b", "'ts':0,'dur':0") "," X("c", "'ts':0,'dur':0") "]");
    hazard_check(&trace, 3, 0);
    opli_trace_free(&trace);
}

TEST(hazard, numbers_that_are_none_are_kept_as_arguments_and_exported_as_valid_json)
{
    opli_trace trace;
    hazard_open(&trace,
                "[" X("a", "'ts':1,'dur':1,'args':{'n':NaN,'i':Infinity,'m':-Infinity,'e':1e999,'h':0x1F}") "]");
    hazard_check(&trace, 1, 0);
    CHECK_EQ(trace.spans.arg_count[0], 5);
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

/* ---- who ---- */

TEST(hazard, processes_and_threads_may_be_numbers_words_negative_or_missing)
{
    opli_trace trace;
    hazard_open(&trace,
                "[{'ph':'X','name':'a','ts':1,'pid':'Spans','tid':'CUDA functions'},{'ph':'X','name':'b','ts':1,"
                "'pid':-1,'tid':-7},{'ph':'X','name':'c','ts':1},{'ph':'X','name':'d','ts':1,'pid':'12','tid':'34'"
                "},{'ph':'X','name':'e','ts':1,'pid':12,'tid':34.0},{'ph':'X','name':'f','ts':1,'pid':null,'tid':"
                "18446744073709551615}]");
    hazard_check(&trace, 6, 0);
    const opli_track *d = &trace.tracks.items[trace.spans.track[hazard_span(&trace, "d")]];
    CHECK_EQ(d->number, 34);
    CHECK_EQ(trace.spans.track[hazard_span(&trace, "d")], trace.spans.track[hazard_span(&trace, "e")]);
    CHECK_EQ(trace.tracks.items[trace.spans.track[hazard_span(&trace, "b")]].number, -7);
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, categories_may_be_missing_null_or_no_text)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1,'cat':null") "," X("b", "'ts':2") "," X("c", "'ts':3,'cat':[1]") "]");
    hazard_check(&trace, 3, 0);
    opli_trace_free(&trace);
}

TEST(hazard, a_million_threads_take_seconds_and_not_hours)
{
    enum { THREADS = 1000000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[");
    for (int i = 0; i < THREADS; i++)
        opli_text_addf(&json, "{\"ph\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":1%s},\n",
                       i % 2 ? "X" : "M", i % 2 ? "a" : "thread_name", i / 100000, i / 2, i,
                       i % 2 ? "" : ",\"args\":{\"name\":\"w\"}");
    hazard_open_bytes(&trace, json.bytes, json.length);
    hazard_check(&trace, THREADS / 2, 0);
    CHECK_EQ(trace.tracks.count, THREADS / 2);
    opli_text_free(&json);
    opli_trace_free(&trace);
}

TEST(hazard, metadata_of_unknown_names_is_counted_and_what_is_for_viewers_is_not)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'M','name':'process_sort_index','pid':1,'args':{'sort_index':1}},{'ph':'M','name':"
                        "'moon_phase','pid':1,'args':{}}," X("a", "'ts':1") "]");
    hazard_check(&trace, 1, 0);
    CHECK_EQ(inquiry_note(&trace, "metadata events are of a name"), 1);
    opli_trace_free(&trace);
}

/* ---- spans ---- */

TEST(hazard, spans_that_partly_overlap_are_kept_marked_and_on_lanes)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':0,'dur':10") "," X("b", "'ts':5,'dur':10") "," X("c", "'ts':6,'dur':2") "]");
    hazard_check(&trace, 3, 0);
    CHECK(trace.spans.flags[hazard_span(&trace, "b")] & OPLI_SPAN_OVERLAPS);
    CHECK_EQ(trace.spans.parent[hazard_span(&trace, "b")], OPLI_NO_ROW);
    CHECK_EQ(trace.spans.parent[hazard_span(&trace, "c")], hazard_span(&trace, "a"));
    hazard_check_export(&trace);
    opli_trace_free(&trace);
}

TEST(hazard, an_event_that_stands_twice_is_kept_twice)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("a", "'ts':1,'dur':5") "," X("a", "'ts':1,'dur':5") "]");
    hazard_check(&trace, 2, 0);
    CHECK_EQ(trace.spans.parent[1], 0);
    opli_trace_free(&trace);
}

TEST(hazard, events_in_any_order_give_the_same_tree)
{
    opli_trace trace;
    hazard_open(&trace, "[" X("child", "'ts':2,'dur':3") "," X("late", "'ts':20,'dur':1") "," X("parent",
                                                                                                "'ts':1,'dur':9") "]");
    hazard_check(&trace, 3, 0);
    CHECK_EQ(trace.spans.parent[hazard_span(&trace, "child")], hazard_span(&trace, "parent"));
    CHECK_EQ(trace.spans.parent[hazard_span(&trace, "late")], OPLI_NO_ROW);
    opli_trace_free(&trace);
}

TEST(hazard, a_beginning_without_end_reaches_to_the_end_of_the_trace_and_an_end_without_beginning_is_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'E','ts':1,'tid':1},{'ph':'B','name':'open','ts':2,'tid':1},{'ph':'b','name':'async',"
                        "'id':1,'ts':3,'tid':1},{'ph':'e','name':'other','id':1,'ts':4,'tid':1}," X(
                            "last", "'ts':10,'dur':5") "]");
    hazard_check(&trace, 3, 2);
    CHECK_EQ(trace.spans.duration_ns[hazard_span(&trace, "open")], 13000);
    CHECK_EQ(trace.spans.duration_ns[hazard_span(&trace, "async")], 12000);
    CHECK(trace.spans.flags[hazard_span(&trace, "open")] & OPLI_SPAN_OPEN);
    CHECK_EQ(inquiry_note(&trace, "spans began and never ended"), 2);
    opli_trace_free(&trace);
}

TEST(hazard, interleaved_ends_find_their_beginning_by_name)
{
    opli_trace trace;
    hazard_open(&trace,
                "[{'ph':'B','name':'a','ts':0,'tid':1},{'ph':'B','name':'b','ts':2,'tid':1},{'ph':'E','name':'a',"
                "'ts':5,'tid':1},{'ph':'E','name':'b','ts':9,'tid':1},{'ph':'B','name':'c','ts':10,'tid':1},{'ph':"
                "'E','name':'z','ts':12,'tid':1}]");
    hazard_check(&trace, 3, 0);
    CHECK_EQ(trace.spans.duration_ns[hazard_span(&trace, "a")], 5000);
    CHECK_EQ(trace.spans.duration_ns[hazard_span(&trace, "b")], 7000);
    CHECK_EQ(trace.spans.duration_ns[hazard_span(&trace, "c")], 2000);
    CHECK_EQ(inquiry_note(&trace, "ends came for spans inside which"), 1);
    CHECK_EQ(inquiry_note(&trace, "ends have another name"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, an_end_before_its_beginning_leaves_a_span_of_no_length)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'B','name':'a','ts':9,'tid':1},{'ph':'E','ts':5,'tid':1}]");
    hazard_check(&trace, 1, 0);
    CHECK_EQ(trace.spans.duration_ns[0], 0);
    CHECK_EQ(inquiry_note(&trace, "spans end before they start"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, a_hundred_thousand_asynchronous_spans_at_once_find_their_ends)
{
    enum { COUNT = 100000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[");
    for (int i = 0; i < 2 * COUNT; i++)
        opli_text_addf(&json,
                       "{\"ph\":\"%s\",\"name\":\"r%d\",\"cat\":\"c\",\"id\":%d,\"pid\":1,\"tid\":1,\"ts\":%d},\n",
                       i < COUNT ? "b" : "e", i % 7, i % COUNT, i);
    hazard_open_bytes(&trace, json.bytes, json.length);
    opli_text_free(&json);
    uint64_t unmatched = inquiry_note(&trace, "asynchronous ends have no beginning");
    hazard_check(&trace, COUNT, unmatched);
    CHECK_EQ(inquiry_note(&trace, "spans began and never ended"), unmatched);
    opli_trace_free(&trace);
}

TEST(hazard, a_hundred_thousand_spans_inside_each_other_nest)
{
    enum { COUNT = 100000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[");
    for (int i = 0; i < COUNT; i++)
        opli_text_addf(&json, "{\"ph\":\"X\",\"name\":\"a\",\"ts\":%d,\"dur\":%d},\n", i, 2 * (COUNT - i));
    hazard_open_bytes(&trace, json.bytes, json.length);
    opli_text_free(&json);
    hazard_check(&trace, COUNT, 0);
    CHECK_EQ(trace.spans.parent[COUNT - 1], COUNT - 2);
    opli_trace_free(&trace);
}

TEST(hazard, an_event_of_seventy_thousand_arguments_says_how_many_it_lost)
{
    enum { COUNT = 70000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{");
    for (int i = 0; i < COUNT; i++)
        opli_text_addf(&json, "%s\"k%d\":%d", i ? "," : "", i, i);
    opli_text_addf(&json, "}}]");
    hazard_open_bytes(&trace, json.bytes, json.length);
    opli_text_free(&json);
    hazard_check(&trace, 1, COUNT - UINT16_MAX);
    opli_trace_free(&trace);
}

TEST(hazard, phases_nobody_knows_are_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'?','ts':1},{'ts':2},{'ph':'','ts':3},{'ph':7,'ts':4}," X("a", "'ts':1") "]");
    hazard_check(&trace, 1, 4);
    CHECK_EQ(inquiry_note(&trace, "events are of a phase"), 4);
    opli_trace_free(&trace);
}

/* ---- flows and counters ---- */

TEST(hazard, flows_without_start_with_several_ends_and_of_one_id_in_two_categories_are_all_kept_apart)
{
    opli_trace trace;
    hazard_open(&trace,
                "[" X("launch", "'ts':1,'dur':9") ",{'ph':'f','cat':'ac2g','id':5,'ts':2,'pid':1,'tid':1},{'ph':'s',"
                                                  "'cat':'fwdbwd','id':5,'ts':3,'pid':1,'tid':1},{'ph':'f','cat':'"
                                                  "fwdbwd','id':5,'ts':4,'pid':1,'tid'"
                                                  ":1},{'ph':'f','cat':'fwdbwd','id':5,'ts':50,'pid':1,'tid':1},{'ph':'"
                                                  "s','cat':'ac2g','id':"
                                                  "'0xffff00000000000a','ts':5,'pid':1,'tid':1},{'ph':'s','cat':'ac2g',"
                                                  "'id':'0xffff00000000000b',"
                                                  "'ts':5,'pid':1,'tid':1}]");
    hazard_check(&trace, 7, 0);
    CHECK(trace.flows.items[0].category != trace.flows.items[1].category);
    CHECK_EQ(trace.flows.items[0].span, 0);
    CHECK_EQ(trace.flows.items[3].span, OPLI_NO_ROW);
    CHECK(trace.flows.items[4].id != trace.flows.items[5].id);
    opli_trace_free(&trace);
}

TEST(hazard, counters_without_values_are_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'C','name':'c','pid':1,'ts':1},{'ph':'C','name':'c','pid':1,'ts':1,'args':{}}," X(
                            "a", "'ts':1") "]");
    hazard_check(&trace, 1, 2);
    opli_trace_free(&trace);
}

TEST(hazard, a_hundred_thousand_devices_take_no_longer_than_one)
{
    enum { DEVICES = 100000 };
    opli_trace trace;
    opli_text json = {0};
    opli_text_addf(&json, "[");
    for (int i = 0; i < 3 * DEVICES; i++)
        opli_text_addf(
            &json,
            "{\"ph\":\"%s\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":7,\"ts\":%d,\"dur\":1,\"id\":1,"
            "\"args\":{\"name\":\"w\"}},\n",
            i % 3 == 0   ? "X"
            : i % 3 == 1 ? "f"
                         : "M",
            i % 3 ? "ac2g" : "kernel", i % 3 == 2 ? "thread_name" : "k", i / 3, i);
    hazard_open_bytes(&trace, json.bytes, json.length);
    opli_text_free(&json);
    hazard_check(&trace, 2 * DEVICES, 0);
    CHECK_EQ(trace.devices.count, DEVICES);
    for (size_t i = 0; i < DEVICES; i++)
        CHECK_EQ(trace.tracks.items[trace.flows.items[i].track].kind, OPLI_TRACK_QUEUE);
    opli_trace_free(&trace);
}

TEST(hazard, a_quote_in_a_csv_that_never_closes_is_said)
{
    opli_trace trace;
    hazard_open(&trace, "start,end,name,span_id\n1,2,a,1\n3,4,'b,2\n5,6,c,3\n");
    hazard_check(&trace, 2, 1);
    CHECK_EQ(inquiry_note(&trace, "a quote is never closed"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, a_csv_with_rows_that_are_cut_swapped_or_empty_counts_them)
{
    opli_trace trace;
    hazard_open(
        &trace,
        "start,end,name,span_id\r\n1,2,a,1\r\n9,4,b,2\r\n\r\n5\r\nx,y,z,3\r\n99999999999999999999,1,q,4\r\n7,8,c");
    hazard_check(&trace, 3, 3);
    CHECK_EQ(inquiry_note(&trace, "rows without a start and an end"), 3);
    CHECK_EQ(inquiry_note(&trace, "spans end before they start"), 1);
    opli_trace_free(&trace);
}

TEST(hazard, bytes_behind_a_profile_are_said)
{
    opli_trace trace;
    size_t size;
    char *bytes = inquiry_load(TEST_DATA "/resnet18.prof", &size);
    bytes = realloc(bytes, size + 4);
    memcpy(bytes + size, "more", 4);
    hazard_open_bytes(&trace, bytes, size + 4);
    CHECK_EQ(inquiry_note(&trace, "something stands behind the profile"), 1);
    free(bytes);
    opli_trace_free(&trace);
}

TEST(hazard, counter_values_that_are_no_numbers_are_counted)
{
    opli_trace trace;
    hazard_open(&trace, "[{'ph':'C','name':'c','pid':1,'ts':1,'args':{'a':1,'b':'2','c':null,'d':'x','e':[1]}}]");
    hazard_check(&trace, 2, 3);
    opli_trace_free(&trace);
}
