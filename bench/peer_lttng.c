/* peer_lttng.c - a span of LTTng-UST: one event where it begins and one where it ends. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "peer_lttng_events.h"

#include "peer.h"

static __attribute__((noinline)) void lttng_spans(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        lttng_ust_tracepoint(attention1, begin);
        lttng_ust_tracepoint(attention1, end);
    }
}

int main(int argc, char **argv) { return opli_peer_main(argc, argv, "LTTng-UST", lttng_spans); }
