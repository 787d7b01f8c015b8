/* peer.h - measures another recorder as we measure ours: floor, spans, floor, and the median of many. */
#ifndef OPLI_BENCH_PEER_H
#define OPLI_BENCH_PEER_H

#include <stdint.h>

/* The whole of a peer's main(): `--spans N` per run, `--runs N`, `--json`. Prints one row. */
int opli_peer_main(int argc, char **argv, const char *name, void (*loop)(uint64_t count));

#endif
