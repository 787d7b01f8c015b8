/* source.c - the bytes of a file somebody wants read. */
#define _GNU_SOURCE
#include "import/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"

#if OPLI_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif
#if OPLI_HAVE_ZSTD
#include <zstd.h>
#endif

#define STEP_BYTES (4u << 20)

void opli_source_tell(const opli_source *source, size_t done, size_t total)
{
    if (source->progress)
        source->progress->tell(source->progress->context, source->path, done, total);
}

static opl_status map_file(opli_source *source, int fd, opl_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return opli_fail(err, OPL_IO, "%s: cannot be read: %s", source->path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return opli_fail(err, OPL_IO, "%s: is not a regular file", source->path);
    source->size = source->file_size = (size_t)info.st_size;
    if (!source->size)
        return opli_fail(err, OPL_FORMAT, "%s: is empty", source->path);
    source->map = mmap(NULL, source->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (source->map == MAP_FAILED) {
        source->map = NULL;
        return opli_fail(err, OPL_IO, "%s: cannot be mapped: %s", source->path, strerror(errno));
    }
    madvise(source->map, source->size, MADV_SEQUENTIAL);
    source->bytes = source->map;
    return OPL_OK;
}

/* ---- gzip: any number of members, one after the other ---- */

#if OPLI_HAVE_ISAL
/* What may stand behind the last member: nothing, or zeros that fill a block. */
static bool is_padding(const opli_source *source, size_t from)
{
    const char *bytes = source->map;
    while (from < source->file_size && !bytes[from])
        from++;
    return from == source->file_size;
}

/* Unpacks a step. False at the end: of the file, or of what can be read of it. */
static bool unpack_step(opli_source *source, struct inflate_state *state, size_t *taken, size_t *used)
{
    size_t left = source->file_size - *taken, give = left < STEP_BYTES ? left : STEP_BYTES;
    state->next_in = (uint8_t *)source->map + *taken;
    state->avail_in = (uint32_t)give;
    state->next_out = (uint8_t *)source->unpacked.items + *used;
    state->avail_out = STEP_BYTES;
    int result = isal_inflate(state);
    bool stuck = give == state->avail_in && state->avail_out == STEP_BYTES;
    *taken += give - state->avail_in;
    *used += STEP_BYTES - state->avail_out;
    opli_source_tell(source, *taken, source->file_size);
    if (state->block_state == ISAL_BLOCK_FINISH && result == ISAL_DECOMP_OK) {
        if (is_padding(source, *taken))
            return false;
        isal_inflate_reset(state);
        state->crc_flag = ISAL_GZIP;
        return true;
    }
    source->damaged = result != ISAL_DECOMP_OK || stuck;
    return !source->damaged;
}

static opl_status unpack_gzip(opli_source *source, opl_error *err)
{
    struct inflate_state *state = &(struct inflate_state){.avail_in = 0};
    size_t used = 0, taken = 0;
    isal_inflate_init(state);
    state->crc_flag = ISAL_GZIP;
    do {
        if (!opli_array_reserve(&source->unpacked, used + STEP_BYTES))
            return opli_fail(err, OPL_NOMEM, "%s: not enough memory to unpack it", source->path);
    } while (unpack_step(source, state, &taken, &used));
    source->bytes = source->unpacked.items;
    source->size = used;
    return used ? OPL_OK : opli_fail(err, OPL_FORMAT, "%s: is a damaged gzip file", source->path);
}
#else
static opl_status unpack_gzip(opli_source *source, opl_error *err)
{
    return opli_fail(err, OPL_UNSUPPORTED, "%s: this oplens was built without gzip; unpack it with gunzip first",
                     source->path);
}
#endif

/* ---- zstd ---- */

#if OPLI_HAVE_ZSTD
static opl_status unpack_zstd(opli_source *source, opl_error *err)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {source->map, source->file_size, 0};
    size_t used = 0, result = 1;
    bool full = false; /* more may come without more of the file */
    while (stream && (in.pos < in.size || full) && !ZSTD_isError(result)) {
        if (!opli_array_reserve(&source->unpacked, used + STEP_BYTES)) {
            ZSTD_freeDStream(stream);
            return opli_fail(err, OPL_NOMEM, "%s: not enough memory to unpack it", source->path);
        }
        ZSTD_outBuffer out = {(char *)source->unpacked.items + used, STEP_BYTES, 0};
        result = ZSTD_decompressStream(stream, &out, &in);
        used += out.pos;
        full = out.pos == out.size;
        opli_source_tell(source, in.pos, in.size);
    }
    ZSTD_freeDStream(stream);
    source->damaged = result != 0; /* an error, or a frame that is not complete */
    source->bytes = source->unpacked.items;
    source->size = used;
    return used ? OPL_OK : opli_fail(err, OPL_FORMAT, "%s: is a damaged zstd file", source->path);
}
#else
static opl_status unpack_zstd(opli_source *source, opl_error *err)
{
    return opli_fail(err, OPL_UNSUPPORTED, "%s: this oplens was built without zstd; unpack it with unzstd first",
                     source->path);
}
#endif

/* ---- opening ---- */

opl_status opli_source_open(opli_source *source, const char *path, opl_error *err)
{
    return opli_source_open_watched(source, path, NULL, err);
}

/* A frame, or one of those that may stand before it and hold nothing, as pzstd writes them. */
static bool is_zstd(const char *bytes)
{
    return memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0);
}

/* Windows' mark before text is passed over; text of two bytes a letter is refused with what helps. */
static opl_status pass_mark(opli_source *source, opl_error *err)
{
    if (source->size >= 2 && (memcmp(source->bytes, "\xff\xfe", 2) == 0 || memcmp(source->bytes, "\xfe\xff", 2) == 0))
        return opli_fail(err, OPL_FORMAT, "%s: is UTF-16 text; save it as UTF-8, or convert it with iconv",
                         source->path);
    if (source->size > 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0) {
        source->bytes += 3;
        source->size -= 3;
    }
    return OPL_OK;
}

opl_status opli_source_open_watched(opli_source *source, const char *path, const opli_progress *progress,
                                    opl_error *err)
{
    *source = (opli_source){.path = path, .progress = progress};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return opli_fail(err, OPL_IO, "%s: cannot be opened: %s", path, strerror(errno));
    opl_status st = map_file(source, fd, err);
    close(fd);
    if (st == OPL_OK && source->size > 2 && memcmp(source->bytes, "\x1f\x8b", 2) == 0)
        st = unpack_gzip(source, err);
    else if (st == OPL_OK && source->size > 4 && is_zstd(source->bytes))
        st = unpack_zstd(source, err);
    return st == OPL_OK ? pass_mark(source, err) : st;
}

void opli_source_close(opli_source *source)
{
    if (source->map)
        munmap(source->map, source->file_size);
    opli_array_free(&source->unpacked);
    *source = (opli_source){.path = NULL};
}

void opli_source_forget(const opli_source *source, size_t done)
{
    size_t page = 4096, whole = done / page * page;
    void *bytes = source->unpacked.items ? source->unpacked.items : source->map;
    opli_source_tell(source, done, source->size);
    if (whole)
        madvise(bytes, whole, MADV_DONTNEED);
}
