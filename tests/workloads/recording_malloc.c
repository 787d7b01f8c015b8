/* recording_malloc.c - a program whose own malloc, calloc, realloc and free record a span each.
 *
 * Its counts go to stdout: how many spans each of them issued while the recorder was on. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <oplens/oplens.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static _Atomic uint64_t accepted;

/* A thread may leave one event out while it begins, and that is counted. */
#define RECORDED(name, call)                                       \
    opl_span span = OPL_SPAN_BEGIN(name, OPL_CAT_MEMORY);          \
    atomic_fetch_add(&accepted, span.record != NULL);              \
    call;                                                          \
    opl_arg_uint(&span, OPL_KEY("bytes"), size);                   \
    opl_arg_text(&span, OPL_KEY("where"), "inside the allocator"); \
    opl_span_end(&span)

void *malloc(size_t size)
{
    RECORDED("malloc", void *memory = __libc_malloc(size));
    return memory;
}

void *calloc(size_t count, size_t size)
{
    RECORDED("calloc", void *memory = __libc_calloc(count, size));
    return memory;
}

void *realloc(void *old, size_t size)
{
    RECORDED("realloc", void *memory = __libc_realloc(old, size));
    return memory;
}

void free(void *memory)
{
    size_t size = 0;
    RECORDED("free", __libc_free(memory));
}

static void *allocate(void *unused)
{
    for (size_t i = 0; i < 5000; i++) {
        char *memory = malloc(i % 1000 + 1);
        memory = realloc(memory, i % 2000 + 1);
        memset(memory, 1, i % 2000 + 1);
        free(memory);
        free(calloc(3, i % 100));
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, allocate, NULL);
    allocate(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    opl_recorder_pause();
    printf("%llu\n", (unsigned long long)accepted);
    return 0;
}
