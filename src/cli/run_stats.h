/* run_stats.h - what a run took, for --stats: said on stderr. */
#ifndef OPLI_CLI_RUN_STATS_H
#define OPLI_CLI_RUN_STATS_H

#include "cli/command.h"

/* What was read, and how fast. */
void opli_run_stats_say_reading(const opli_given *given, uint64_t bytes, uint64_t events, int64_t took_ns);

/* How long all of it took, and the most memory this process ever had. */
void opli_run_stats_say(const opli_given *given, int64_t took_ns);

#endif
