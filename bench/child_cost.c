/* child_cost.c - what a piece of work costs, done in a process of its own. */
#define _GNU_SOURCE
#include "child_cost.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stopwatch.h"

static uint64_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static bool do_once(bool (*work)(void *context), void *context, opli_child_cost *cost)
{
    uint64_t before = peak_bytes();
    int64_t start = opli_stopwatch_ns(CLOCK_MONOTONIC), cpu = opli_stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (!work(context))
        return false;
    cost->seconds = (double)(opli_stopwatch_ns(CLOCK_MONOTONIC) - start) / 1e9;
    cost->cpu_seconds = (double)(opli_stopwatch_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e9;
    cost->peak_bytes = peak_bytes() - before;
    return true;
}

static bool do_in_child(bool (*work)(void *context), void *context, opli_child_cost *cost)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(do_once(work, context, cost) ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool opli_child_cost_take(bool (*work)(void *context), void *context, unsigned turns, opli_child_cost *cost)
{
    opli_child_cost *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool ok = shared != MAP_FAILED;
    *cost = (opli_child_cost){.seconds = 1e9, .cpu_seconds = 1e9};
    for (unsigned i = 0; ok && i < turns; i++) {
        ok = do_in_child(work, context, shared);
        cost->seconds = shared->seconds < cost->seconds ? shared->seconds : cost->seconds;
        cost->cpu_seconds = shared->cpu_seconds < cost->cpu_seconds ? shared->cpu_seconds : cost->cpu_seconds;
        cost->peak_bytes = shared->peak_bytes > cost->peak_bytes ? shared->peak_bytes : cost->peak_bytes;
    }
    if (shared != MAP_FAILED)
        munmap(shared, sizeof *shared);
    return ok;
}
