/* syscalls.c - calls that must not be cancellation points, or that libc does not wrap. */
#define _GNU_SOURCE
#include "os/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t opli_thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

/* The program may forbid itself large files at any time; to write beyond that would raise SIGXFSZ. */
static bool is_allowed(uint64_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || end <= limit.rlim_cur;
}

int opli_write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
    const uint8_t *next = bytes;
    if (!is_allowed(offset + size))
        return EFBIG;
    while (size) {
        long written = syscall(SYS_pwrite64, fd, next, size, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        next += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return 0;
}

static int fill_with_zeros(int fd, uint64_t offset, uint64_t size)
{
    static const uint8_t zeros[4096];
    for (uint64_t done = 0; done < size; done += sizeof zeros) {
        uint64_t step = size - done < sizeof zeros ? size - done : sizeof zeros;
        int failure = opli_write_at(fd, zeros, step, offset + done);
        if (failure)
            return failure;
    }
    return 0;
}

int opli_room_reserve(int fd, uint64_t offset, uint64_t size)
{
    long result;
    if (!is_allowed(offset + size))
        return EFBIG;
    do
        result = syscall(SYS_fallocate, fd, 0, offset, size);
    while (result < 0 && errno == EINTR);
    if (result == 0)
        return 0;
    if (errno == EOPNOTSUPP || errno == ENOSYS)
        return fill_with_zeros(fd, offset, size);
    return errno;
}

void opli_room_release(int fd, uint64_t offset, uint64_t size)
{
    syscall(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size);
}

void opli_room_wipe(int fd, uint64_t offset, uint64_t size)
{
    if (syscall(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size) != 0)
        fill_with_zeros(fd, offset, size);
}

void opli_futex_wait(uint32_t *word, uint32_t expected, int timeout_ms)
{
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &timeout, NULL, 0);
}

void opli_futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
