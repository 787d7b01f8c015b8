/* run_stats.c - what a run took. */
#include "cli/run_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t per_second(uint64_t amount, int64_t took_ns)
{
    return took_ns > 0 ? (uint64_t)((double)amount * 1e9 / (double)took_ns) : 0;
}

void opli_run_stats_say_reading(const opli_given *given, uint64_t bytes, uint64_t events, int64_t took_ns)
{
    opli_text line = {0};
    opli_text_add_bytes(&line, bytes);
    opli_text_addf(&line, " in ");
    opli_text_add_ns(&line, took_ns);
    opli_text_addf(&line, ": %.1f MB/s, ", (double)per_second(bytes, took_ns) / 1e6);
    opli_text_add_counted(&line, events, "event");
    opli_text_addf(&line, ", ");
    opli_text_add_count(&line, per_second(events, took_ns));
    if (!line.cut)
        opli_complain(given, "stats: read %s events/s", line.bytes);
    opli_text_free(&line);
}

/* Not getrusage(): its number may be that of whoever started us. 0 when the system does not say. */
static uint64_t peak_bytes(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtoull(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kib * 1024;
}

void opli_run_stats_say(const opli_given *given, int64_t took_ns)
{
    opli_text line = {0};
    uint64_t peak = peak_bytes();
    opli_text_add_ns(&line, took_ns);
    opli_text_addf(&line, " in all");
    if (peak) {
        opli_text_addf(&line, ", peak memory ");
        opli_text_add_bytes(&line, peak);
    }
    if (!line.cut)
        opli_complain(given, "stats: %s", line.bytes);
    opli_text_free(&line);
}
