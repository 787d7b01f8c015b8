/* process.c - the one recording of this process, from start to stop and across fork. */
#define _GNU_SOURCE
#include "record/process.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <oplens/record.h>

#include "base/failure.h"
#include "os/clock.h"
#include "os/memory.h"
#include "os/syscalls.h"
#include "record/declaration.h"
#include "record/gate.h"
#include "record/output_path.h"
#include "record/schedule.h"
#include "record/site_table.h"
#include "record/stream.h"
#include "record/writer.h"

#define WAIT_NS 200000000       /* for a thread that begins the recording of a forked child */
#define LONG_WAIT_NS 5000000000 /* for those inside, who may wait for a disk, or may never come out */
#define LOCK_SECONDS 2
#define SMALL_CHANGE 16
#define FIRST_GAP_NS 10000000 /* between notes of the clocks */
#define LONGEST_GAP_NS 1000000000

/* The process-wide object, the only one the recorder keeps. */
static struct {
    _Atomic uint32_t state; /* enum opli_process_state */
    _Atomic uint32_t inside;
    _Atomic uint32_t session;
    _Atomic uint32_t reviver; /* in a forked child: the thread that begins its recording */
    pthread_mutex_t lock;     /* start, stop, clear */
    opli_tape tape;
    opli_journal journal;
    opli_output output;
    char path[OPLI_TAPE_PATH_MAX]; /* of the last file */
    _Atomic int64_t next_note_ns;  /* when to note the clocks again */
    _Atomic int64_t note_gap_ns;
} process = {.session = 1, .lock = PTHREAD_MUTEX_INITIALIZER, .tape = {.fd = -1}};

/* ---- inside ---- */

/* How many of those inside are this thread: a signal may have interrupted them to stop. */
static __thread _Atomic uint32_t mine_inside __attribute__((tls_model("initial-exec")));

bool opli_process_enter(enum opli_process_state at_least)
{
    atomic_fetch_add_explicit(&mine_inside, 1, memory_order_relaxed);
    atomic_fetch_add(&process.inside, 1);
    if (atomic_load(&process.state) >= (uint32_t)at_least)
        return true;
    opli_process_leave();
    return false;
}

void opli_process_leave(void)
{
    atomic_fetch_sub(&process.inside, 1);
    atomic_fetch_sub_explicit(&mine_inside, 1, memory_order_relaxed);
}

uint32_t opli_process_session(void) { return atomic_load_explicit(&process.session, memory_order_relaxed); }

opli_journal *opli_process_journal(void) { return &process.journal; }

opli_tape *opli_process_tape(void) { return &process.tape; }

void opli_process_drop(enum opli_drop reason)
{
    if (!opli_process_enter(OPLI_PROCESS_STARTING))
        return;
    __atomic_fetch_add(&process.tape.header->dropped[reason], 1, __ATOMIC_RELAXED);
    opli_process_leave();
}

void opli_process_note(uint64_t what, uint64_t value)
{
    if (!opli_process_enter(OPLI_PROCESS_RECORDING))
        return;
    opli_journal_add_control(&process.journal, what, value);
    opli_process_leave();
}

void opli_process_note_clocks(void)
{
    int64_t now = opli_clock_monotonic_ns(), due = atomic_load(&process.next_note_ns);
    int64_t gap = atomic_load(&process.note_gap_ns);
    if (now < due || !atomic_compare_exchange_strong(&process.next_note_ns, &due, now + gap))
        return;
    atomic_store(&process.note_gap_ns, gap * 10 < LONGEST_GAP_NS ? gap * 10 : LONGEST_GAP_NS);
    opli_journal_add_clock(&process.journal);
}

/* True when nobody is inside any more. The frames below our own would never leave while we wait. */
static bool wait_for_those_inside(void)
{
    int64_t until = opli_clock_monotonic_ns() + LONG_WAIT_NS;
    while (atomic_load(&process.inside) > mine_inside) {
        if (opli_clock_monotonic_ns() > until)
            return false;
        sched_yield();
    }
    return mine_inside == 0;
}

/* ---- beginning and ending a file ---- */

/* Where a recording's file comes from. */
enum origin { FROM_PATTERN, FROM_PATTERN_AS_CHILD, SAME_PATH };

static opl_status open_tape(enum origin origin, opl_error *err)
{
    if (origin == SAME_PATH)
        return opli_output_reopen(&process.output, process.path, &process.tape, err);
    return opli_output_open(&process.output, origin == FROM_PATTERN_AS_CHILD, &process.tape, err);
}

/* Leaves the file as it was: closed, or not there at all. */
static void abandon_tape(void)
{
    if (process.tape.header->sessions)
        opli_tape_finish(&process.tape);
    else
        unlink(process.tape.path);
    opli_tape_let_go(&process.tape, false);
}

static opl_status begin_file(enum origin origin, opl_error *err)
{
    opl_status st = open_tape(origin, err);
    if (st != OPL_OK)
        return st;
    if (!opli_journal_open(&process.journal, &process.tape)) {
        abandon_tape();
        return opli_fail(err, OPL_IO, "%s: no room to record into", process.tape.path);
    }
    memcpy(process.path, process.tape.path, sizeof process.path);
    atomic_fetch_add(&process.session, 1);
    process.tape.header->sessions++;
    opli_journal_add_clock(&process.journal);
    atomic_store(&process.note_gap_ns, FIRST_GAP_NS);
    atomic_store(&process.next_note_ns, opli_clock_monotonic_ns() + FIRST_GAP_NS);
    atomic_store(&process.state, OPLI_PROCESS_STARTING);
    opli_site_announce_all(&process.journal);
    opli_declaration_announce_all(&process.journal);
    opli_journal_add_control(&process.journal, OPLI_CONTROL_START, 0);
    atomic_store(&process.state, OPLI_PROCESS_RECORDING);
    return OPL_OK;
}

static void finish_streams(void)
{
    uint64_t *scratch = opli_pages_new(OPLI_SCRATCH_BYTES);
    for (opli_stream *stream = opli_stream_first(); scratch && stream; stream = stream->next)
        if (stream->session == opli_process_session() && stream->ledger)
            opli_stream_finish(stream, &process.tape, scratch);
    opli_pages_free(scratch, OPLI_SCRATCH_BYTES);
}

static void retire_streams(void)
{
    for (opli_stream *stream = opli_stream_first(); stream; stream = stream->next)
        if (stream->session == opli_process_session())
            opli_stream_retire(stream, false);
}

/* The slots are empty now. Of a short recording all chunks are at the end, and move into their
 * place; in a long one slots are small change, and giving them back would take time. */
static void tidy_up(bool all_at_end, uint64_t end)
{
    opli_tape *tape = &process.tape;
    if (all_at_end && opli_journal_is_short(&process.journal) && opli_tape_close_ranks(tape, end))
        return;
    if (tape->header->tail > SMALL_CHANGE * atomic_load(&tape->staged_bytes))
        return;
    for (opli_stream *stream = opli_stream_first(); stream; stream = stream->next)
        if (stream->session == opli_process_session())
            opli_stream_give_back(stream, tape);
}

static void write_the_rest(void)
{
    bool all_at_end = !process.tape.cells && !atomic_load(&process.tape.appended_bytes);
    uint64_t end = (process.tape.header->tail + OPLI_CHUNK_ALIGN - 1) / OPLI_CHUNK_ALIGN * OPLI_CHUNK_ALIGN;
    finish_streams();
    retire_streams();
    opli_journal_add_clock(&process.journal);
    opli_journal_add_control(&process.journal, OPLI_CONTROL_STOP, 0);
    tidy_up(all_at_end, end);
    opli_tape_finish(&process.tape);
}

/* No thread can enter any more. With `keep`, all that was recorded is written. */
static void end_file(bool keep)
{
    bool alone = wait_for_those_inside();
    if (keep)
        write_the_rest();
    else
        retire_streams();
    if (keep && alone)
        opli_journal_seal(&process.journal);
    atomic_fetch_add(&process.session, 1);
    opli_journal_let_go(&process.journal, !alone);
    opli_tape_let_go(&process.tape, !alone);
}

/* ---- the public calls ---- */

/* False when the lock cannot be had: this may be a signal handler, or exit() called in one, on top
 * of a frame that holds it. */
static bool lock_control(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOCK_SECONDS;
    return pthread_mutex_timedlock(&process.lock, &until) == 0;
}

static void unlock_control(void) { pthread_mutex_unlock(&process.lock); }

opl_status opl_recorder_start(const opl_recorder_options *options, opl_error *err)
{
    if (!options)
        return opli_fail(err, OPL_INVALID, "no options to record with were given");
    if (options->level < 0 || options->level > 2)
        return opli_fail(err, OPL_INVALID, "the level is 1 or 2");
    if (options->categories && !(options->categories & (OPL_CATEGORY_BIT(OPL_CAT_COUNT) - 1)))
        return opli_fail(err, OPL_INVALID, "no category has a bit in 0x%x; see OPL_CATEGORY_BIT()",
                         options->categories);
    int kept_errno = errno;
    opl_status st;
    if (!lock_control())
        return opli_fail(err, OPL_STATE, "the recorder is being started or stopped already");
    if (atomic_load(&process.state) != OPLI_PROCESS_IDLE)
        st = opli_fail(err, OPL_STATE, "already recording into %s; stop first", process.path);
    else
        st = opli_output_init(&process.output, options->path, options->limit_bytes, options->ring_bytes, err);
    if (st == OPL_OK)
        st = begin_file(FROM_PATTERN, err);
    if (st == OPL_OK) {
        if (!options->no_writer_thread)
            opli_writer_start();
        opli_gate_start(options->level, options->categories);
        opli_process_note(OPLI_CONTROL_SELECT, opl_live());
    }
    unlock_control();
    errno = kept_errno;
    return st;
}

void opl_recorder_stop(void)
{
    int kept_errno = errno;
    opli_gate_stop();
    if (!lock_control())
        return;
    uint32_t state = atomic_exchange(&process.state, OPLI_PROCESS_IDLE);
    if (state == OPLI_PROCESS_RECORDING) {
        opli_gate_stop(); /* once more: it may have been started since */
        opli_writer_stop();
        end_file(true);
    }
    unlock_control();
    errno = kept_errno;
}

opl_status opl_recorder_clear(opl_error *err)
{
    opl_status st = OPL_OK;
    int kept_errno = errno;
    if (!lock_control())
        return opli_fail(err, OPL_STATE, "the recorder is being started or stopped already");
    if (atomic_load(&process.state) == OPLI_PROCESS_RECORDING) {
        atomic_store(&process.state, OPLI_PROCESS_IDLE);
        end_file(false);
        st = begin_file(SAME_PATH, err);
        if (st != OPL_OK) {
            opli_gate_stop();
            opli_writer_stop();
        }
    } else if (atomic_load(&process.state) == OPLI_PROCESS_IDLE) {
        st = opli_fail(err, OPL_STATE, "there is nothing to clear: not recording");
    }
    unlock_control();
    errno = kept_errno;
    return st;
}

void opl_recorder_path(char *path, size_t size)
{
    if (!size)
        return;
    path[0] = '\0';
    if (!lock_control())
        return;
    snprintf(path, size, "%s", process.path);
    unlock_control();
}

void opl_recorder_pause(void)
{
    if (opli_gate_pause(true))
        opli_process_note(OPLI_CONTROL_PAUSE, 0);
}

void opl_recorder_resume(void)
{
    if (opli_gate_pause(false))
        opli_process_note(OPLI_CONTROL_RESUME, 0);
}

void opl_recorder_select(int level, uint32_t categories)
{
    if (opli_gate_select(level, categories))
        opli_process_note(OPLI_CONTROL_SELECT, opl_live());
}

/* ---- fork ---- */

/* Begins the recording of a forked child, at its first event: a child that only execs leaves
 * nothing. No writer thread, since this may run inside malloc or a signal handler. */
static bool revive(void)
{
    uint32_t nobody = 0, me = opli_thread_id();
    if (atomic_compare_exchange_strong(&process.reviver, &nobody, me)) {
        if (atomic_load(&process.state) == OPLI_PROCESS_FORKED && begin_file(FROM_PATTERN_AS_CHILD, NULL) != OPL_OK) {
            atomic_store(&process.state, OPLI_PROCESS_IDLE);
            opli_gate_stop();
        }
        atomic_store(&process.reviver, 0);
        return true;
    }
    if (nobody == me)
        return false; /* a signal handler, while its own thread is at it */
    for (int64_t until = opli_clock_monotonic_ns() + WAIT_NS; atomic_load(&process.reviver);) {
        if (opli_clock_monotonic_ns() > until)
            return false;
        sched_yield();
    }
    return true;
}

bool opli_process_enter_recording(void)
{
    if (opli_process_enter(OPLI_PROCESS_RECORDING))
        return true;
    bool may_begin = atomic_load(&process.state) == OPLI_PROCESS_FORKED || atomic_load(&process.reviver);
    return (!may_begin || revive()) && opli_process_enter(OPLI_PROCESS_RECORDING);
}

static __thread bool fork_has_lock;

static void before_fork(void) { fork_has_lock = lock_control(); }

static void after_fork_in_parent(void)
{
    if (fork_has_lock)
        unlock_control();
}

static void after_fork_in_child(void)
{
    int kept_errno = errno;
    uint32_t state = atomic_load(&process.state);
    if (fork_has_lock)
        unlock_control();
    else
        pthread_mutex_init(&process.lock, NULL); /* whoever holds it did not come along */
    opli_writer_forked();
    opli_schedule_forked();
    opli_declaration_forked();
    atomic_store(&process.inside, mine_inside);
    atomic_store(&process.reviver, 0);
    if (state == OPLI_PROCESS_RECORDING) {
        atomic_store(&process.state, OPLI_PROCESS_FORKED);
        atomic_fetch_add(&process.session, 1);
        opli_stream_forked();
        opli_journal_let_go(&process.journal, true);
        int fd = opli_tape_fd(&process.tape);
        opli_tape_let_go(&process.tape, true);
        if (fd >= 0)
            close(fd);
        process.path[0] = '\0';
    }
    errno = kept_errno;
}

/* ---- life ---- */

void opli_process_init(void)
{
    opli_clock_init();
    opli_stream_init();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
