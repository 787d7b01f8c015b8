/* writer.c - the thread that packs full chunks and appends them to the file. It also sees
 * to it that the time on all clocks is noted, so that other clocks can be aligned with ours. */
#define _GNU_SOURCE
#include "record/writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

#include "os/memory.h"
#include "os/syscalls.h"
#include "record/process.h"
#include "record/stream.h"

#define STACK_BYTES (256u * 1024)

enum { WORKING, ASLEEP, WOKEN };

static pthread_t thread;
static bool running;
static _Atomic bool stopping;
static uint32_t bell = WORKING; /* futex: the writer puts ASLEEP, whoever finds it so puts WOKEN */

/* Full slots wait until somebody asks: they are as safe where they are, and a short recording
 * ends up without a gap. */
static void look_around(uint64_t *scratch, bool asked)
{
    if (!opli_process_enter(OPLI_PROCESS_RECORDING))
        return;
    opli_process_note_clocks();
    for (opli_stream *stream = opli_stream_first(); asked && stream; stream = stream->next) {
        if (stream->session != opli_process_session())
            continue;
        bool few = stream->slot_count == OPLI_STREAM_FIRST_SLOTS; /* we could have them all when the thread needs one */
        if (stream->state == OPLI_STREAM_LIVE && !few)
            opli_stream_drain(stream, opli_process_tape(), scratch, OPLI_DRAIN_FULL);
        else if (stream->state == OPLI_STREAM_ENDED)
            opli_stream_drain(stream, opli_process_tape(), scratch, OPLI_DRAIN_GONE);
    }
    opli_process_leave();
}

static void *work(void *scratch)
{
    int wait_ms = 10; /* a short recording too has its clocks noted more than once */
    pthread_setname_np(pthread_self(), "oplens-writer");
    while (!atomic_load(&stopping)) {
        __atomic_store_n(&bell, ASLEEP, __ATOMIC_SEQ_CST);
        if (!atomic_load(&stopping))
            opli_futex_wait(&bell, ASLEEP, wait_ms);
        wait_ms = wait_ms < 100 ? 100 : 1000;
        bool asked = __atomic_exchange_n(&bell, WORKING, __ATOMIC_SEQ_CST) == WOKEN;
        look_around(scratch, asked);
    }
    opli_pages_free(scratch, OPLI_SCRATCH_BYTES);
    return NULL;
}

/* No signal of the program's is for this thread. */
static int create_thread(void *scratch)
{
    sigset_t all, before;
    pthread_attr_t attr;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&thread, &attr, work, scratch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return failure;
}

bool opli_writer_start(void)
{
    uint64_t *scratch = opli_pages_new(OPLI_SCRATCH_BYTES);
    if (!scratch)
        return false;
    atomic_store(&stopping, false);
    running = create_thread(scratch) == 0;
    if (!running)
        opli_pages_free(scratch, OPLI_SCRATCH_BYTES);
    return running;
}

void opli_writer_wake(void)
{
    uint32_t asleep = ASLEEP;
    if (__atomic_compare_exchange_n(&bell, &asleep, WOKEN, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        opli_futex_wake(&bell);
}

void opli_writer_stop(void)
{
    if (!running)
        return;
    atomic_store(&stopping, true);
    opli_writer_wake();
    pthread_join(thread, NULL);
    running = false;
}

void opli_writer_forked(void)
{
    running = false;
    bell = WORKING;
}
