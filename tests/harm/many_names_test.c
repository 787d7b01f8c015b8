/* many_names_test.c - a hundred thousand names that are only known at run time. */
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#define NAMES HARM_COUNT(100000u, 20000u)

static void name_of(unsigned number, char name[64]) { snprintf(name, 64, "aten::operator_%u/of/a/long/model", number); }

/* Two threads meet each name at about the same time. */
static void record_names(unsigned number, void *context)
{
    char name[64];
    (void)number, (void)context;
    for (unsigned i = 0; i < NAMES; i++) {
        name_of(i, name);
        opl_span span = opl_span_begin(opl_site_find(name, OPL_CAT_OP, 1));
        opl_arg_int(&span, opl_key_find(i % 100 ? "i" : name), i);
        opl_span_end(&span);
    }
}

static void run_names(void *path)
{
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK);
    crew_run(2, record_names, NULL);
    opl_recorder_stop();
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK);
    crew_run(1, record_names, NULL);
}

/* The number of the span says what its name must be. */
static bool check_name(void *context, const opli_event *event)
{
    char name[64];
    const harvest *h = context;
    const opli_site_row *site = opli_recording_site(&h->recording, event->site);
    CHECK(site && event->argument_count == 1);
    name_of((unsigned)event->arguments[0].value, name);
    CHECK_EQ(site->name.length, strlen(name));
    CHECK(memcmp(site->name.bytes, name, site->name.length) == 0);
    return true;
}

TEST(names, by_the_hundred_thousand_are_all_read_back)
{
    harvest h;
    const char *path = test_path("names.opl");
    child_run(run_names, (void *)(uintptr_t)path);
    harvest_open(&h, path);
    harvest_check_whole(&h);
    CHECK_EQ(h.spans, 3 * NAMES);
    CHECK_EQ(opli_events_visit(&h.recording, check_name, &h), OPL_OK);
    harvest_close(&h);
}
