/* npu_queue.c - jobs on their way from the threads that ask to the workers that run them. */
#include "npu_queue.h"

void npu_queue_init(npu_queue *queue)
{
    *queue = (npu_queue){.last = &queue->first};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
}

void npu_queue_fini(npu_queue *queue)
{
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

void npu_queue_push(npu_queue *queue, npu_job *job)
{
    pthread_mutex_lock(&queue->lock);
    *queue->last = job;
    queue->last = &job->next;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void npu_queue_wait(npu_queue *queue, npu_job *job)
{
    pthread_mutex_lock(&queue->lock);
    while (!job->done)
        pthread_cond_wait(&queue->changed, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

npu_job *npu_queue_take(npu_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->first && !queue->closing)
        pthread_cond_wait(&queue->changed, &queue->lock);
    npu_job *job = queue->first;
    if (job) {
        queue->first = job->next;
        queue->last = queue->first ? queue->last : &queue->first;
        job->number = queue->count++;
    }
    pthread_mutex_unlock(&queue->lock);
    return job;
}

void npu_queue_finish(npu_queue *queue, npu_job *job)
{
    pthread_mutex_lock(&queue->lock);
    job->done = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void npu_queue_close(npu_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closing = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

uint64_t npu_queue_count(npu_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    uint64_t count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}
