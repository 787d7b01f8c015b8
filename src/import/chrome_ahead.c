/* chrome_ahead.c - a thread that reads events ahead of the one that stores them. */
#define _GNU_SOURCE
#include "import/chrome_ahead.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define BATCHES 16u /* who waits is woken when half of them are there: waking takes long */
#define BATCH_EVENTS 128u

struct opli_chrome_ahead {
    opli_json json; /* the reader's */
    opli_shapes *shapes;
    opli_chrome_batch batches[BATCHES];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned filled, taken, returned; /* batches, counted from the beginning */
    bool closing;
};

/* ---- the reader ---- */

/* Passes the comma between two events. */
static void pass_comma(opli_json *json)
{
    if (opli_json_peek(json) == ',') {
        json->at++;
        opli_json_peek(json);
    }
}

static void fill(opli_chrome_ahead *ahead, opli_chrome_batch *batch)
{
    batch->count = 0;
    batch->last = false;
    while (batch->count < BATCH_EVENTS) {
        const char *start = ahead->json.at;
        pass_comma(&ahead->json);
        if (opli_chrome_event_read(&ahead->json, ahead->shapes, &batch->events[batch->count]) != OPLI_CHROME_EVENT) {
            ahead->json.at = start;
            batch->last = true;
            break;
        }
        batch->count++;
    }
    batch->at = ahead->json.at;
}

/* Waits until a batch can be filled again; NULL when nobody wants it any more. */
static opli_chrome_batch *wait_for_room(opli_chrome_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->closing && ahead->filled - ahead->returned == BATCHES)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    opli_chrome_batch *batch = ahead->closing ? NULL : &ahead->batches[ahead->filled % BATCHES];
    pthread_mutex_unlock(&ahead->lock);
    return batch;
}

static void *read_on(void *context)
{
    opli_chrome_ahead *ahead = context;
    bool last = false;
    while (!last) {
        opli_chrome_batch *batch = wait_for_room(ahead);
        if (!batch)
            return NULL;
        fill(ahead, batch);
        last = batch->last;
        pthread_mutex_lock(&ahead->lock);
        ahead->filled++;
        if (last || ahead->filled - ahead->taken >= BATCHES / 2)
            pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

/* ---- who stores them ---- */

static bool has_one_cpu(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < 2;
}

static void free_ahead(opli_chrome_ahead *ahead)
{
    for (unsigned i = 0; i < BATCHES; i++) {
        for (unsigned k = 0; ahead->batches[i].events && k < BATCH_EVENTS; k++)
            opli_vector_free(&ahead->batches[i].events[k].arguments);
        free(ahead->batches[i].events);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

opli_chrome_ahead *opli_chrome_ahead_open(opli_json json, opli_shapes *shapes)
{
    opli_chrome_ahead *ahead = has_one_cpu() ? NULL : calloc(1, sizeof *ahead);
    if (!ahead)
        return NULL;
    ahead->json = json;
    ahead->shapes = shapes;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    bool ok = true;
    for (unsigned i = 0; i < BATCHES; i++) {
        ahead->batches[i].events = calloc(BATCH_EVENTS, sizeof *ahead->batches[i].events);
        ok = ok && ahead->batches[i].events;
    }
    if (!ok || pthread_create(&ahead->thread, NULL, read_on, ahead) != 0) {
        free_ahead(ahead);
        return NULL;
    }
    return ahead;
}

const opli_chrome_batch *opli_chrome_ahead_next(opli_chrome_ahead *ahead)
{
    const opli_chrome_batch *batch = NULL;
    pthread_mutex_lock(&ahead->lock);
    bool over = ahead->taken && ahead->batches[(ahead->taken - 1) % BATCHES].last;
    if (ahead->returned < ahead->taken && !over) {
        ahead->returned++;
        if (ahead->filled - ahead->returned <= BATCHES / 2)
            pthread_cond_signal(&ahead->changed);
    }
    while (!over && ahead->filled == ahead->taken)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (!over)
        batch = &ahead->batches[ahead->taken++ % BATCHES];
    pthread_mutex_unlock(&ahead->lock);
    return batch;
}

void opli_chrome_ahead_close(opli_chrome_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->closing = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    free_ahead(ahead);
}
