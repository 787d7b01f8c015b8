/* workplace.c - the directory that traces are written to, and the machine around it. */
#define _GNU_SOURCE
#include "workplace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define BLOCK_BYTES (1u << 20)

static __attribute__((format(printf, 2, 3))) opl_status fail(opl_error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return err->status = OPL_IO;
}

/* ---- the machine ---- */

/* The value of the first line of `file` that begins with `key`, without what separates them. */
static void find_line(const char *file, const char *key, char *value, size_t size)
{
    char line[512];
    FILE *in = fopen(file, "re");
    snprintf(value, size, "unknown");
    while (in && fgets(line, sizeof line, in)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        char *rest = line + strlen(key);
        snprintf(value, size, "%s", rest + strspn(rest, "\t: "));
        break;
    }
    if (in)
        fclose(in);
}

/* The type of the mount that the directory's device belongs to. */
static void find_filesystem(opli_workplace *place)
{
    struct stat info = {0};
    char *line = NULL, device[32];
    size_t capacity = 0;
    FILE *in = fopen("/proc/self/mountinfo", "re");
    snprintf(place->filesystem, sizeof place->filesystem, "unknown");
    stat(place->directory, &info);
    snprintf(device, sizeof device, " %u:%u ", major(info.st_dev), minor(info.st_dev));
    while (in && getline(&line, &capacity, in) > 0) {
        char *type = strstr(line, device) ? strstr(line, " - ") : NULL;
        if (type)
            snprintf(place->filesystem, sizeof place->filesystem, "%.*s", (int)strcspn(type + 3, " "), type + 3);
    }
    free(line);
    if (in)
        fclose(in);
}

static void describe_machine(opli_workplace *place)
{
    struct utsname name = {.sysname = ""};
    time_t now = time(NULL);
    struct tm when;
    uname(&name);
    find_line("/proc/cpuinfo", "model name", place->cpu, sizeof place->cpu);
    snprintf(place->kernel, sizeof place->kernel, "%s %s", name.sysname, name.release);
    strftime(place->date, sizeof place->date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &when));
    place->cores = sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- the directory ---- */

opl_status opli_workplace_init(opli_workplace *place, const char *parent, opl_error *err)
{
    const char *tmpdir = getenv("TMPDIR");
    if (!parent)
        parent = tmpdir && *tmpdir ? tmpdir : "/tmp";
    *place = (opli_workplace){.cores = 0};
    int length = snprintf(place->directory, sizeof place->directory, "%s/span_cost.XXXXXX", parent);
    if (length >= (int)sizeof place->directory || !mkdtemp(place->directory)) {
        place->directory[0] = '\0';
        return fail(err, "%s: no directory can be made there: %s", parent, strerror(errno));
    }
    snprintf(place->trace, sizeof place->trace, "%s/trace.opl", place->directory);
    find_filesystem(place);
    describe_machine(place);
    return OPL_OK;
}

void opli_workplace_fini(opli_workplace *place)
{
    if (!place->directory[0])
        return;
    opli_workplace_clear(place);
    rmdir(place->directory);
    place->directory[0] = '\0';
}

void opli_workplace_clear(const opli_workplace *place) { unlink(place->trace); }

bool opli_workplace_is_memory(const opli_workplace *place)
{
    return strcmp(place->filesystem, "tmpfs") == 0 || strcmp(place->filesystem, "ramfs") == 0;
}

/* ---- warming up ---- */

static opl_status check_room(const opli_workplace *place, uint64_t bytes, opl_error *err)
{
    struct statvfs info;
    if (statvfs(place->directory, &info) != 0)
        return fail(err, "%s: %s", place->directory, strerror(errno));
    uint64_t room = (uint64_t)info.f_bavail * info.f_frsize;
    if (room < bytes)
        return fail(err, "%s: needs %llu MB of room and has %llu; try --dir, --spans or --quick", place->directory,
                    (unsigned long long)bytes / 1000000, (unsigned long long)room / 1000000);
    return OPL_OK;
}

static opl_status write_blocks(int fd, uint64_t bytes, const char *path, opl_error *err)
{
    static char block[BLOCK_BYTES];
    memset(block, 'o', sizeof block);
    for (uint64_t done = 0; done < bytes; done += sizeof block)
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
            return fail(err, "%s: cannot be written: %s", path, strerror(errno));
    return OPL_OK;
}

opl_status opli_workplace_warm(const opli_workplace *place, uint64_t bytes, opl_error *err)
{
    opl_status st = check_room(place, bytes, err);
    if (st != OPL_OK)
        return st;
    int fd = open(place->trace, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(err, "%s: cannot be written: %s", place->trace, strerror(errno));
    st = write_blocks(fd, bytes, place->trace, err);
    close(fd);
    opli_workplace_clear(place);
    return st;
}
