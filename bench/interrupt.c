/* interrupt.c - ^C and its kin ask us to tidy up and leave. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void note(int signal_number)
{
    (void)signal_number;
    seen = 1;
}

void opli_interrupt_watch(void)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

bool opli_interrupt_seen(void) { return seen != 0; }
