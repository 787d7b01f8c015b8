/* schedule.c - which turns of a loop are recorded. */
#include <pthread.h>
#include <stdbool.h>

#include <oplens/record.h>

#include "base/failure.h"
#include "record/gate.h"
#include "record/process.h"
#include "record/schedule.h"

static struct {
    pthread_mutex_t lock;
    bool scheduled;
    opl_schedule plan;
    uint64_t turn;
    opl_span step; /* the turn being recorded */
} schedule = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Where a turn stands: in which cycle, and whether it is an active turn of it. */
typedef struct position {
    bool active;
    uint64_t cycle;
} position;

static position position_of(const opl_schedule *plan, uint64_t turn)
{
    position rest = {false, 0};
    uint64_t cycle_turns = (uint64_t)plan->wait + plan->warmup + plan->active;
    if (turn < plan->skip_first)
        return rest;
    turn -= plan->skip_first;
    if (plan->skip_first_wait)
        turn += plan->wait; /* the first cycle begins after its wait */
    uint64_t cycle = turn / cycle_turns, in_cycle = turn % cycle_turns;
    if (plan->repeat && cycle >= plan->repeat)
        return rest;
    return (position){in_cycle >= (uint64_t)plan->wait + plan->warmup, cycle};
}

/* Opens or shuts the gate for the turn, and notes where a cycle begins and ends. */
static void enter_turn(uint64_t turn)
{
    position here = schedule.scheduled ? position_of(&schedule.plan, turn) : (position){true, 0};
    position before = turn && schedule.scheduled ? position_of(&schedule.plan, turn - 1) : (position){false, 0};
    bool begins = here.active && (!before.active || before.cycle != here.cycle);
    opli_gate_rest(!here.active);
    if (schedule.scheduled && begins)
        opli_process_note(OPLI_CONTROL_CYCLE, here.cycle);
    else if (schedule.scheduled && !here.active && before.active)
        opli_process_note(OPLI_CONTROL_REST, before.cycle);
    if (!here.active)
        return;
    schedule.step = OPL_SPAN_BEGIN("step", OPL_CAT_STEP);
    opl_arg_int(&schedule.step, OPL_KEY("step"), (int64_t)turn);
    if (schedule.scheduled)
        opl_arg_int(&schedule.step, OPL_KEY("cycle"), (int64_t)here.cycle);
}

opl_status opl_schedule_set(const opl_schedule *plan, opl_error *err)
{
    if (plan && !plan->active)
        return opli_fail(err, OPL_INVALID, "a schedule records at least one turn a cycle: set active to 1 or more");
    pthread_mutex_lock(&schedule.lock);
    opl_span_end(&schedule.step);
    schedule.scheduled = plan != NULL;
    schedule.turn = 0;
    if (plan) {
        schedule.plan = *plan;
        enter_turn(0);
    } else {
        opli_gate_rest(false);
    }
    pthread_mutex_unlock(&schedule.lock);
    return OPL_OK;
}

void opl_schedule_step(void)
{
    pthread_mutex_lock(&schedule.lock);
    opl_span_end(&schedule.step);
    enter_turn(++schedule.turn);
    pthread_mutex_unlock(&schedule.lock);
}

void opli_schedule_forked(void)
{
    pthread_mutex_init(&schedule.lock, NULL);
    schedule.step = (opl_span){NULL, 0, 0};
}
