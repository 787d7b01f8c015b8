/* launch.h - which host span caused what a device did. */
#ifndef OPLI_ANALYSIS_LAUNCH_H
#define OPLI_ANALYSIS_LAUNCH_H

#include "trace/trace.h"

/* For each span: the host span that launched it, or OPLI_NO_ROW. */
typedef struct opli_launches {
    uint32_t *launcher;
} opli_launches;

/* Found by PyTorch's external id, else through the runtime call with the same correlation, else by
 * a flow that ends in the span. False when there is no memory. */
bool opli_launches_find(const opli_trace *trace, opli_launches *launches);
void opli_launches_free(opli_launches *launches);

/* Whether the span is work of a device: a kernel, a copy, a set; not a label over it. */
bool opli_span_is_device_work(const opli_trace *trace, uint32_t span);

/* Whether the span is on a device's queue. */
bool opli_span_is_on_device(const opli_trace *trace, uint32_t span);

#endif
