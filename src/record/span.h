/* span.h - what arguments and flows need to know of the span they belong to. */
#ifndef OPLI_RECORD_SPAN_H
#define OPLI_RECORD_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include <oplens/annotate.h>

/* Whether the span belongs to the running recording. */
bool opli_span_is_current(const opl_span *span);

/* True if the span began in the recording that `chunk` belongs to. */
bool opli_span_is_of(const opl_span *span, uint64_t chunk);

/* Its record's place in its chunk. */
uint64_t opli_span_index(const opl_span *span);

#endif
