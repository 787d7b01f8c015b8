/* file_scan.c - the floor of reading a file. */
#include "file_scan.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#define BUFFER (256u * 1024)

/* The compiler makes vectors of it. */
static uint64_t count_lines(const char *bytes, size_t size)
{
    uint64_t lines = 0;
    for (size_t at = 0; at < size;) {
        size_t end = size - at > 255 ? at + 255 : size;
        uint8_t few = 0;
        for (; at < end; at++)
            few = (uint8_t)(few + (bytes[at] == '\n'));
        lines += few;
    }
    return lines;
}

bool opli_file_scan(void *path)
{
    static char buffer[BUFFER];
    uint64_t lines = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 0;
    while (fd >= 0 && (got = read(fd, buffer, sizeof buffer)) > 0)
        lines += count_lines(buffer, (size_t)got);
    if (fd >= 0)
        close(fd);
    __asm__ volatile("" : : "r"(lines)); /* or the work would be for nothing, and left out */
    return got == 0;
}
