/* clock.c - the recorder's clock: the CPU's own counter where that can be trusted. */
#define _GNU_SOURCE
#include "os/clock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <oplens/annotate.h>

#include "wire/file.h"

#define RATE_LOOK_NS 200000

static uint32_t clock_kind = OPLI_CLOCK_MONOTONIC;

static int64_t read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#if defined(__x86_64__)
/* The kernel watches the TSC; when it found it wanting it uses another clock source. */
static int kernel_trusts_tsc(void)
{
    char name[32] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 1; /* not told otherwise */
    ssize_t length = read(fd, name, sizeof name - 1);
    close(fd);
    if (length <= 0)
        return 1;
    return strncmp(name, "hpet", 4) != 0 && strncmp(name, "acpi_pm", 7) != 0 && strncmp(name, "jiffies", 7) != 0 &&
           strncmp(name, "refined-jiffies", 15) != 0;
}

static uint32_t choose_clock(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    int invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
    return invariant && kernel_trusts_tsc() ? OPLI_CLOCK_TSC : OPLI_CLOCK_MONOTONIC;
}
#elif defined(__aarch64__)
static uint32_t choose_clock(void) { return OPLI_CLOCK_CNTVCT; }
#else
static uint32_t choose_clock(void) { return OPLI_CLOCK_MONOTONIC; }
#endif

void opli_clock_init(void)
{
    const char *wish = secure_getenv("OPLENS_CLOCK");
    clock_kind = wish && strcmp(wish, "monotonic") == 0 ? OPLI_CLOCK_MONOTONIC : choose_clock();
}

uint32_t opli_clock_kind(void) { return clock_kind; }

int64_t opli_clock_monotonic_ns(void) { return read_clock(CLOCK_MONOTONIC); }

uint64_t opli_clock_now(void)
{
    return clock_kind == OPLI_CLOCK_MONOTONIC ? (uint64_t)read_clock(CLOCK_MONOTONIC) : opl_clock_ticks();
}

/* The tightest of a few: a pre-emption between the reads shows as doubt. */
opli_clock_sample opli_clock_sample_take(void)
{
    opli_clock_sample best = {0, 0, 0, UINT64_MAX};
    for (int i = 0; i < 5; i++) {
        int64_t before = read_clock(CLOCK_MONOTONIC);
        uint64_t tick = opli_clock_now();
        int64_t real = read_clock(CLOCK_REALTIME);
        int64_t after = read_clock(CLOCK_MONOTONIC);
        uint64_t doubt = (uint64_t)(after - before);
        if (doubt < best.doubt_ns)
            best = (opli_clock_sample){tick, before + (after - before) / 2, real, doubt};
    }
    if (clock_kind == OPLI_CLOCK_MONOTONIC)
        best.monotonic_ns = (int64_t)best.tick;
    return best;
}

/* Two looks at both clocks, a little apart: good to a few parts in ten thousand. */
static uint64_t estimate_rate(void)
{
    opli_clock_sample begin = opli_clock_sample_take(), end = begin;
    while (end.monotonic_ns - begin.monotonic_ns < RATE_LOOK_NS)
        end = opli_clock_sample_take();
    double seconds = (double)(end.monotonic_ns - begin.monotonic_ns) / 1e9;
    return (uint64_t)((double)(end.tick - begin.tick) / seconds);
}

uint64_t opli_clock_ticks_per_second(void)
{
    static uint64_t rate;
    uint64_t known = __atomic_load_n(&rate, __ATOMIC_RELAXED);
    if (clock_kind == OPLI_CLOCK_MONOTONIC)
        return 1000000000;
    if (!known) {
        known = estimate_rate();
        __atomic_store_n(&rate, known, __ATOMIC_RELAXED);
    }
    return known;
}
