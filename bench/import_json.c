/* import_json.c - what it costs to open a Chrome trace and ask which operator takes the time.
 *
 * import_json [--dir DIR] [--megabytes N]: made-up traces of that size in three layouts, warm. Beside
 * each: the same file read once, byte by byte, as `wc -l` does it; our time is a multiple of that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "child_cost.h"
#include "file_scan.h"
#include "import/importer.h"
#include "kineto.h"
#include "workplace.h"

#define TURNS 7

typedef struct layout {
    const char *name;
    enum opli_kineto_layout layout;
    unsigned variety;
    double promised; /* scans */
} layout;

static const layout layouts[] = {
    {"as PyTorch writes it", OPLI_KINETO_NATIVE, 64, 5},
    {"compact", OPLI_KINETO_COMPACT, 64, 8},
    {"indented, other order", OPLI_KINETO_INDENTED, 64, 8},
    {"many different shapes", OPLI_KINETO_NATIVE, 1000000, 8},
};

/* ---- the work ---- */

static bool open_and_ask(void *path)
{
    const char *paths[] = {path};
    opli_trace trace;
    opli_table table = {.column_count = 0};
    opl_error err;
    bool ok = opli_trace_open(paths, 1, &trace, &err) == OPL_OK &&
              opli_analysis_averages.run(&trace, &(opli_question){0}, &table, &err) == OPL_OK;
    return ok; /* the process ends: freeing would only take time */
}

static bool make_file(const layout *l, const char *path, uint64_t bytes, uint64_t *events)
{
    FILE *to = fopen(path, "w");
    *events = to ? opli_kineto_write(to, l->layout, bytes, l->variety) : 0;
    return to && fclose(to) == 0;
}

static bool measure(const layout *l, char *path, uint64_t bytes)
{
    opli_child_cost scan, ours;
    uint64_t events;
    if (!make_file(l, path, bytes, &events) || !opli_child_cost_take(opli_file_scan, path, TURNS, &scan) ||
        !opli_child_cost_take(open_and_ask, path, TURNS, &ours))
        return false;
    double scans = ours.seconds / scan.seconds, memory = (double)ours.peak_bytes / (double)bytes;
    printf("  %-24s <= %.0f x  %6.0f MB/s  %5.1f M events/s  %6.1f x %s  <= 0.4 x  %5.2f x %s\n", l->name, l->promised,
           (double)bytes / ours.seconds / 1e6, (double)events / ours.seconds / 1e6, scans,
           scans <= l->promised ? "pass" : "miss", memory, memory <= 0.4 ? "pass" : "miss");
    return true;
}

int main(int count, char **words)
{
    const char *directory = NULL;
    uint64_t megabytes = 200;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--dir") == 0)
            directory = words[i + 1];
        else if (strcmp(words[i], "--megabytes") == 0)
            megabytes = strtoull(words[i + 1], NULL, 10);
    }
    opli_workplace place;
    opl_error err;
    if (!megabytes || opli_workplace_init(&place, directory, &err) != OPL_OK) {
        fprintf(stderr, "import_json: %s\n", megabytes ? err.message : "--megabytes takes a number of at least 1");
        return 1;
    }
    printf("What it costs to open a Chrome trace: %llu MB, to the table of averages, fastest of %d\n"
           "x: times one scan of the file; memory: peak beyond the process itself, times the file\n",
           (unsigned long long)megabytes, TURNS);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof layouts / sizeof *layouts; i++)
        ok = measure(&layouts[i], place.trace, megabytes * 1000000);
    if (!ok)
        fprintf(stderr, "import_json: a trace could not be written to %s, or read again\n", place.directory);
    opli_workplace_fini(&place);
    return ok ? 0 : 1;
}
