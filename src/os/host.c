/* host.c - which machine, process and program this is, from /proc. */
#define _GNU_SOURCE
#include "os/host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "os/clock.h"

/* Reads a small file whole and ends it with a zero; its length, 0 when it cannot be read. */
static size_t read_text(const char *path, char *text, size_t size)
{
    size_t length = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got;
        while (length + 1 < size && (got = read(fd, text + length, size - 1 - length)) > 0)
            length += (size_t)got;
        close(fd);
    }
    text[length] = '\0';
    return length;
}

void opli_host_name(char *name, size_t size)
{
    if (gethostname(name, size) != 0)
        snprintf(name, size, "localhost");
    name[size - 1] = '\0';
}

void opli_host_program(char *name, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", name, size - 1);
    name[length > 0 ? length : 0] = '\0';
}

void opli_host_command(char *command, size_t size)
{
    size_t length = read_text("/proc/self/cmdline", command, size);
    while (length && command[length - 1] == '\0')
        length--;
    for (size_t i = 0; i < length; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    command[length] = '\0';
}

void opli_host_thread_name(uint32_t tid, char *name, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%u/comm", tid);
    size_t length = read_text(path, name, size);
    if (length && name[length - 1] == '\n')
        name[length - 1] = '\0';
}

uint64_t opli_host_process_start(void)
{
    char stat[1024];
    read_text("/proc/self/stat", stat, sizeof stat);
    const char *field = strrchr(stat, ')'); /* the name before it may hold anything */
    for (int number = 2; field && number < 22; number++) {
        field = strchr(field, ' ');
        if (field)
            field++;
    }
    return field ? strtoull(field, NULL, 10) : 0;
}

void opli_host_random(void *bytes, size_t size)
{
    if (getrandom(bytes, size, GRND_NONBLOCK) == (ssize_t)size)
        return;
    uint64_t seed = (uint64_t)opli_clock_monotonic_ns() ^ (uint64_t)getpid() << 32;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ((uint8_t *)bytes)[i] = (uint8_t)(seed >> 56);
    }
}
