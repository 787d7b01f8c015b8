/* peer_uftrace.c - a span of uftrace: a call of a function that is compiled with its hooks. */
#include "peer.h"
#include "peer_uftrace_function.h"

static __attribute__((noinline)) void uftrace_spans(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        attention1();
}

int main(int argc, char **argv) { return opli_peer_main(argc, argv, "uftrace", uftrace_spans); }
