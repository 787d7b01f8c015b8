/* workplace.h - the directory that traces are written to, and the machine around it.
 * Lifetime: what is made here is removed by opli_workplace_fini(), also after ^C. */
#ifndef OPLI_BENCH_WORKPLACE_H
#define OPLI_BENCH_WORKPLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <oplens/error.h>

#define OPLI_WORKPLACE_PATH 1024

typedef struct opli_workplace {
    char directory[OPLI_WORKPLACE_PATH]; /* ours alone */
    char trace[OPLI_WORKPLACE_PATH + 32];
    char filesystem[64]; /* "ext4" */
    char cpu[128];
    char kernel[160];
    char date[32];
    long cores;
} opli_workplace;

/* Makes a fresh directory below `parent`, or below $TMPDIR or /tmp when that is NULL. */
opl_status opli_workplace_init(opli_workplace *place, const char *parent, opl_error *err);
void opli_workplace_fini(opli_workplace *place);

/* Writes so many bytes and deletes them. In a virtual machine a page that the guest never used is
 * fetched from the host at its first use, which would be charged to whoever records first. */
opl_status opli_workplace_warm(const opli_workplace *place, uint64_t bytes, opl_error *err);

/* Removes the trace of the last run, so that the next one gets the same pages. */
void opli_workplace_clear(const opli_workplace *place);

/* Whether files there never reach a disk. */
bool opli_workplace_is_memory(const opli_workplace *place);

#endif
