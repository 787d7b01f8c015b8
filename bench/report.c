/* report.c - what it costs to ask a recording of ours which operator takes the time.
 *
 * report [--dir DIR] [--millions N]: so many spans, recorded by two threads, four deep. Asked for the
 * averages, which need no store, and for the call tree, which does; beside it one scan of the file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <oplens/oplens.h>

#include "analysis/analysis.h"
#include "child_cost.h"
#include "file_scan.h"
#include "import/importer.h"
#include "workplace.h"

#define TURNS 5
#define NAMES 60
#define THREADS 2
#define PROMISED_NS 3.0 /* 100 million in 0.3 s */

static opl_site sites[NAMES];
static char names[NAMES][16];
static uint64_t rounds; /* of a thread */

/* ---- recording ---- */

static void *record(void *nothing)
{
    for (uint64_t i = 0; i < rounds; i++) {
        opl_span outer = opl_span_begin(&sites[i % 7]), first = opl_span_begin(&sites[8 + i % 13]);
        opl_span_end(&first);
        opl_span second = opl_span_begin(&sites[22 + i % 17]), inner = opl_span_begin(&sites[40 + i % 19]);
        opl_span_end(&inner);
        opl_span_end(&second);
        opl_span_end(&outer);
    }
    return nothing;
}

static bool record_file(const char *path, uint64_t spans)
{
    pthread_t threads[THREADS];
    rounds = spans / THREADS / 4;
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "operator %u", i);
        sites[i] = (opl_site)OPL_SITE_INIT(names[i], OPL_CAT_OP, 1);
    }
    bool ok = opl_recorder_start(&(opl_recorder_options){.path = path}, NULL) == OPL_OK;
    for (int i = 0; ok && i < THREADS; i++)
        ok = pthread_create(&threads[i], NULL, record, NULL) == 0;
    for (int i = 0; ok && i < THREADS; i++)
        pthread_join(threads[i], NULL);
    opl_recorder_stop();
    return ok;
}

/* ---- asking ---- */

typedef struct asking {
    const char *path;
    const opli_analysis *analysis;
} asking;

static bool ask(void *context)
{
    const asking *a = context;
    opli_trace trace;
    opli_table table = {.column_count = 0};
    opl_error err;
    opli_open_options options = {.sums_will_do = a->analysis->sums_will_do};
    return opli_trace_open_with(&a->path, 1, &options, &trace, &err) == OPL_OK &&
           a->analysis->run(&trace, &(opli_question){0}, &table, &err) == OPL_OK;
}

static bool measure(const char *what, asking a, uint64_t spans, double promised_ns, unsigned turns)
{
    opli_child_cost cost;
    if (!opli_child_cost_take(ask, &a, turns, &cost))
        return false;
    double ns = cost.seconds * 1e9 / (double)spans;
    printf("  %-28s %6.3f s  %6.1f M rows/s  %6.2f ns a span  %6.2f ns of CPU  %5.1f bytes a span", what, cost.seconds,
           1e3 / ns, ns, cost.cpu_seconds * 1e9 / (double)spans, (double)cost.peak_bytes / (double)spans);
    if (promised_ns > 0)
        printf("  <= %.0f ns %s", promised_ns, ns <= promised_ns ? "pass" : "miss");
    printf("\n");
    return true;
}

static bool measure_all(const char *path, uint64_t spans)
{
    struct stat info;
    opli_child_cost scan;
    if (stat(path, &info) != 0 || !opli_child_cost_take(opli_file_scan, (void *)(uintptr_t)path, TURNS, &scan))
        return false;
    printf("  %-28s %6.3f s  (%.0f MB)\n", "one scan of the file", scan.seconds, (double)info.st_size / 1e6);
    uint64_t few = spans > 10000000 ? 10000000 : spans;
    bool ok = measure("averages", (asking){path, &opli_analysis_averages}, spans, PROMISED_NS, TURNS);
    return ok && (few < spans || measure("tree, through the store", (asking){path, &opli_analysis_tree}, spans, 0, 3));
}

int main(int count, char **words)
{
    const char *directory = NULL;
    uint64_t millions = 100;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--dir") == 0)
            directory = words[i + 1];
        else if (strcmp(words[i], "--millions") == 0)
            millions = strtoull(words[i + 1], NULL, 10);
    }
    opli_workplace place;
    opl_error err;
    if (!millions || opli_workplace_init(&place, directory, &err) != OPL_OK) {
        fprintf(stderr, "report: %s\n", millions ? err.message : "--millions takes a number of at least 1");
        return 1;
    }
    bool ok = true;
    for (uint64_t spans = 10; ok && spans <= millions;
         spans = spans < millions && spans * 10 > millions ? millions : spans * 10) {
        printf("What it costs to ask a recording of %llu million spans: open and answer, fastest of %d\n",
               (unsigned long long)spans, TURNS);
        ok = record_file(place.trace, spans * 1000000) && measure_all(place.trace, spans * 1000000);
        opli_workplace_clear(&place);
        if (spans == millions)
            break;
    }
    if (!ok)
        fprintf(stderr, "report: a recording could not be written to %s, or read again\n", place.directory);
    opli_workplace_fini(&place);
    return ok ? 0 : 1;
}
