/* recording_sums.h - the time of a recording's spans, added up name by name without keeping a span.
 *
 * For the usual recording: spans of threads, one inside the other, with numbers as arguments. Anything
 * else (devices, texts, shapes, memory, spans that overlap or never ended) needs the whole store. */
#ifndef OPLI_IMPORT_RECORDING_SUMS_H
#define OPLI_IMPORT_RECORDING_SUMS_H

#include "import/recording.h"

typedef struct opli_site_sum {
    uint64_t count;
    int64_t total_ns, self_ns;
} opli_site_sum;

/* What is to be known of each site: spans are of one name when `name` is the same. An operator that only
 * calls itself again is one call: `merges` says which sites are operators. */
typedef struct opli_site_fact {
    uint32_t name;
    bool merges;
} opli_site_fact;

/* Fills `sums`, one for each of the recording's sites. False when the recording is not of that sort, or
 * there is no memory: then the sums mean nothing. */
bool opli_recording_sum(opli_recording *recording, const opli_site_fact *facts, opli_site_sum *sums);

#endif
