/* output_path.h - from what the user wrote to a file that is ours to write. No heap is used. */
#ifndef OPLI_RECORD_OUTPUT_PATH_H
#define OPLI_RECORD_OUTPUT_PATH_H

#include <stdbool.h>

#include "record/tape.h"

/* What to record into. Kept for clear and for forked children. */
typedef struct opli_output {
    char pattern[OPLI_TAPE_PATH_MAX]; /* absolute */
    uint64_t limit_bytes;
    uint64_t ring_bytes;
} opli_output;

/* Makes the pattern absolute and checks the sizes. */
opl_status opli_output_init(opli_output *output, const char *pattern, uint64_t limit_bytes, uint64_t ring_bytes,
                            opl_error *err);

/* Expands the pattern and creates the file. An old trace of the same name is replaced; one that is
 * being recorded, or that this process recorded before, is not: the pid is added to the name. A
 * forked child always adds it, unless the pattern tells processes apart. A file that this program
 * closed before is opened again, to be continued. */
opl_status opli_output_open(const opli_output *output, bool forked, opli_tape *tape, opl_error *err);

/* Removes the file at `path`, which is ours, and begins it anew. */
opl_status opli_output_reopen(const opli_output *output, const char *path, opli_tape *tape, opl_error *err);

#endif
