/* syscalls.h - calls that must not be cancellation points, or that libc does not wrap. */
#ifndef OPLI_OS_SYSCALLS_H
#define OPLI_OS_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The kernel's id of this thread. */
uint32_t opli_thread_id(void);

/* Writes all of it; 0, or the errno that stopped it. Never a cancellation point. */
int opli_write_at(int fd, const void *bytes, size_t size, uint64_t offset);

/* Makes sure the range has room on the disk, so that touching its pages cannot raise SIGBUS;
 * 0 or an errno. */
int opli_room_reserve(int fd, uint64_t offset, uint64_t size);

/* Gives the range's room back; its bytes read as zero. Where the system cannot, nothing happens. */
void opli_room_release(int fd, uint64_t offset, uint64_t size);

/* Makes the range read as zeros, wherever anything was written in it. */
void opli_room_wipe(int fd, uint64_t offset, uint64_t size);

/* Waits while `*word` is `expected`, at most so many milliseconds; wakes one who waits. */
void opli_futex_wait(uint32_t *word, uint32_t expected, int timeout_ms);
void opli_futex_wake(uint32_t *word);

#endif
