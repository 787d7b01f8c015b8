/* whole_life.c - a program that records from its first moment to its last, and says a word on each channel. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <oplens/oplens.h>

#define STATUS 5

static pthread_key_t key;

__attribute__((constructor)) static void before_main(void)
{
    OPL_SPAN ("constructor", OPL_CAT_OP) {
    }
}

__attribute__((destructor)) static void after_exit_handlers(void)
{
    OPL_SPAN ("destructor", OPL_CAT_OP) {
    }
}

static void at_exit(void)
{
    OPL_SPAN ("exit handler", OPL_CAT_OP) {
    }
}

static void at_thread_end(void *value)
{
    (void)value;
    OPL_SPAN ("key destructor", OPL_CAT_OP) {
    }
}

static void *run_thread(void *argument)
{
    pthread_setspecific(key, argument);
    OPL_SPAN ("thread", OPL_CAT_OP) {
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    atexit(at_exit);
    pthread_key_create(&key, at_thread_end);
    pthread_create(&thread, NULL, run_thread, &key);
    pthread_join(thread, NULL);
    OPL_SPAN ("main", OPL_CAT_OP) {
    }
    printf("a word on stdout\n");
    fprintf(stderr, "a word on stderr\n");
    return STATUS;
}
