/* progress_bar.c - a line on stderr for a person who waits. */
#include "cli/progress_bar.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/stopwatch.h"
#include "cli/terminal.h"

#define PATIENCE_NS 1000000000 /* what is done by then needs no bar */
#define TICK_NS 100000000
#define BAR_COLUMNS 24u

/* ---- the line ---- */

static void add_bar(opli_text *out, double part)
{
    unsigned full = (unsigned)(part * BAR_COLUMNS + 0.5);
    opli_text_addf(out, " ");
    for (unsigned i = 0; i < BAR_COLUMNS; i++)
        opli_text_addf(out, i < full ? "█" : "░");
    opli_text_addf(out, " %3.0f %%", part * 100);
}

static void add_seconds(opli_text *out, double seconds)
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 60)
        opli_text_addf(out, "%lu min %lu s", whole / 60, whole % 60);
    else
        opli_text_addf(out, "%lu s", whole);
}

/* What comes behind the name. */
static void add_numbers(const opli_progress_bar *bar, double seconds, opli_text *out)
{
    double done = (double)atomic_load(&bar->done_bytes), total = (double)bar->total_bytes;
    double part = total > 0 && done < total ? done / total : done > 0 ? 1 : 0;
    if (total > 0 && done > 0)
        add_bar(out, part);
    if (done > 0 && seconds > 0)
        opli_text_addf(out, "  %.0f MB/s", done / seconds / 1e6);
    opli_text_addf(out, "  ");
    add_seconds(out, total > 0 && done > 0 ? seconds / part - seconds : seconds);
    if (total > 0 && done > 0)
        opli_text_addf(out, " left");
}

/* The end of a path says more than its beginning. */
static void add_name(const char *name, size_t columns, opli_text *out)
{
    size_t width = opli_utf8_width(name, strlen(name));
    bool cut = width > columns;
    if (columns < 2)
        return;
    for (; width > columns - cut; width--) /* one column goes to the dots */
        name += opli_utf8_length(name, strlen(name)) ? opli_utf8_length(name, strlen(name)) : 1;
    opli_text_addf(out, "%s", cut ? "…" : "");
    opli_text_add_printable(out, name, strlen(name));
}

void opli_progress_bar_line(const opli_progress_bar *bar, int64_t now_ns, size_t columns, opli_text *out)
{
    opli_text numbers = {0};
    const char *name = atomic_load(&bar->name);
    add_numbers(bar, (double)(now_ns - bar->start_ns) / 1e9, &numbers);
    size_t taken = strlen(bar->verb) + opli_utf8_width(numbers.bytes ? numbers.bytes : "", numbers.length) + 2;
    opli_text_addf(out, "%s", bar->verb);
    if (name && taken + 4 < columns) {
        opli_text_addf(out, " ");
        add_name(name, columns - taken, out);
    }
    if (taken <= columns && numbers.bytes)
        opli_text_add(out, numbers.bytes, numbers.length);
    opli_text_free(&numbers);
}

/* ---- the thread ---- */

static void look_at_file(opli_progress_bar *bar)
{
    struct stat info;
    if (bar->growing && stat(bar->growing, &info) == 0 && S_ISREG(info.st_mode))
        atomic_store(&bar->done_bytes, (uint64_t)info.st_size);
}

static void draw(opli_progress_bar *bar)
{
    opli_text line = {0};
    size_t columns = opli_terminal_columns(STDERR_FILENO);
    look_at_file(bar);
    opli_progress_bar_line(bar, opli_stopwatch_ns(), columns ? columns - 1 : 79, &line);
    if (line.bytes && !line.cut)
        fprintf(stderr, "\r%s\033[K", line.bytes);
    opli_text_free(&line);
}

static struct timespec moment(int64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
}

static void *run(void *context)
{
    opli_progress_bar *bar = context;
    bool drawn = false;
    int64_t next_ns = bar->start_ns + PATIENCE_NS;
    pthread_mutex_lock(&bar->lock);
    while (!bar->ends) {
        struct timespec until = moment(next_ns);
        pthread_cond_timedwait(&bar->ended, &bar->lock, &until);
        if (bar->ends || opli_stopwatch_ns() < next_ns)
            continue;
        draw(bar);
        drawn = true;
        next_ns = opli_stopwatch_ns() + TICK_NS;
    }
    pthread_mutex_unlock(&bar->lock);
    if (drawn)
        fprintf(stderr, "\r\033[K");
    return NULL;
}

/* ---- its life ---- */

static void start_thread(opli_progress_bar *bar)
{
    pthread_condattr_t attributes;
    if (!opli_terminal_moves(STDERR_FILENO))
        return;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&bar->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&bar->lock, NULL);
    bar->runs = pthread_create(&bar->thread, NULL, run, bar) == 0;
}

void opli_progress_bar_begin(opli_progress_bar *bar, const char *verb, uint64_t total_bytes)
{
    memset(bar, 0, sizeof *bar);
    bar->verb = verb;
    bar->total_bytes = total_bytes;
    bar->start_ns = opli_stopwatch_ns();
    start_thread(bar);
}

void opli_progress_bar_begin_writing(opli_progress_bar *bar, const char *path)
{
    memset(bar, 0, sizeof *bar);
    bar->verb = "writing";
    bar->growing = path;
    atomic_store(&bar->name, path);
    bar->start_ns = opli_stopwatch_ns();
    start_thread(bar);
}

void opli_progress_bar_move(opli_progress_bar *bar, const char *name, uint64_t done_bytes)
{
    atomic_store(&bar->name, name);
    atomic_store(&bar->done_bytes, done_bytes);
}

void opli_progress_bar_end(opli_progress_bar *bar)
{
    if (!bar->runs)
        return;
    pthread_mutex_lock(&bar->lock);
    bar->ends = true;
    pthread_cond_signal(&bar->ended);
    pthread_mutex_unlock(&bar->lock);
    pthread_join(bar->thread, NULL);
    pthread_mutex_destroy(&bar->lock);
    pthread_cond_destroy(&bar->ended);
    bar->runs = false;
}
