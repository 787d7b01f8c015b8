/* file_fuzz.c - any bytes as a file somebody wants opened: unpacked, recognised, read. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "reading.h"

#define SIZE_MAX_BYTES (64u << 10)

static void open_file(const char *path)
{
    opli_trace trace;
    opl_error err = {OPL_OK, ""};
    opl_status st = opli_trace_open(&path, 1, &trace, &err);
    if (st == OPL_OK)
        reading_check_trace(&trace);
    else if (strncmp(err.message, path, strlen(path)) != 0)
        abort(); /* whatever is wrong, we say with which file */
    if (st == OPL_OK)
        opli_trace_free(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64];
    int fd = size <= SIZE_MAX_BYTES ? memfd_create("fuzz", MFD_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, bytes, size) == (ssize_t)size)
        open_file(path);
    close(fd);
    return 0;
}

/* [{"ph":"X","ts":1,"dur":2,"name":"a"}] and a member of gzip, and of zstd, that hold it. */
static const char plain[] = "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\"}]";
static const uint8_t gzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8b, 0xae, 0x56, 0x2a, 0xc8,
                               0x50, 0xb2, 0x52, 0x8a, 0x50, 0xd2, 0x51, 0x2a, 0x29, 0x56, 0xb2, 0x32, 0xd4, 0x51, 0x4a,
                               0x29, 0x2d, 0x52, 0xb2, 0x32, 0xd2, 0x51, 0xca, 0x4b, 0xcc, 0x4d, 0x05, 0xca, 0x24, 0x2a,
                               0xd5, 0xc6, 0x02, 0x00, 0xa8, 0xf7, 0x53, 0xf7, 0x26, 0x00, 0x00, 0x00};
static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x01, 0x00, 0x5b, 0x7b, 0x22, 0x70,
                               0x68, 0x22, 0x3a, 0x22, 0x58, 0x22, 0x2c, 0x22, 0x74, 0x73, 0x22, 0x3a, 0x31,
                               0x2c, 0x22, 0x64, 0x75, 0x72, 0x22, 0x3a, 0x32, 0x2c, 0x22, 0x6e, 0x61, 0x6d,
                               0x65, 0x22, 0x3a, 0x22, 0x61, 0x22, 0x7d, 0x5d, 0x8b, 0x74, 0xb8, 0x2f};

void fuzz_seeds(fuzz_seed_taker take, void *context)
{
    uint8_t twice[2 * sizeof gzip];
    memcpy(twice, gzip, sizeof gzip);
    memcpy(twice + sizeof gzip, gzip, sizeof gzip);
    take(context, "plain", (const uint8_t *)plain, strlen(plain));
    take(context, "gzip", gzip, sizeof gzip);
    take(context, "members", twice, sizeof twice);
    take(context, "zstd", zstd, sizeof zstd);
    take(context, "mark", (const uint8_t *)"\xef\xbb\xbf[{}]", 7);
    take(context, "csv", (const uint8_t *)"start,end,name,span_id\n1,2,x,3\n", 32);
    take(context, "prof", (const uint8_t *)"{0", 2);
}
