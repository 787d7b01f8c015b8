/* contents.h - what is inside a recording: how many of what, by kind, thread and device track. */
#ifndef OPLI_ANALYSIS_CONTENTS_H
#define OPLI_ANALYSIS_CONTENTS_H

#include "base/table.h"
#include "import/events.h"

typedef struct opli_tally {
    uint64_t spans, open_spans, instants, counters, memory_events, flows, arguments;
} opli_tally;

typedef struct opli_contents {
    opli_tally total;
    uint64_t dropped[OPLI_DROP_COUNT]; /* of all threads, and of those that had no stream */
    uint64_t dropped_total;
    int64_t first_ns, last_ns; /* of events; both 0 when there are none */
    opli_table kinds, threads, devices, metadata, controls;
} opli_contents;

/* Reads the whole recording. OPL_OK or OPL_NOMEM; damage found on the way is in the recording. */
opl_status opli_contents_read(opli_recording *recording, opli_contents *contents);
void opli_contents_free(opli_contents *contents);

#endif
