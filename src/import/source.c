/* source.c - the bytes of a file somebody wants read. */
#define _GNU_SOURCE
#include "import/source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
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
#define GROWING_BYTES (64u << 10)     /* smaller files are unpacked before a thread has begun */
#define LEAD_BYTES ((size_t)64 << 20) /* how far unpacking may be ahead */
#define GZIP_RATIO 1040u              /* a byte cannot become more */
#define SPACE_MAX ((size_t)64 << 30)

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

static void inflate_begin(struct inflate_state *state)
{
    isal_inflate_init(state);
    state->crc_flag = ISAL_GZIP;
}

static opl_status unpack_gzip(opli_source *source, opl_error *err)
{
    struct inflate_state *state = &(struct inflate_state){.avail_in = 0};
    size_t used = 0, taken = 0;
    inflate_begin(state);
    do {
        opli_source_tell(source, taken, source->file_size);
        if (!opli_array_reserve(&source->unpacked, used + STEP_BYTES))
            return opli_fail(err, OPL_NOMEM, "%s: not enough memory to unpack it", source->path);
    } while (unpack_step(source, state, &taken, &used));
    source->bytes = source->unpacked.items;
    source->size = used;
    return used ? OPL_OK : opli_fail(err, OPL_FORMAT, "%s: is a damaged gzip file", source->path);
}

/* ---- gzip, on another thread ---- */

struct opli_unpacking {
    opli_source source; /* the thread's own: what it unpacks, and where to */
    struct inflate_state state;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t used, taken;   /* shared, as is what follows: so much was unpacked, of so much */
    size_t awaited, done; /* somebody waits for so much, and needs what comes before this no more */
    bool over, unwanted;
    bool full; /* the thread's */
};

/* Says how far we are, and waits while we are far enough ahead. False when nobody wants more. */
static bool publish(opli_unpacking *u, size_t used, size_t taken, bool over)
{
    pthread_mutex_lock(&u->lock);
    u->used = used;
    u->taken = taken;
    u->over = over;
    pthread_cond_broadcast(&u->changed);
    while (!over && !u->unwanted && used > u->awaited && used - u->done > LEAD_BYTES)
        pthread_cond_wait(&u->changed, &u->lock);
    bool wanted = !u->unwanted;
    pthread_mutex_unlock(&u->lock);
    return wanted;
}

static void *unpack_on(void *context)
{
    opli_unpacking *u = context;
    size_t used = 0, taken = 0;
    bool more = true, wanted = true;
    inflate_begin(&u->state);
    while (more && wanted) {
        u->full = u->source.unpacked.capacity_bytes - used < STEP_BYTES;
        more = !u->full && unpack_step(&u->source, &u->state, &taken, &used);
        wanted = publish(u, used, taken, !more);
    }
    return NULL;
}

static size_t unpacking_wait(opli_unpacking *u, size_t size)
{
    pthread_mutex_lock(&u->lock);
    u->awaited = size;
    pthread_cond_broadcast(&u->changed);
    while (!u->over && u->used <= size)
        pthread_cond_wait(&u->changed, &u->lock);
    size_t used = u->used;
    pthread_mutex_unlock(&u->lock);
    return used;
}

/* What comes before `done` is needed no more; how much of the file was taken. */
static size_t unpacking_forget(opli_unpacking *u, size_t done)
{
    pthread_mutex_lock(&u->lock);
    u->done = done;
    size_t taken = u->taken;
    pthread_cond_broadcast(&u->changed);
    pthread_mutex_unlock(&u->lock);
    return taken;
}

/* Space that no growth will move: as much as the file can become, as far as that is sensible. */
static bool reserve_space(opli_array *space, size_t file_size)
{
    size_t bytes = file_size < SPACE_MAX / GZIP_RATIO ? file_size * GZIP_RATIO + 2 * STEP_BYTES : SPACE_MAX;
    void *items = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (items == MAP_FAILED)
        return false;
    *space = (opli_array){items, bytes};
    return true;
}

/* False when it cannot be: then nothing has happened. */
static bool begin_unpacking(opli_source *source)
{
    opli_unpacking *u = source->file_size < GROWING_BYTES ? NULL : calloc(1, sizeof *u);
    if (!u || !reserve_space(&source->unpacked, source->file_size)) {
        free(u);
        return false;
    }
    u->source = *source;
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->changed, NULL);
    if (pthread_create(&u->thread, NULL, unpack_on, u) != 0) {
        opli_array_free(&source->unpacked);
        free(u);
        return false;
    }
    source->unpacking = u;
    source->bytes = source->unpacked.items;
    source->size = unpacking_wait(u, 0);
    return true;
}

static void end_unpacking(opli_source *source, bool wanted)
{
    opli_unpacking *u = source->unpacking;
    pthread_mutex_lock(&u->lock);
    u->unwanted = !wanted;
    u->awaited = SIZE_MAX;
    pthread_cond_broadcast(&u->changed);
    pthread_mutex_unlock(&u->lock);
    pthread_join(u->thread, NULL);
    source->size = u->used - (size_t)(source->bytes - (const char *)source->unpacked.items);
    source->damaged = u->source.damaged || u->full;
    pthread_cond_destroy(&u->changed);
    pthread_mutex_destroy(&u->lock);
    free(u);
    source->unpacking = NULL;
}
#else
static opl_status unpack_gzip(opli_source *source, opl_error *err)
{
    return opli_fail(err, OPL_UNSUPPORTED, "%s: this oplens was built without gzip; unpack it with gunzip first",
                     source->path);
}

static bool begin_unpacking(opli_source *source)
{
    (void)source;
    return false;
}

static void end_unpacking(opli_source *source, bool wanted)
{
    (void)source;
    (void)wanted;
}

static size_t unpacking_wait(opli_unpacking *u, size_t size)
{
    (void)u;
    return size;
}

static size_t unpacking_forget(opli_unpacking *u, size_t done)
{
    (void)u;
    return done;
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

static opl_status open_source(opli_source *source, const char *path, const opli_progress *progress, bool may_grow,
                              opl_error *err)
{
    *source = (opli_source){.path = path, .progress = progress};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return opli_fail(err, OPL_IO, "%s: cannot be opened: %s", path, strerror(errno));
    opl_status st = map_file(source, fd, err);
    close(fd);
    if (st == OPL_OK && source->size > 2 && memcmp(source->bytes, "\x1f\x8b", 2) == 0)
        st = may_grow && begin_unpacking(source) ? OPL_OK : unpack_gzip(source, err);
    else if (st == OPL_OK && source->size > 4 && is_zstd(source->bytes))
        st = unpack_zstd(source, err);
    return st == OPL_OK ? pass_mark(source, err) : st;
}

opl_status opli_source_open_watched(opli_source *source, const char *path, const opli_progress *progress,
                                    opl_error *err)
{
    return open_source(source, path, progress, false, err);
}

opl_status opli_source_open_growing(opli_source *source, const char *path, const opli_progress *progress,
                                    opl_error *err)
{
    opl_status st = open_source(source, path, progress, true, err);
    if (st == OPL_OK && source->unpacking && !source->size) { /* nothing came, so nothing will */
        opli_source_finish(source);
        st = opli_fail(err, OPL_FORMAT, "%s: is a damaged gzip file", path);
    }
    return st;
}

size_t opli_source_wait(const opli_source *source, size_t size)
{
    if (!source->unpacking)
        return source->size;
    size_t before = (size_t)(source->bytes - (const char *)source->unpacked.items);
    return unpacking_wait(source->unpacking, size + before) - before;
}

void opli_source_finish(opli_source *source)
{
    if (source->unpacking)
        end_unpacking(source, true);
}

void opli_source_close(opli_source *source)
{
    if (source->unpacking)
        end_unpacking(source, false);
    if (source->map)
        munmap(source->map, source->file_size);
    opli_array_free(&source->unpacked);
    *source = (opli_source){.path = NULL};
}

void opli_source_forget(const opli_source *source, size_t done)
{
    size_t page = 4096, whole = done / page * page;
    void *bytes = source->unpacked.items ? source->unpacked.items : source->map;
    if (source->unpacking)
        opli_source_tell(source, unpacking_forget(source->unpacking, done), source->file_size);
    else
        opli_source_tell(source, done, source->size);
    if (whole)
        madvise(bytes, whole, MADV_DONTNEED);
}
