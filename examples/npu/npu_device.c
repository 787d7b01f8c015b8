/* npu_device.c - a make-believe accelerator. */
#include "npu_device.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* ---- clock ---- */

#define FIRST_TICK INT64_C(4000000000000) /* it was on long before us */
#define DRIFT 1.00002                     /* and its crystal runs a little fast */

static pthread_once_t powered = PTHREAD_ONCE_INIT;
static int64_t power_on_ns;

static int64_t host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void power_on(void) { power_on_ns = host_ns(); }

int64_t npu_device_ticks(void)
{
    pthread_once(&powered, power_on);
    return FIRST_TICK + (int64_t)((double)(host_ns() - power_on_ns) * (NPU_CLOCK_HZ / 1e9) * DRIFT);
}

/* ---- processing elements ---- */

static void wait_for_memory(int64_t ns)
{
    struct timespec pause = {0, (long)ns};
    if (ns)
        nanosleep(&pause, NULL);
}

static void compute(int64_t ns)
{
    for (int64_t until = host_ns() + ns; host_ns() < until;)
        ;
}

void npu_device_execute(const npu_program *program, npu_times *times)
{
    times->begin = npu_device_ticks();
    for (uint32_t i = 0; i < program->count; i++) {
        times->instruction_begin[i] = npu_device_ticks();
        wait_for_memory(program->instructions[i].wait_ns);
        compute(program->instructions[i].busy_ns);
        times->instruction_end[i] = npu_device_ticks();
    }
    times->end = npu_device_ticks();
}

/* ---- memory: pages of 64 KiB, taken from the device 16 at a time ---- */

#define PAGE_BYTES UINT64_C(65536)
#define PAGE_COUNT 256
#define SLAB_PAGES 16
#define FIRST_ADDRESS UINT64_C(0x80000000)

static struct {
    pthread_mutex_t lock;
    bool taken[PAGE_COUNT];
    uint64_t used_pages, allocated_pages;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t pages_of(uint64_t size_bytes) { return (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES; }

static void mark(uint64_t first, uint64_t count, bool taken)
{
    for (uint64_t i = first; i < first + count; i++) {
        pool.taken[i] = taken;
        pool.used_pages = taken ? pool.used_pages + 1 : pool.used_pages - 1;
    }
    while (pool.allocated_pages < first + count)
        pool.allocated_pages += SLAB_PAGES;
}

/* The first of `count` free pages in a row, or PAGE_COUNT. */
static uint64_t find(uint64_t count)
{
    uint64_t run = 0;
    for (uint64_t i = 0; i < PAGE_COUNT; i++) {
        run = pool.taken[i] ? 0 : run + 1;
        if (run == count)
            return i + 1 - count;
    }
    return PAGE_COUNT;
}

static npu_usage usage(void)
{
    return (npu_usage){(int64_t)(pool.used_pages * PAGE_BYTES), (int64_t)(pool.allocated_pages * PAGE_BYTES)};
}

npu_buffer npu_device_alloc(uint64_t size_bytes, npu_watcher *watch)
{
    npu_buffer buffer = {0, pages_of(size_bytes) * PAGE_BYTES};
    pthread_mutex_lock(&pool.lock);
    uint64_t first = find(pages_of(size_bytes));
    if (first < PAGE_COUNT) {
        mark(first, pages_of(size_bytes), true);
        buffer.address = FIRST_ADDRESS + first * PAGE_BYTES;
        watch(&buffer, usage());
    }
    pthread_mutex_unlock(&pool.lock);
    return buffer;
}

void npu_device_free(const npu_buffer *buffer, npu_watcher *watch)
{
    if (!buffer->address)
        return;
    pthread_mutex_lock(&pool.lock);
    mark((buffer->address - FIRST_ADDRESS) / PAGE_BYTES, pages_of(buffer->size_bytes), false);
    watch(buffer, usage());
    pthread_mutex_unlock(&pool.lock);
}
