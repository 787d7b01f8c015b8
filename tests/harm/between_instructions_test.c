/* between_instructions_test.c - a signal handler that records may come between any two instructions.
 *
 * The processor's trap flag stops a thread after each instruction. We let a probe run, and at its first,
 * second, third, ... instruction a handler records so much that the thread's chunk turns. Whatever the
 * probe was about to do, all that was accepted must be in the file. */
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "record/stream.h"
#include "sanitizer.h"
#include "test.h"

#if defined(__x86_64__) && !HARM_ASAN && !HARM_TSAN

#define TRAP_FLAG 0x100
#define EACH_UNTIL 120 /* every instruction up to here, a few of those that follow */
#define STRIDE 97
#define LAST 1000

enum { PROBE_LANE, HANDLER_LANE };

typedef struct scene {
    opl_recorder_options options;
    void (*probe)(void);
    void (*burst)(void);
    uint32_t room; /* records left in the chunk when the probe begins */
    uint64_t spans, accepted[2], arguments;
} scene;

static scene *now;

/* One instruction: a handler between the load and the store of a longer one would be forgotten. */
#define BUMP(count, by) ((void)__atomic_fetch_add(&(count), (uint64_t)(by), __ATOMIC_RELAXED))

static volatile unsigned long fire_at, step;
static volatile bool fired;

/* ---- the thread's place in its chunk ---- */

static uint64_t records_left(void)
{
    const opl_stream_v1 *home = opli_stream_mine()->home;
    return home->cursor < home->limit ? (home->limit - home->cursor) / OPL_RECORD_BYTES : 0;
}

static uint64_t chunk_now(void) { return opli_stream_mine()->home->chunk; }

static void issue(unsigned lane)
{
    int accepted = lane_put(lane, now->accepted[lane]);
    BUMP(now->spans, 1);
    BUMP(now->accepted[lane], accepted);
    BUMP(now->arguments, accepted);
}

static void issue_plain(void)
{
    opl_span span = OPL_SPAN_BEGIN("filler", OPL_CAT_OP);
    BUMP(now->spans, 1);
    opl_span_end(&span);
}

#define SLOT_RECORDS ((OPL_SLOT_BYTES - 64) / OPL_RECORD_BYTES)

/* In a handler it may not come to that: while its thread changes chunks, nothing is taken. */
static void leave_room(uint32_t records)
{
    issue_plain();
    for (unsigned i = 0; records_left() != records && i < 2 * SLOT_RECORDS; i++)
        issue_plain();
}

/* ---- what the handler does ---- */

static void turn_to_next_chunk(void)
{
    uint64_t chunk = chunk_now();
    for (unsigned i = 0; chunk_now() == chunk && i < 2 * SLOT_RECORDS; i++)
        issue_plain();
    for (int i = 0; i < 10; i++)
        issue(HANDLER_LANE);
}

static void fill_next_chunk(void)
{
    turn_to_next_chunk();
    leave_room(0);
}

/* ---- what it comes between ---- */

static void probe_number(void) { issue(PROBE_LANE); }

static void probe_text(void)
{
    int accepted = lane_put_text(PROBE_LANE, now->accepted[PROBE_LANE]);
    BUMP(now->spans, 1);
    BUMP(now->accepted[PROBE_LANE], accepted);
    BUMP(now->arguments, accepted ? 2 : 0);
}

static void probe_chain(void)
{
    opl_span span = opl_span_begin(&lane_sites[PROBE_LANE]);
    int first = span.record != NULL;
    opl_arg_int(&span, &lane_number_key, (int64_t)now->accepted[PROBE_LANE]);
    OPL_SPAN_NEXT(&span, "filler", OPL_CAT_OP);
    opl_span_end(&span);
    BUMP(now->spans, 2);
    BUMP(now->accepted[PROBE_LANE], first);
    BUMP(now->arguments, first);
}

/* ---- stepping ---- */

static void on_trap(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info;
    if (step++ != fire_at)
        return;
    fired = true;
    now->burst();
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* Both step over the red zone, where the compiler may keep a leaf's variables. */
static inline void begin_steps(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static inline void end_steps(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static void run_once(unsigned long at)
{
    leave_room(now->room);
    fire_at = at;
    step = 0;
    fired = false;
    begin_steps();
    now->probe();
    end_steps();
}

static void run_scene(void *context)
{
    now = context;
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    MUST(sigaction(SIGTRAP, &action, NULL) == 0);
    MUST(opl_recorder_start(&now->options, NULL) == OPL_OK);
    now->probe(); /* names and buffers are there */
    issue(HANDLER_LANE);
    fired = true;
    for (unsigned long at = 0; fired && at < LAST; at += at < EACH_UNTIL ? 1 : STRIDE)
        run_once(at);
    opl_recorder_stop();
}

static void check_scene(const scene *s)
{
    harvest h;
    harvest_open(&h, s->options.path);
    harvest_check_sound(&h);
    for (unsigned lane = PROBE_LANE; lane <= HANDLER_LANE; lane++) {
        CHECK_EQ(h.lanes[lane].spans, s->accepted[lane]);
        CHECK_EQ(h.lanes[lane].wrong_texts, 0);
    }
    CHECK_EQ(h.dropped_total, h.dropped[OPLI_DROP_BUSY]);
    CHECK_EQ(h.spans + h.arguments - h.open + h.dropped_total, s->spans + s->arguments);
    harvest_close(&h);
    unlink(s->options.path);
}

static void check_all_rooms(void (*probe)(void), void (*burst)(void))
{
    static const uint32_t rooms[] = {0, 1, 2, 1000};
    static const char *const names[] = {"steps-0.opl", "steps-1.opl", "steps-2.opl", "steps.opl"};
    for (unsigned i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        scene *s = child_shared(sizeof *s);
        *s = (scene){.options = {.path = test_path(names[i]), .no_writer_thread = i % 2},
                     .probe = probe,
                     .burst = burst,
                     .room = rooms[i]};
        child_run(run_scene, s);
        check_scene(s);
    }
}

#define CHECK_SCENES(probe, burst) check_all_rooms(probe, burst)
#else
#define CHECK_SCENES(probe, burst) SKIP("takes an x86 processor's trap flag, and no sanitizer")
#endif

TEST(handler, that_turns_the_chunk_may_come_anywhere_in_a_span) { CHECK_SCENES(probe_number, turn_to_next_chunk); }

TEST(handler, that_fills_the_next_chunk_may_come_anywhere_in_a_span) { CHECK_SCENES(probe_number, fill_next_chunk); }

TEST(handler, that_turns_the_chunk_may_come_anywhere_in_a_text) { CHECK_SCENES(probe_text, turn_to_next_chunk); }

TEST(handler, that_fills_the_next_chunk_may_come_anywhere_in_a_text) { CHECK_SCENES(probe_text, fill_next_chunk); }

TEST(handler, that_turns_the_chunk_may_come_anywhere_in_a_chain) { CHECK_SCENES(probe_chain, turn_to_next_chunk); }

TEST(handler, that_fills_the_next_chunk_may_come_anywhere_in_a_chain) { CHECK_SCENES(probe_chain, fill_next_chunk); }
