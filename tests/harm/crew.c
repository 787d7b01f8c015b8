/* crew.c - a few threads that do the same thing. */
#include "crew.h"

#include "child.h"

static void *begin(void *member)
{
    crew_member *m = member;
    m->work(m->number, m->context);
    return NULL;
}

void crew_start(crew *c, unsigned count, void (*work)(unsigned number, void *context), void *context)
{
    c->count = count;
    for (unsigned i = 0; i < count; i++) {
        c->members[i] = (crew_member){.number = i, .context = context, .work = work};
        MUST(pthread_create(&c->members[i].thread, NULL, begin, &c->members[i]) == 0);
    }
}

void crew_join(crew *c)
{
    for (unsigned i = 0; i < c->count; i++)
        pthread_join(c->members[i].thread, NULL);
}

void crew_run(unsigned count, void (*work)(unsigned number, void *context), void *context)
{
    crew c;
    crew_start(&c, count, work, context);
    crew_join(&c);
}
