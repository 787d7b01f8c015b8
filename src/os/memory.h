/* memory.h - pages straight from the system: the recorder may be called from inside malloc. */
#ifndef OPLI_OS_MEMORY_H
#define OPLI_OS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed pages, or NULL; errno is kept. */
void *opli_pages_new(size_t size);
void opli_pages_free(void *pages, size_t size);

/* An address range of `size` bytes that is aligned to `align` and holds nothing yet, or NULL.
 * `before` more bytes ahead of it are reserved too. */
void *opli_range_reserve(size_t before, size_t size, size_t align);

/* Puts `size` bytes of the file at `at`, which was reserved (or anywhere: NULL). */
void *opli_file_map(int fd, uint64_t offset, size_t size, void *at);

/* Takes the file away from an address range and leaves private memory that nobody will read, so
 * that a thread caught in the middle of a record writes it harmlessly. */
void opli_range_retire(void *at, size_t size);

#endif
