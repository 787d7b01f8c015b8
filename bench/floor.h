/* floor.h - what two bare clock reads cost here and now: nothing that times a span can be cheaper.
 *
 * It moves with the machine's mood, so it is taken right before and right after each run, by the
 * thread that records, and a cost is quoted as a multiple of it. */
#ifndef OPLI_BENCH_FLOOR_H
#define OPLI_BENCH_FLOOR_H

#define OPLI_FLOOR_PIECES 5

/* CPU time of the calling thread per pair of reads, measured that many times. */
void opli_floor_measure(double ns[OPLI_FLOOR_PIECES]);

#endif
