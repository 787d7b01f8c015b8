/* crew.h - a few threads that do the same thing, each with a number. */
#ifndef OPLI_TESTS_CREW_H
#define OPLI_TESTS_CREW_H

#include <pthread.h>

#define CREW_MAX 8u

typedef struct crew_member {
    pthread_t thread;
    unsigned number;
    void *context;
    void (*work)(unsigned number, void *context);
} crew_member;

typedef struct crew {
    unsigned count;
    crew_member members[CREW_MAX];
} crew;

void crew_start(crew *c, unsigned count, void (*work)(unsigned number, void *context), void *context);
void crew_join(crew *c);

/* Both. */
void crew_run(unsigned count, void (*work)(unsigned number, void *context), void *context);

#endif
