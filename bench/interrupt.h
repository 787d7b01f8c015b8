/* interrupt.h - ^C and its kin ask us to tidy up and leave; a second one ends us on the spot. */
#ifndef OPLI_BENCH_INTERRUPT_H
#define OPLI_BENCH_INTERRUPT_H

#include <stdbool.h>

void opli_interrupt_watch(void);
bool opli_interrupt_seen(void);

#endif
