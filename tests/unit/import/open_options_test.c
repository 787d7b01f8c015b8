/* open_options_test.c - who opens a trace may watch, and may go on without a file. */
#include "import/importer.h"
#include "test.h"

typedef struct watching {
    size_t calls, last_done, last_total, asked, refused_file;
    bool skips, went_back;
} watching;

static void watch(void *context, const char *path, size_t done, size_t total)
{
    watching *w = context;
    CHECK(strstr(path, TEST_DATA) == path);
    CHECK(done <= total);
    w->went_back |= done < w->last_done;
    w->calls++;
    w->last_done = done;
    w->last_total = total;
}

static bool skip_or_not(void *context, size_t file, const opl_error *why)
{
    watching *w = context;
    CHECK(strstr(why->message, "cannot be opened"));
    w->asked++;
    w->refused_file = file;
    return w->skips;
}

TEST(open_options, tell_who_watches_how_far_unpacking_is)
{
    const char *path = TEST_DATA "/resnet18_cpu.pt.trace.json.gz";
    watching w = {.calls = 0};
    opli_progress progress = {watch, &w};
    opli_trace trace;
    opl_error err;
    CHECK_EQ(opli_trace_open_with(&path, 1, &(opli_open_options){.progress = &progress}, &trace, &err), OPL_OK);
    CHECK(w.calls > 0);
    CHECK(w.last_total > 0);
    CHECK(!w.went_back);
    opli_trace_free(&trace);
}

TEST(open_options, let_a_file_that_cannot_be_read_be_skipped)
{
    const char *paths[] = {TEST_DATA "/resnet18_cpu.pt.trace.json.gz", "/nonexistent/trace.json"};
    watching w = {.skips = true};
    opli_open_options options = {.skips = skip_or_not, .context = &w};
    opli_trace trace;
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_trace_open_with(paths, 2, &options, &trace, &err), OPL_OK);
    CHECK_EQ(w.asked, 1);
    CHECK_EQ(w.refused_file, 1);
    CHECK(trace.spans.count > 0);
    opli_trace_free(&trace);
    w.skips = false;
    CHECK_EQ(opli_trace_open_with(paths, 2, &options, &trace, &err), OPL_IO);
    CHECK(strstr(err.message, "/nonexistent/trace.json"));
}
