/* memory.c - pages straight from the system. */
#define _GNU_SOURCE
#include "os/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *opli_pages_new(size_t size)
{
    int kept_errno = errno;
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = kept_errno;
    return pages == MAP_FAILED ? NULL : pages;
}

void opli_pages_free(void *pages, size_t size)
{
    if (pages)
        munmap(pages, size);
}

void *opli_range_reserve(size_t before, size_t size, size_t align)
{
    size_t total = before + size + align;
    uint8_t *range = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        return NULL;
    uint8_t *at = (uint8_t *)(((uintptr_t)range + before + align - 1) / align * align);
    size_t slack_before = (size_t)(at - before - range);
    size_t slack_after = total - slack_before - before - size;
    if (slack_before)
        munmap(range, slack_before);
    if (slack_after)
        munmap(at + size, slack_after);
    return at;
}

void *opli_file_map(int fd, uint64_t offset, size_t size, void *at)
{
    void *map = mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), fd, (off_t)offset);
    return map == MAP_FAILED ? NULL : map;
}

void opli_range_retire(void *at, size_t size)
{
    /* Not through libc, so that ThreadSanitizer does not take it for a write: threads may be in the range, and
     * that is the point. Should it fail, the file stays mapped, and a late record lands where nobody reads. */
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}
