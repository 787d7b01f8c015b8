/* output_path.c - from what the user wrote to a file that is ours to write. */
#define _GNU_SOURCE
#include "record/output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/failure.h"
#include "os/clock.h"
#include "os/host.h"

#define SMALLEST_LIMIT (1024u * 1024)
#define INSTANCES_MAX 100000u

/* ---- expanding ---- */

/* A path under construction; too long is noticed at the end. Those below are static: one thread at
 * a time opens a file, and it may be on a signal handler's small stack. */
typedef struct builder {
    char text[OPLI_TAPE_PATH_MAX];
    size_t length;
    bool too_long;
} builder;

static void add_bytes(builder *b, const char *text, size_t length)
{
    if (b->length + length >= sizeof b->text) {
        b->too_long = true;
        return;
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static void add_number(builder *b, unsigned long long number)
{
    char text[24];
    add_bytes(b, text, (size_t)snprintf(text, sizeof text, "%llu", number));
}

/* 20261115-054400, UTC. Not with libc's calendar, which takes locks and may allocate. */
static void add_time(builder *b, int64_t real_ns)
{
    char text[80];
    int64_t seconds = real_ns / 1000000000, days = seconds / 86400, rest = seconds % 86400;
    int64_t shifted = days + 719468, era = shifted / 146097, day_of_era = shifted % 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153, day = day_of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    int64_t year = era * 400 + year_of_era + (month <= 2);
    int length =
        snprintf(text, sizeof text, "%04lld%02lld%02lld-%02lld%02lld%02lld", (long long)year, (long long)month,
                 (long long)day, (long long)(rest / 3600), (long long)(rest / 60 % 60), (long long)(rest % 60));
    add_bytes(b, text, (size_t)length);
}

static void add_host(builder *b)
{
    char host[64];
    opli_host_name(host, sizeof host);
    add_bytes(b, host, strlen(host));
}

static void expand(builder *b, const char *pattern, unsigned instance)
{
    for (const char *c = pattern; *c; c++) {
        if (c[0] != '%' || !strchr("phti%", c[1]) || !c[1]) {
            add_bytes(b, c, 1);
            continue;
        }
        switch (*++c) {
        case 'p': add_number(b, (unsigned long long)getpid()); break;
        case 'h': add_host(b); break;
        case 't': add_time(b, opli_clock_sample_take().real_ns); break;
        case 'i': add_number(b, instance); break;
        default: add_bytes(b, "%", 1);
        }
    }
}

/* Whether the pattern holds that escape. */
static bool has_escape(const char *pattern, char letter)
{
    for (const char *c = pattern; *c; c++)
        if (c[0] == '%' && c[1] && *++c == letter)
            return true;
    return false;
}

/* trace.opl -> trace.PID.opl, or trace.PID-2.opl */
static void add_pid(builder *b, const char *path, unsigned instance)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && dot > slash + 1 ? (size_t)(dot - path) : strlen(path);
    add_bytes(b, path, stem);
    add_bytes(b, ".", 1);
    add_number(b, (unsigned long long)getpid());
    if (instance) {
        add_bytes(b, "-", 1);
        add_number(b, instance);
    }
    add_bytes(b, path + stem, strlen(path + stem));
}

opl_status opli_output_init(opli_output *output, const char *pattern, uint64_t limit_bytes, uint64_t ring_bytes,
                            opl_error *err)
{
    struct stat info;
    static builder b;
    b.length = 0;
    b.too_long = false;
    if (!pattern || !*pattern)
        return opli_fail(err, OPL_INVALID, "no path to record into was given");
    if (limit_bytes && limit_bytes < SMALLEST_LIMIT)
        return opli_fail(err, OPL_INVALID, "a limit of %llu bytes is too small; it takes at least %u",
                         (unsigned long long)limit_bytes, SMALLEST_LIMIT);
    if (ring_bytes && ring_bytes < SMALLEST_LIMIT)
        return opli_fail(err, OPL_INVALID, "a ring of %llu bytes is too small; it takes at least %u",
                         (unsigned long long)ring_bytes, SMALLEST_LIMIT);
    if (*pattern != '/' && getcwd(b.text, sizeof b.text)) {
        b.length = strlen(b.text);
        add_bytes(&b, "/", 1);
    }
    add_bytes(&b, pattern, strlen(pattern));
    bool directory =
        !b.too_long && (b.text[b.length - 1] == '/' || (stat(b.text, &info) == 0 && S_ISDIR(info.st_mode)));
    if (directory)
        add_bytes(&b, "/%h-%p-%t.opl", strlen("/%h-%p-%t.opl"));
    if (b.too_long)
        return opli_fail(err, OPL_INVALID, "the path to record into is longer than %d bytes", OPLI_TAPE_PATH_MAX);
    memcpy(output->pattern, b.text, b.length + 1);
    output->limit_bytes = limit_bytes;
    output->ring_bytes = ring_bytes;
    return OPL_OK;
}

/* ---- what is there already ---- */

enum verdict { FREE, KEEP_BOTH, REFUSE };

static bool is_from_this_process(const opli_wire_header *header)
{
    return header->pid == (uint32_t)getpid() && header->process_start == opli_host_process_start();
}

/* Whoever removes a file holds its lock, so that nobody removes what another has put in its place. */
static enum verdict remove_old(const char *path, const struct stat *locked)
{
    struct stat now;
    bool same = stat(path, &now) == 0 && now.st_dev == locked->st_dev && now.st_ino == locked->st_ino;
    return same && unlink(path) == 0 ? FREE : KEEP_BOTH;
}

static enum verdict judge_file(const char *path, int fd, opl_error *err)
{
    opli_wire_header header = {.pid = 0};
    struct stat info = {0};
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        opli_fail(err, OPL_IO, "%s: is not a regular file, so nothing can be recorded into it", path);
        return REFUSE;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        return KEEP_BOTH; /* somebody is recording into it */
    if (info.st_size == 0)
        return remove_old(path, &info);
    bool whole = pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header;
    if (!whole || memcmp(header.magic, OPLI_FILE_MAGIC, sizeof header.magic) != 0) {
        opli_fail(err, OPL_IO, "%s: is there already and is not an oplens trace, so it was not replaced", path);
        return REFUSE;
    }
    return is_from_this_process(&header) ? KEEP_BOTH : remove_old(path, &info);
}

/* An old trace is out of the way afterwards. */
static enum verdict judge(const char *path, opl_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return FREE;
    if (fd < 0) {
        opli_fail(err, OPL_IO, "%s: cannot be written: %s", path, strerror(errno));
        return REFUSE;
    }
    enum verdict verdict = judge_file(path, fd, err);
    close(fd);
    return verdict;
}

/* ---- opening ---- */

static opl_status create(const opli_output *output, const builder *path, opli_tape *tape, opl_error *err)
{
    if (path->too_long)
        return opli_fail(err, OPL_INVALID, "the path to record into is longer than %d bytes", OPLI_TAPE_PATH_MAX);
    return opli_tape_create(tape, path->text, output->limit_bytes, output->ring_bytes, err);
}

/* The first of numbered names that does not exist. */
static opl_status create_numbered(const opli_output *output, const char *beside, opli_tape *tape, opl_error *err)
{
    opl_status st = OPL_IO;
    for (unsigned instance = 0; instance < INSTANCES_MAX && st == OPL_IO; instance++) {
        static builder path;
        path.length = 0;
        path.too_long = false;
        if (beside)
            add_pid(&path, beside, instance);
        else
            expand(&path, output->pattern, instance);
        errno = 0;
        st = create(output, &path, tape, err);
        if (st != OPL_OK && errno != EEXIST)
            break;
    }
    return st;
}

opl_status opli_output_reopen(const opli_output *output, const char *path, opli_tape *tape, opl_error *err)
{
    unlink(path);
    return opli_tape_create(tape, path, output->limit_bytes, output->ring_bytes, err);
}

opl_status opli_output_open(const opli_output *output, bool forked, opli_tape *tape, opl_error *err)
{
    static builder path;
    path.length = 0;
    path.too_long = false;
    if (has_escape(output->pattern, 'i'))
        return create_numbered(output, NULL, tape, err);
    expand(&path, output->pattern, 0);
    if (path.too_long)
        return create(output, &path, tape, err); /* which says so */
    if (forked && !has_escape(output->pattern, 'p'))
        return create_numbered(output, path.text, tape, err);
    if (opli_tape_continue(tape, path.text))
        return OPL_OK;
    enum verdict verdict = judge(path.text, err);
    if (verdict == REFUSE)
        return OPL_IO;
    errno = verdict == KEEP_BOTH ? EEXIST : 0;
    opl_status st = verdict == KEEP_BOTH ? OPL_IO : create(output, &path, tape, err);
    return st != OPL_OK && errno == EEXIST ? create_numbered(output, path.text, tape, err) : st;
}
