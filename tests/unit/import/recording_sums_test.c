/* recording_sums_test.c - what is added up without a store is what the store adds up. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <oplens/oplens.h>

#include "analysis/analysis.h"
#include "base/table_format.h"
#include "base/table_order.h"
#include "import/importer.h"
#include "test.h"

#define NAMES 12u

static opl_site sites[NAMES];
static char names[NAMES][16];

static void name_sites(void)
{
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "op %u", i % 10); /* two names have two sites each */
        sites[i] = (opl_site)OPL_SITE_INIT(names[i], i == 3 ? OPL_CAT_DATA : OPL_CAT_OP, 1);
    }
}

/* Spans inside spans at random, some inside one of their own name, some longer than a chunk. */
static void nest(uint32_t *random, unsigned depth, unsigned budget)
{
    while (budget--) {
        *random = *random * 1664525u + 1013904223u;
        opl_span span = opl_span_begin(&sites[*random >> 16 & 1 ? depth % NAMES : (*random >> 20) % NAMES]);
        opl_arg_int(&span, OPL_KEY("n"), (int64_t)*random << (*random >> 28));
        if (depth < 6 && *random >> 8 & 1)
            nest(random, depth + (*random >> 9 & 1), *random >> 10 & 3);
        opl_span_end(&span);
    }
}

static void *record_thread(void *seed)
{
    uint32_t random = (uint32_t)(uintptr_t)seed;
    OPL_SPAN ("all of it", OPL_CAT_OP)
        nest(&random, 0, 20000);
    return NULL;
}

static const char *record(void (*more)(void))
{
    const char *path = test_path("sums.opl");
    pthread_t threads[3];
    unlink(path);
    name_sites();
    CHECK_EQ(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL), OPL_OK);
    for (uintptr_t i = 0; i < 3; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, record_thread, (void *)(i + 1)), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (more)
        more();
    opl_recorder_stop();
    return path;
}

static void open_trace(const char *path, bool sums_will_do, opli_trace *trace)
{
    opl_error err;
    if (opli_trace_open_with(&path, 1, &(opli_open_options){.sums_will_do = sums_will_do}, trace, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

/* The averages as text, sorted by name. */
static void put_averages(const opli_trace *trace, opli_text *text)
{
    opli_table table = {.column_count = 0};
    opl_error err;
    CHECK_EQ(opli_analysis_averages.run(trace, &(opli_question){0}, &table, &err), OPL_OK);
    CHECK_EQ(opli_table_sort(&table, "name", &err), OPL_OK);
    opli_table_print_csv(&table, text);
    opli_table_free(&table);
}

/* Where two spans begin in the same nanosecond the store may be needed after all, once in a while. */
static const char *open_summed(opli_trace *trace)
{
    const char *path = record(NULL);
    open_trace(path, true, trace);
    for (int i = 0; i < 5 && !trace->sums.count; i++) {
        opli_trace_free(trace);
        path = record(NULL);
        open_trace(path, true, trace);
    }
    return path;
}

TEST(sums, of_a_recording_are_those_of_its_store)
{
    opli_trace quick, whole;
    opli_text quick_text = {0}, whole_text = {0};
    open_trace(open_summed(&quick), false, &whole);
    CHECK(quick.sums.count > 0);
    CHECK_EQ(quick.spans.count, 0);
    CHECK(whole.spans.count > 60000);
    put_averages(&quick, &quick_text);
    put_averages(&whole, &whole_text);
    CHECK_TEXT(quick_text.bytes, whole_text.bytes);
    opli_text_free(&quick_text);
    opli_text_free(&whole_text);
    opli_trace_free(&quick);
    opli_trace_free(&whole);
}

/* Opens a recording that is not made of plain spans alone: it comes with all that is in it. */
static void check_stored(void (*more)(void))
{
    opli_trace trace;
    open_trace(record(more), true, &trace);
    CHECK_EQ(trace.sums.count, 0);
    CHECK(trace.spans.count > 60000);
    opli_trace_free(&trace);
}

static void say_text(void)
{
    OPL_SPAN ("with a text", OPL_CAT_OP)
        OPL_TEXT("t", "text");
}

static void say_instant(void) { OPL_INSTANT("now", OPL_CAT_OP); }

static void overlap(void)
{
    opl_span first = OPL_SPAN_BEGIN("first", OPL_CAT_OP), second = OPL_SPAN_BEGIN("second", OPL_CAT_OP);
    usleep(10);
    opl_span_end(&first);
    usleep(10);
    opl_span_end(&second);
}

static void leave_open(void)
{
    opl_span span = OPL_SPAN_BEGIN("never ended", OPL_CAT_OP);
    (void)span;
}

TEST(sums, are_not_made_of_spans_with_texts) { check_stored(say_text); }

TEST(sums, are_not_made_where_there_are_other_events) { check_stored(say_instant); }

TEST(sums, are_not_made_of_spans_that_overlap) { check_stored(overlap); }

TEST(sums, are_not_made_of_spans_that_never_ended) { check_stored(leave_open); }
