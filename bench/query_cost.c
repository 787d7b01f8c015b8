/* query_cost.c - what SQL over our columns costs, beside DuckDB's own table of the same rows.
 *
 * query_cost [MILLIONS]: so many spans of 1,000 names, made up. Each question is asked of both in
 * turn, five times on one thread; the fastest counts. Making DuckDB's table is not counted. */
#include <stdio.h>
#include <stdlib.h>

#include "query/query.h"
#include "stopwatch.h"

#define NAMES 1000
#define TURNS 5

static const struct {
    const char *what, *ours, *theirs;
} questions[] = {
    {"group by name", "select name, count(*), sum(dur) from span group by 1 order by 3 desc",
     "select name, count(*), sum(dur) from copied group by 1 order by 3 desc"},
    {"by name_id",
     "select text, n, d from (select name_id, count(*) n, sum(dur) d from span group by 1) join string on "
     "name_id = id order by d desc",
     "select text, n, d from (select name_id, count(*) n, sum(dur) d from copied group by 1) join string on "
     "name_id = id order by d desc"},
    {"sum of dur", "select sum(dur) from span", "select sum(dur) from copied"},
    {"group by kind", "select kind, sum(self) from span group by 1", "select kind, sum(self) from copied group by 1"},
    {"slowest ten", "select name, start, dur from span order by dur desc limit 10",
     "select name, start, dur from copied order by dur desc limit 10"},
};

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "query_cost: there is no memory for so many spans\n");
        exit(1);
    }
    return memory;
}

static void make_room(opli_spans *spans, size_t count)
{
    spans->count = count;
    spans->start_ns = room(count, sizeof *spans->start_ns);
    spans->duration_ns = room(count, sizeof *spans->duration_ns);
    spans->name = room(count, sizeof *spans->name);
    spans->category = room(count, sizeof *spans->category);
    spans->track = room(count, sizeof *spans->track);
    spans->parent = room(count, sizeof *spans->parent);
    spans->first_arg = room(count, sizeof *spans->first_arg);
    spans->arg_count = room(count, sizeof *spans->arg_count);
    spans->depth = room(count, sizeof *spans->depth);
    spans->lane = room(count, sizeof *spans->lane);
    spans->kind = room(count, sizeof *spans->kind);
    spans->flags = room(count, sizeof *spans->flags);
}

/* Names as operators and kernels have them: some short, most longer than DuckDB keeps inside. */
static void make_trace(opli_trace *trace, size_t count)
{
    uint32_t names[NAMES], random = 1;
    char name[64];
    opli_track *track = opli_vector_add(&trace->tracks);
    for (int i = 0; i < NAMES; i++) {
        int length = snprintf(name, sizeof name, i % 4 ? "void at::native::elementwise_kernel<%d>" : "op_%d", i);
        names[i] = opli_string_add(&trace->strings, name, (size_t)length);
    }
    make_room(&trace->spans, count);
    for (size_t row = 0; row < count; row++) {
        random = random * 1664525 + 1013904223;
        trace->spans.name[row] = names[(random >> 8) % NAMES];
        trace->spans.start_ns[row] = (int64_t)row * 1000;
        trace->spans.duration_ns[row] = random >> 12;
        trace->spans.parent[row] = OPLI_NO_ROW;
        trace->spans.kind[row] = (uint8_t)(random >> 28) % OPL_CAT_COUNT;
    }
    if (track)
        track->end = count;
}

static void ask(opli_query *query, const char *sql)
{
    opli_answer answer;
    opl_error err;
    if (opli_query_run(query, sql, NULL, 0, &answer, &err) != OPL_OK) {
        fprintf(stderr, "query_cost: %s\n", err.message);
        exit(1);
    }
    opli_answer_free(&answer);
}

static int64_t time_ask(opli_query *query, const char *sql)
{
    int64_t begun = opli_stopwatch_ns(CLOCK_MONOTONIC);
    ask(query, sql);
    return opli_stopwatch_ns(CLOCK_MONOTONIC) - begun;
}

static void measure(opli_query *query, size_t question, double millions)
{
    int64_t ours = INT64_MAX, theirs = INT64_MAX;
    for (int turn = 0; turn < TURNS; turn++) {
        int64_t a = time_ask(query, questions[question].ours), b = time_ask(query, questions[question].theirs);
        ours = a < ours ? a : ours;
        theirs = b < theirs ? b : theirs;
    }
    printf("%-14s  ours %7.1f M rows/s  DuckDB's table %7.1f M rows/s  ratio of time %.2f\n", questions[question].what,
           millions * 1e9 / (double)ours, millions * 1e9 / (double)theirs, (double)ours / (double)theirs);
}

int main(int count, char **words)
{
    double millions = count > 1 ? atof(words[1]) : 10;
    opli_trace trace = {.base_real_ns = 0};
    opli_query *query;
    opl_error err;
    make_trace(&trace, (size_t)(millions * 1e6));
    if (opli_query_open(&trace, &(opli_query_options){0}, &query, &err) != OPL_OK) {
        fprintf(stderr, "query_cost: %s\n", err.message);
        return 1;
    }
    printf("%.1f million spans, one thread, the fastest of %d\n", millions, TURNS);
    ask(query, "create table copied as select name, name_id, kind, start, dur, self from span");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        measure(query, i, millions);
    opli_query_close(query);
    opli_trace_free(&trace);
    return 0;
}
