/* recount.h - how many spans does a trace hold? Asks `oplens info`, which reads them all. */
#ifndef OPLI_BENCH_RECOUNT_H
#define OPLI_BENCH_RECOUNT_H

#include <stdint.h>

/* -1 when the command is NULL, cannot be run, fails or does not say. */
int64_t opli_recount_spans(const char *oplens, const char *trace);

#endif
