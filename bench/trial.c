/* trial.c - one run of one case.
 *
 * All threads go through the same stages together, so that the floor of two threads is that of
 * two busy cores. They are alive when the recorder stops, as a program's threads usually are. */
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <oplens/record.h>

#include "floor.h"
#include "spread.h"
#include "stopwatch.h"
#include "wire/chunk.h"

typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *stage;
    void (*loop)(uint64_t count);
    uint64_t spans;
    int64_t cpu_ns;
    uint64_t stream_bytes; /* of all its spans but the first */
    double floors[2 * OPLI_FLOOR_PIECES];
} worker;

/* How many bytes of records this thread has put into its stream; only differences mean anything.
 * A chunk's 64-byte header is not a record. 0 where the probes do not write the stream themselves. */
static uint64_t stream_position(void)
{
    const opl_stream_v1 *stream = opl_thread_v1;
    if (!stream || !stream->limit)
        return 0;
    uint64_t first = stream->limit - OPL_SLOT_BYTES + sizeof(opli_wire_slot);
    uint64_t cursor = stream->cursor < stream->limit ? stream->cursor : stream->limit;
    return stream->chunk * (OPL_SLOT_BYTES - sizeof(opli_wire_slot)) + (cursor - first);
}

static void next_stage(worker *w) { pthread_barrier_wait(w->stage); }

/* The first span, which attaches the thread to the recording, is timed like the others. */
static void record(worker *w)
{
    int64_t start_ns = opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID);
    w->loop(1);
    uint64_t position = stream_position();
    w->loop(w->spans - 1);
    w->cpu_ns = opli_stopwatch_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
    w->stream_bytes = stream_position() - position;
}

static void *work(void *argument)
{
    worker *w = argument;
    opli_floor_measure(w->floors);
    next_stage(w); /* all have their floor; the process's clock is read */
    next_stage(w);
    record(w);
    next_stage(w); /* all have recorded; the recorder is stopped */
    next_stage(w);
    opli_floor_measure(w->floors + OPLI_FLOOR_PIECES);
    return NULL;
}

/* The main thread's part, between the same stages. */
static void conduct(worker *workers, bool disabled, opli_sample *out)
{
    next_stage(workers);
    int64_t cpu_ns = opli_stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID);
    next_stage(workers);
    next_stage(workers);
    int64_t start_ns = opli_stopwatch_ns(CLOCK_MONOTONIC);
    if (!disabled)
        opl_recorder_stop();
    out->close_ms = (double)(opli_stopwatch_ns(CLOCK_MONOTONIC) - start_ns) / 1e6;
    out->all_ns = (double)(opli_stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns);
    next_stage(workers);
}

/* A thread that cannot be had leaves the others at the barrier for good; the program gives up. */
static opl_status start_workers(worker *workers, const opli_trial *trial, pthread_barrier_t *stage, opl_error *err)
{
    for (uint32_t i = 0; i < trial->threads; i++) {
        workers[i] = (worker){.stage = stage, .loop = trial->what->loop, .spans = trial->spans / trial->threads};
        int failure = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
        if (failure) {
            err->status = OPL_NOMEM;
            snprintf(err->message, sizeof err->message, "no thread to record on: %s", strerror(failure));
            return OPL_NOMEM;
        }
    }
    return OPL_OK;
}

static void sum_up(worker *workers, uint32_t count, opli_sample *out)
{
    double floors[OPLI_TRIAL_THREADS * 2 * OPLI_FLOOR_PIECES];
    double spans = 0, cpu_ns = 0, stream_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(floors + i * 2 * OPLI_FLOOR_PIECES, workers[i].floors, sizeof workers[i].floors);
        spans += (double)workers[i].spans;
        cpu_ns += (double)workers[i].cpu_ns;
        stream_bytes += (double)workers[i].stream_bytes;
    }
    out->floor_ns = opli_spread_take(floors, count * 2 * OPLI_FLOOR_PIECES).median;
    out->thread_ns = cpu_ns / spans;
    out->all_ns /= spans;
    out->stream_bytes = stream_bytes / (spans - count);
}

static opl_status weigh(const opli_trial *trial, opli_sample *out, opl_error *err)
{
    struct stat info;
    if (stat(trial->path, &info) != 0) {
        err->status = OPL_IO;
        snprintf(err->message, sizeof err->message, "%.300s: was recorded and is not there: %s", trial->path,
                 strerror(errno));
        return OPL_IO;
    }
    out->file_bytes = (double)info.st_size / (double)trial->spans;
    out->disk_bytes = (double)info.st_blocks * 512 / (double)trial->spans;
    return OPL_OK;
}

opl_status opli_trial_run(const opli_trial *trial, opli_sample *out, opl_error *err)
{
    static worker workers[OPLI_TRIAL_THREADS]; /* may outlive this call: see start_workers() */
    static pthread_barrier_t stage;
    opl_status st = OPL_OK;
    *out = (opli_sample){.floor_ns = 0};
    if (!trial->what->disabled)
        st = opl_recorder_start(&(opl_recorder_options){.path = trial->path}, err);
    if (st != OPL_OK)
        return st;
    pthread_barrier_init(&stage, NULL, trial->threads + 1);
    st = start_workers(workers, trial, &stage, err);
    if (st != OPL_OK)
        return st;
    conduct(workers, trial->what->disabled, out);
    for (uint32_t i = 0; i < trial->threads; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&stage);
    sum_up(workers, trial->threads, out);
    return trial->what->disabled ? OPL_OK : weigh(trial, out, err);
}
