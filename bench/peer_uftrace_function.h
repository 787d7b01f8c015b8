/* peer_uftrace_function.h - the one function that uftrace records; it does nothing. */
#ifndef OPLI_BENCH_PEER_UFTRACE_FUNCTION_H
#define OPLI_BENCH_PEER_UFTRACE_FUNCTION_H

void attention1(void);

#endif
