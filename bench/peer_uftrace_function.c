/* peer_uftrace_function.c - the one function that uftrace records; built with -finstrument-functions. */
#include "peer_uftrace_function.h"

void attention1(void) {}
