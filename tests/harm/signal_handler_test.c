/* signal_handler_test.c - handlers that record on top of a thread that records.
 *
 * What a handler cannot record, because its thread was just changing buffers, is counted: every span,
 * argument and late end that was issued is in the file or among the drops. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "sanitizer.h"
#include "test.h"

#if HARM_TSAN
#define NEEDS_SIGNALS_AT_ONCE() SKIP("ThreadSanitizer keeps signals back until the next call of libc")
#else
#define NEEDS_SIGNALS_AT_ONCE() (void)0
#endif

#define SIGNALS HARM_COUNT(6000u, 1500u)
#define BURSTS HARM_COUNT(120u, 60u)
#define BURST 5000u /* more than a chunk holds */
#define CONTROL_US 100

enum { MAIN_LANE, HANDLER_LANE };

typedef struct tally {
    opl_recorder_options options;
    int period_us;
    unsigned per_signal;
    bool texts;
    _Atomic uint64_t signals;
    uint64_t spans[2], accepted[2], arguments[2]; /* issued, by lane */
} tally;

static tally *now;

/* A span that is refused takes no arguments. */
static void issue(unsigned lane, bool text)
{
    uint64_t number = now->accepted[lane];
    int accepted = text ? lane_put_text(lane, number) : lane_put(lane, number);
    now->spans[lane]++;
    now->accepted[lane] += (uint64_t)accepted;
    now->arguments[lane] += accepted ? (text ? 2 : 1) : 0;
}

/* One signal at a time, or a handler that takes longer than the period would leave our thread none. */
static void ring_once(int after_us) { setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, after_us}}, NULL); }

static void handle(int signal_number)
{
    int kept_errno = errno;
    (void)signal_number;
    for (unsigned i = 0; i < now->per_signal; i++)
        issue(HANDLER_LANE, now->texts);
    atomic_fetch_add(&now->signals, 1);
    ring_once(now->period_us);
    errno = kept_errno;
}

static void run_under_fire(void *context)
{
    now = context;
    uint64_t wanted = now->per_signal > 100 ? BURSTS : SIGNALS;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    MUST(opl_recorder_start(&now->options, NULL) == OPL_OK);
    MUST(sigaction(SIGALRM, &action, NULL) == 0);
    ring_once(now->period_us);
    while (now->signals < wanted) {
        issue(MAIN_LANE, false);
        if (now->texts)
            issue(MAIN_LANE, true);
    }
    MUST(signal(SIGALRM, SIG_IGN) != SIG_ERR);
    opl_recorder_stop();
}

/* Numbers run without gaps, since only accepted spans get one; an argument that was refused leaves its
 * span without. */
static void check_numbers(const harvest_lane *lane, uint64_t accepted)
{
    CHECK_EQ(lane->spans, accepted);
    CHECK_EQ(lane->wrong_texts, 0);
    for (uint64_t i = 0; i < lane->seen.count; i++)
        CHECK(lane->seen.items[i] <= 1);
}

static void check_tally(const tally *t)
{
    harvest h;
    harvest_open(&h, t->options.path);
    harvest_check_sound(&h);
    CHECK_TEXT(h.recording.cut, "");
    for (unsigned lane = MAIN_LANE; lane <= HANDLER_LANE; lane++)
        check_numbers(&h.lanes[lane], t->accepted[lane]);
    uint64_t issued = t->spans[0] + t->spans[1] + t->arguments[0] + t->arguments[1];
    uint64_t kept = h.spans + h.arguments - h.open; /* an open span's end was refused, and counted */
    CHECK_EQ(kept + h.dropped_total, issued);
    CHECK_EQ(h.dropped_total, h.dropped[OPLI_DROP_BUSY]);
    CHECK(h.lanes[HANDLER_LANE].spans > 0);
    harvest_close(&h);
    unlink(t->options.path);
}

static void under_fire(tally wanted)
{
    NEEDS_SIGNALS_AT_ONCE();
    tally *t = child_shared(sizeof *t);
    *t = wanted;
    t->options.path = test_path("fire.opl");
    child_run(run_under_fire, t);
    check_tally(t);
}

TEST(handlers, record_numbers_at_20_kHz) { under_fire((tally){.period_us = 50, .per_signal = 3}); }

TEST(handlers, record_texts_at_10_kHz) { under_fire((tally){.period_us = 100, .per_signal = 3, .texts = true}); }

TEST(handlers, record_without_a_writer)
{
    under_fire((tally){.period_us = 50, .per_signal = 20, .texts = true, .options = {.no_writer_thread = 1}});
}

TEST(handlers, record_more_than_a_chunk_in_one_go) { under_fire((tally){.period_us = 1000, .per_signal = BURST}); }

TEST(handlers, record_more_texts_than_a_chunk_holds_in_one_go)
{
    under_fire((tally){.period_us = 2000, .per_signal = BURST, .texts = true, .options = {.no_writer_thread = 1}});
}

/* ---- a handler that comes before anything else of its thread ---- */

static void run_first_event(void *context)
{
    now = context;
    struct sigaction action = {.sa_handler = handle};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0);
    MUST(opl_recorder_start(&now->options, NULL) == OPL_OK);
    raise(SIGUSR1);
    opl_recorder_stop();
}

TEST(handlers, may_be_the_first_to_record)
{
    tally *t = child_shared(sizeof *t);
    *t = (tally){.per_signal = 10, .texts = true, .options = {.path = test_path("first.opl")}};
    child_run(run_first_event, t);
    harvest h;
    harvest_open(&h, t->options.path);
    harvest_check_whole(&h);
    harvest_check_lane(&h, HANDLER_LANE, 10, 0);
    harvest_close(&h);
}

/* ---- handlers that control ---- */

static void control(int signal_number)
{
    static unsigned turn;
    (void)signal_number;
    if (turn++ % 2)
        opl_recorder_resume();
    else
        opl_recorder_pause();
    OPL_SPAN ("from the handler", OPL_CAT_OP) {
    }
    atomic_fetch_add(&now->signals, 1);
    ring_once(CONTROL_US);
}

static void run_control(void *context)
{
    now = context;
    struct sigaction action = {.sa_handler = control, .sa_flags = SA_RESTART};
    MUST(sigaction(SIGALRM, &action, NULL) == 0);
    MUST(opl_recorder_start(&now->options, NULL) == OPL_OK);
    ring_once(CONTROL_US);
    while (now->signals < SIGNALS / 4)
        lane_put(MAIN_LANE, 0);
    MUST(signal(SIGALRM, SIG_IGN) != SIG_ERR);
    opl_recorder_stop();
}

TEST(handlers, may_pause_and_resume)
{
    NEEDS_SIGNALS_AT_ONCE();
    tally *t = child_shared(sizeof *t);
    t->options.path = test_path("control.opl");
    child_run(run_control, t);
    harvest h;
    harvest_open(&h, t->options.path);
    harvest_check_sound(&h);
    CHECK(harvest_ended(&h, "from the handler") > 0);
    harvest_close(&h);
}
