/* kineto.h - made-up traces of the kind PyTorch writes, in the layouts writers use. */
#ifndef OPLI_BENCH_KINETO_H
#define OPLI_BENCH_KINETO_H

#include <stdint.h>
#include <stdio.h>

enum opli_kineto_layout {
    OPLI_KINETO_NATIVE,  /* as PyTorch writes it */
    OPLI_KINETO_COMPACT, /* one event a line, no spaces */
    OPLI_KINETO_INDENTED /* every member on a line of its own, keys in another order */
};

/* Writes at least `bytes`, the same every time; how many events those are. Of a model's layers most
 * shapes come again: `variety` is how many different ones there are. */
uint64_t opli_kineto_write(FILE *to, enum opli_kineto_layout layout, uint64_t bytes, unsigned variety);

#endif
