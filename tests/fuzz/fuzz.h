/* fuzz.h - what a fuzz target is made of: one function for any bytes, and seeds to begin with.
 * libFuzzer runs it in clang builds; replay_test.c runs its seeds in any build. */
#ifndef OPLI_TESTS_FUZZ_H
#define OPLI_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's names. Aborts when something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max); /* libFuzzer's */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed);

/* Called for each seed of the target; `name` is good for a file. */
typedef void (*fuzz_seed_taker)(void *context, const char *name, const uint8_t *bytes, size_t size);
void fuzz_seeds(fuzz_seed_taker take, void *context);

#endif
