/* exec_twice.c - a program that records in three threads, execs itself, and records once more. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "lane.h"

static void *record(void *lane)
{
    for (uint64_t i = 0; i < 10000; i++)
        lane_put_text((unsigned)(uintptr_t)lane, i);
    return NULL;
}

static void record_in_threads(void)
{
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, record, (void *)i);
    for (uintptr_t i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "first") == 0) {
        OPL_SPAN ("first program", OPL_CAT_MODEL) {
            record_in_threads();
            execl(argv[0], argv[0], "second", (char *)NULL);
        }
        return 1;
    }
    OPL_SPAN ("second program", OPL_CAT_MODEL)
        record_in_threads();
    return 0;
}
