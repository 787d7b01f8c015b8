/* npu_worker.h - one processing element: a thread that runs jobs on it and reports when what ran. */
#ifndef NPU_WORKER_H
#define NPU_WORKER_H

#include "npu_queue.h"

typedef struct npu_worker {
    npu_queue *queue;
    pthread_t thread;
    uint32_t device, track; /* as declared to oplens */
    uint32_t index;
    int64_t next_anchor_ns;
} npu_worker;

/* Starts the thread; false when there is none to be had. */
bool npu_worker_start(npu_worker *worker, npu_queue *queue, uint32_t device, uint32_t index);

/* Waits for it; its queue was closed. */
void npu_worker_join(npu_worker *worker);

/* Tells oplens what both clocks show at one moment: the host's is read before and after the
 * device's, and the middle counts. */
void npu_worker_anchor(uint32_t device);

#endif
