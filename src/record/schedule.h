/* schedule.h - what the recorder tells the schedule. */
#ifndef OPLI_RECORD_SCHEDULE_H
#define OPLI_RECORD_SCHEDULE_H

/* In a forked child: nobody holds its lock, and the parent's step is not ours to end. */
void opli_schedule_forked(void);

#endif
