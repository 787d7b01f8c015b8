/* gzip_file.c - a FILE that packs what is written to it.
 *
 * With ISA-L the bytes are deflated; without it they are stored in gzip's own frame, which every
 * reader of gzip understands, and nothing gets smaller. */
#define _GNU_SOURCE
#include "export/gzip_file.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#if OPLI_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#define STEP_BYTES (64u << 10)

#if OPLI_HAVE_ISAL

/* ---- deflated ---- */

typedef struct packer {
    FILE *under;
    struct isal_zstream stream;
    uint8_t level_room[ISAL_DEF_LVL1_DEFAULT];
    uint8_t out[STEP_BYTES];
} packer;

static bool begin(packer *p)
{
    isal_deflate_init(&p->stream);
    p->stream.level = 1;
    p->stream.level_buf = p->level_room;
    p->stream.level_buf_size = sizeof p->level_room;
    p->stream.gzip_flag = IGZIP_GZIP;
    return true;
}

/* Deflates what the stream was given until it wants more. */
static bool pump(packer *p)
{
    do {
        p->stream.next_out = p->out;
        p->stream.avail_out = sizeof p->out;
        if (isal_deflate(&p->stream) != COMP_OK)
            return false;
        size_t made = sizeof p->out - p->stream.avail_out;
        if (fwrite(p->out, 1, made, p->under) != made)
            return false;
    } while (p->stream.avail_out == 0);
    return true;
}

static bool pack(packer *p, const char *bytes, size_t length)
{
    p->stream.next_in = (uint8_t *)bytes;
    p->stream.avail_in = (uint32_t)length;
    return pump(p);
}

static bool finish(packer *p)
{
    p->stream.next_in = NULL;
    p->stream.avail_in = 0;
    p->stream.end_of_stream = 1;
    return pump(p);
}

#else

/* ---- stored ---- */

#define BLOCK_MAX 65535u

typedef struct packer {
    FILE *under;
    uint32_t sum, length;
    uint32_t sums[256];
} packer;

static bool put(packer *p, const void *bytes, size_t length) { return fwrite(bytes, 1, length, p->under) == length; }

static bool begin(packer *p)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        p->sums[i] = c;
    }
    return put(p, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
}

static bool put_block(packer *p, const char *bytes, size_t length, bool last)
{
    uint16_t n = (uint16_t)length, inverse = (uint16_t)~n;
    uint8_t head[5] = {last, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)inverse, (uint8_t)(inverse >> 8)};
    return put(p, head, sizeof head) && put(p, bytes, length);
}

static bool pack(packer *p, const char *bytes, size_t length)
{
    uint32_t c = ~p->sum;
    for (size_t i = 0; i < length; i++)
        c = p->sums[(c ^ (uint8_t)bytes[i]) & 255] ^ c >> 8;
    p->sum = ~c;
    p->length += (uint32_t)length;
    for (size_t at = 0, step; at < length; at += step) {
        step = length - at < BLOCK_MAX ? length - at : BLOCK_MAX;
        if (!put_block(p, bytes + at, step, false))
            return false;
    }
    return true;
}

static bool finish(packer *p)
{
    uint8_t tail[8];
    for (int i = 0; i < 4; i++) {
        tail[i] = (uint8_t)(p->sum >> 8 * i);
        tail[4 + i] = (uint8_t)(p->length >> 8 * i);
    }
    return put_block(p, "", 0, true) && put(p, tail, sizeof tail);
}

#endif

/* ---- the FILE ---- */

static ssize_t write_packed(void *cookie, const char *bytes, size_t length)
{
    return pack(cookie, bytes, length) ? (ssize_t)length : 0;
}

static int close_packed(void *cookie)
{
    packer *p = cookie;
    bool ok = finish(p);
    ok = !ferror(p->under) && ok;
    ok = fclose(p->under) == 0 && ok;
    free(p);
    return ok ? 0 : -1;
}

FILE *opli_gzip_file_open(FILE *under)
{
    packer *p = calloc(1, sizeof *p);
    FILE *file = p ? fopencookie(p, "w", (cookie_io_functions_t){.write = write_packed, .close = close_packed}) : NULL;
    if (!file) {
        free(p);
        fclose(under);
        return NULL;
    }
    p->under = under;
    begin(p); /* what cannot be written shows when it is closed */
    setvbuf(file, NULL, _IOFBF, STEP_BYTES - 1);
    return file;
}
