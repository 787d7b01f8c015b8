/* footprint.c - how much memory does a long recording take?
 *
 * A peak is for life, so each recording gets a process of its own: a forked child, which answers
 * through a pipe. */
#define _GNU_SOURCE
#include "footprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <oplens/record.h>

#include "interrupt.h"
#include "span_case.h"

#define SLICE 1000000u /* spans between two looks at whether to stop */

typedef struct answer {
    opl_error error; /* its status is OPL_OK when all went well */
    double mib;
} answer;

/* A line of /proc/self/status, in KiB; 0 when it is not there. */
static long status_kib(const char *key)
{
    char line[256];
    long kib = 0;
    FILE *in = fopen("/proc/self/status", "re");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, key, strlen(key)) == 0)
            sscanf(line + strlen(key), ": %ld", &kib);
    if (in)
        fclose(in);
    return kib;
}

static void record(const char *path, uint64_t spans, answer *out)
{
    long before_kib = status_kib("VmRSS");
    if (opl_recorder_start(&(opl_recorder_options){.path = path}, &out->error) != OPL_OK)
        return;
    for (uint64_t done = 0; done < spans && !opli_interrupt_seen(); done += SLICE)
        opli_span_cases[0].loop(spans - done < SLICE ? spans - done : SLICE);
    opl_recorder_stop();
    long peak_kib = status_kib("VmHWM");
    out->mib = (double)(peak_kib - before_kib) / 1024;
    if (!before_kib || !peak_kib) {
        out->error.status = OPL_UNSUPPORTED;
        snprintf(out->error.message, sizeof out->error.message, "/proc/self/status does not show the peak memory");
    }
}

static void work_and_answer(const char *path, uint64_t spans, int to)
{
    answer done = {.mib = 0};
    record(path, spans, &done);
    _exit(write(to, &done, sizeof done) == (ssize_t)sizeof done ? 0 : 1);
}

static ssize_t hear(int from, answer *out)
{
    ssize_t got;
    do
        got = read(from, out, sizeof *out);
    while (got < 0 && errno == EINTR);
    return got;
}

static pid_t wait_for(pid_t child)
{
    pid_t ended;
    do
        ended = waitpid(child, NULL, 0);
    while (ended < 0 && errno == EINTR);
    return ended;
}

opl_status opli_footprint_measure(const char *path, uint64_t spans, double *mib, opl_error *err)
{
    int ends[2];
    answer done = {.error = {OPL_IO, "the process that recorded for memory's sake died"}};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err->status = OPL_IO;
    pid_t child = fork();
    if (child == 0)
        work_and_answer(path, spans, ends[1]);
    close(ends[1]);
    answer heard;
    if (child > 0 && hear(ends[0], &heard) == (ssize_t)sizeof heard)
        done = heard;
    close(ends[0]);
    if (child > 0)
        wait_for(child);
    *mib = done.mib;
    *err = done.error;
    return done.error.status;
}
