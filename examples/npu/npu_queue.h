/* npu_queue.h - jobs on their way from the threads that ask to the workers that run them. */
#ifndef NPU_QUEUE_H
#define NPU_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <oplens/annotate.h>

#include "npu_device.h"
#include "npu_runtime.h"

/* One inference. Lives on the stack of the thread that waits for it. */
typedef struct npu_job {
    struct npu_job *next;
    const npu_program *program;
    opl_site *const *sites; /* the names of the program's instructions */
    npu_buffer buffer;
    uint64_t flow;   /* from the host's span to the device's */
    uint64_t number; /* counted by the queue */
    bool done;
    int8_t input[NPU_INPUT_SIZE], output[NPU_OUTPUT_SIZE];
} npu_job;

/* Everything in it belongs to whoever holds the lock. */
typedef struct npu_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    npu_job *first, **last;
    uint64_t count; /* jobs taken so far */
    bool closing;
} npu_queue;

void npu_queue_init(npu_queue *queue);
void npu_queue_fini(npu_queue *queue);

void npu_queue_push(npu_queue *queue, npu_job *job);
void npu_queue_wait(npu_queue *queue, npu_job *job); /* until it is done */

npu_job *npu_queue_take(npu_queue *queue); /* NULL once the queue is closed and empty */
void npu_queue_finish(npu_queue *queue, npu_job *job);
void npu_queue_close(npu_queue *queue);

uint64_t npu_queue_count(npu_queue *queue);

#endif
