/* gate.h - what is recorded right now: level, categories, pause, warm-up and schedule in one word.
 * Threads: any, without locks; every change publishes opl_live_v1. */
#ifndef OPLI_RECORD_GATE_H
#define OPLI_RECORD_GATE_H

#include <stdbool.h>
#include <stdint.h>

/* In environment.c. */
extern const char opli_environment_is_here;

/* Opens the gates for a recording, or shuts them. */
void opli_gate_start(int level, uint32_t categories);
void opli_gate_stop(void);

/* Each is true when it changed something. */
bool opli_gate_pause(bool paused);
bool opli_gate_rest(bool resting);                     /* the schedule is not in an active turn */
bool opli_gate_select(int level, uint32_t categories); /* 0 leaves as it is */
bool opli_gate_mute(int change);                       /* +1 and -1, nested */

#endif
