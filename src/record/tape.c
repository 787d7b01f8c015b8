/* tape.c - the trace file while it is written. */
#define _GNU_SOURCE
#include "record/tape.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "os/clock.h"
#include "os/host.h"
#include "os/memory.h"
#include "os/syscalls.h"
#include "record/version.h"

#define TOP_DESCRIPTOR 1024
#define DESCRIPTORS_BELOW_TOP 16
#define LOW_DESCRIPTORS 64

static uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

/* A program may be allowed only so large a file; beyond it a write raises SIGXFSZ. */
static uint64_t effective_limit(uint64_t limit_bytes)
{
    struct rlimit allowed;
    uint64_t limit = limit_bytes ? limit_bytes : UINT64_MAX;
    if (getrlimit(RLIMIT_FSIZE, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY && allowed.rlim_cur < limit)
        limit = allowed.rlim_cur;
    return limit;
}

/* ---- opening ---- */

/* Tells this program from one that the same process ran before exec. */
static uint64_t image_id(void)
{
    static uint64_t id;
    while (!id)
        opli_host_random(&id, sizeof id);
    return id;
}

static void fill_header(opli_wire_header *header, uint64_t limit_bytes, uint64_t ring_bytes)
{
    opli_clock_sample now = opli_clock_sample_take();
    memcpy(header->magic, OPLI_FILE_MAGIC, sizeof header->magic);
    header->version = OPLI_FILE_VERSION;
    header->fixed_bytes = offsetof(opli_wire_header, tail);
    opli_host_random(header->file_id, sizeof header->file_id);
    header->file_id[1] = image_id();
    header->start_real_ns = now.real_ns;
    header->process_start = opli_host_process_start();
    header->clock = opli_clock_kind();
    header->pid = (uint32_t)getpid();
    header->ppid = (uint32_t)getppid();
    header->limit_bytes = limit_bytes;
    header->ring_cells = (uint32_t)(ring_bytes / OPL_SLOT_BYTES);
    header->ring_offset = 0;
    header->ticks_per_second = opli_clock_ticks_per_second();
    opli_host_name(header->host, sizeof header->host);
    snprintf(header->recorder, sizeof header->recorder, "oplens %s", OPLI_VERSION);
    opli_host_program(header->program, sizeof header->program);
    opli_host_command(header->command, sizeof header->command);
    header->tail = OPLI_PAGE_BYTES;
}

static void seal_header(opli_wire_header *header)
{
    header->checksum = 0;
    header->checksum = opli_wire_sum(header, header->fixed_bytes);
}

static opl_status map_header(opli_tape *tape, opl_error *err)
{
    int failure = opli_room_reserve(tape->fd, 0, OPLI_PAGE_BYTES);
    if (failure)
        return opli_fail(err, OPL_IO, "%s: no room to record into: %s", tape->path, strerror(failure));
    tape->header = opli_file_map(tape->fd, 0, OPLI_PAGE_BYTES, NULL);
    if (!tape->header)
        return opli_fail(err, OPL_IO, "%s: cannot be mapped: %s; is it on a local file system?", tape->path,
                         strerror(errno));
    return OPL_OK;
}

static opl_status make_ring(opli_tape *tape, opl_error *err)
{
    uint32_t cells = tape->header->ring_cells;
    if (!cells)
        return OPL_OK;
    tape->cells = opli_pages_new(cells * sizeof *tape->cells);
    if (!tape->cells)
        return opli_fail(err, OPL_NOMEM, "%s: no memory for a ring of %u cells", tape->path, cells);
    tape->cell_count = cells;
    uint64_t size = OPLI_PAGE_BYTES + (uint64_t)cells * OPL_SLOT_BYTES;
    tape->header->ring_offset = opli_tape_block(tape, OPLI_BLOCK_RING, size, 0, false);
    if (!tape->header->ring_offset)
        return opli_fail(err, OPL_IO, "%s: no room on the disk for a ring of %llu bytes", tape->path,
                         (unsigned long long)size);
    return OPL_OK;
}

static bool same_file(const opli_tape *tape, int fd)
{
    struct stat info;
    return fd >= 0 && fstat(fd, &info) == 0 && info.st_dev == tape->device && info.st_ino == tape->inode;
}

/* The program opens and closes descriptors with low numbers. Up here ours is hardly ever taken for one of
 * its own, nor its own for ours: between our look at a descriptor and our write there is no lock. */
static int move_up(const opli_tape *tape, int fd)
{
    struct rlimit limit;
    bool known = fd >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0;
    int top = known && limit.rlim_cur < TOP_DESCRIPTOR ? (int)limit.rlim_cur : TOP_DESCRIPTOR;
    int high = known && top > LOW_DESCRIPTORS ? fcntl(fd, F_DUPFD_CLOEXEC, top - DESCRIPTORS_BELOW_TOP) : -1;
    if (high < 0)
        return fd;
    if (!tape->inode || same_file(tape, fd))
        close(fd);
    return high;
}

/* The lock tells other processes that the file is being written; the kernel frees it with us. False when
 * another process was faster: it has the lock, or has removed the file. */
static bool remember_file(opli_tape *tape)
{
    struct stat info = {0};
    bool locked = flock(tape->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    fstat(tape->fd, &info);
    tape->device = info.st_dev;
    tape->inode = info.st_ino;
    return locked && info.st_nlink > 0;
}

opl_status opli_tape_create(opli_tape *tape, const char *path, uint64_t limit_bytes, uint64_t ring_bytes,
                            opl_error *err)
{
    memset(tape, 0, sizeof *tape);
    snprintf(tape->path, sizeof tape->path, "%s", path);
    tape->limit_bytes = effective_limit(limit_bytes);
    tape->fd = move_up(tape, open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (tape->fd < 0)
        return opli_fail(err, OPL_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (!remember_file(tape)) {
        opli_tape_let_go(tape, false);
        errno = EEXIST;
        return opli_fail(err, OPL_IO, "%s: is being recorded into by another process", path);
    }

    opl_status st = map_header(tape, err);
    if (st == OPL_OK) {
        fill_header(tape->header, limit_bytes, ring_bytes);
        st = make_ring(tape, err);
    }
    if (st == OPL_OK) {
        seal_header(tape->header);
        __atomic_store_n(&tape->header->state, OPLI_FILE_RECORDING, __ATOMIC_RELEASE);
        return OPL_OK;
    }
    unlink(path);
    opli_tape_let_go(tape, false);
    return st;
}

static bool is_ours(const opli_wire_header *header)
{
    return memcmp(header->magic, OPLI_FILE_MAGIC, sizeof header->magic) == 0 && header->version == OPLI_FILE_VERSION &&
           header->state == OPLI_FILE_CLOSED && header->pid == (uint32_t)getpid() &&
           header->process_start == opli_host_process_start() && header->clock == opli_clock_kind() &&
           header->ring_cells == 0 && header->file_id[1] == image_id();
}

bool opli_tape_continue(opli_tape *tape, const char *path)
{
    struct stat info = {0};
    memset(tape, 0, sizeof *tape);
    snprintf(tape->path, sizeof tape->path, "%s", path);
    tape->fd = move_up(tape, open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (tape->fd < 0)
        return false;
    if (fstat(tape->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= OPLI_PAGE_BYTES)
        tape->header = opli_file_map(tape->fd, 0, OPLI_PAGE_BYTES, NULL);
    tape->device = info.st_dev;
    tape->inode = info.st_ino;
    if (tape->header && is_ours(tape->header) && tape->header->tail <= (uint64_t)info.st_size && remember_file(tape)) {
        tape->limit_bytes = effective_limit(tape->header->limit_bytes);
        __atomic_store_n(&tape->header->state, OPLI_FILE_RECORDING, __ATOMIC_RELEASE);
        return true;
    }
    opli_tape_let_go(tape, false);
    return false;
}

void opli_tape_finish(opli_tape *tape)
{
    int fd = opli_tape_fd(tape);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && (uint64_t)info.st_size < tape->header->tail)
        tape->header->tail = (uint64_t)info.st_size; /* the last reservation came to nothing */
    int untidy = fd >= 0 ? ftruncate(fd, (off_t)tape->header->tail) : 0;
    (void)untidy; /* what is behind the tail is not read */
    __atomic_store_n(&tape->header->state, OPLI_FILE_CLOSED, __ATOMIC_RELEASE);
}

static void let_go_pages(void *pages, size_t size, bool inside)
{
    if (pages && inside)
        opli_range_retire(pages, size);
    else
        opli_pages_free(pages, size);
}

void opli_tape_let_go(opli_tape *tape, bool inside)
{
    let_go_pages(tape->cells, tape->cell_count * sizeof *tape->cells, inside);
    let_go_pages(tape->header, OPLI_PAGE_BYTES, inside);
    tape->cells = NULL;
    tape->header = NULL;
    if (!inside && same_file(tape, tape->fd))
        close(tape->fd); /* and not what the program may have put in its place */
    tape->fd = -1;
}

/* ---- writing ---- */

#define CLOSED_AGAIN 5 /* a program that closes everything may do so twice, but not for ever */

/* What is not our file any more is left alone: somebody closed it, and its number may be theirs by now. */
static int open_again(const opli_tape *tape)
{
    for (int attempt = 0; attempt < CLOSED_AGAIN; attempt++) {
        struct stat info;
        bool there = stat(tape->path, &info) == 0 && info.st_dev == tape->device && info.st_ino == tape->inode;
        int again = there ? move_up(tape, open(tape->path, O_RDWR | O_CLOEXEC)) : -1;
        if (again < 0 || same_file(tape, again))
            return again;
    }
    return -1;
}

int opli_tape_fd(opli_tape *tape)
{
    int fd = tape->fd;
    if (same_file(tape, fd))
        return fd;
    int again = open_again(tape);
    if (again >= 0 && !atomic_compare_exchange_strong(&tape->fd, &fd, again)) {
        close(again);
        again = fd;
    }
    return again;
}

static int write_tape(opli_tape *tape, const void *bytes, uint64_t size, uint64_t offset)
{
    int failure = EBADF;
    for (int attempt = 0; failure == EBADF && attempt < CLOSED_AGAIN; attempt++) {
        int fd = opli_tape_fd(tape);
        failure = fd < 0 ? ENOENT : opli_write_at(fd, bytes, size, offset);
    }
    return failure;
}

static int make_room(opli_tape *tape, uint64_t offset, uint64_t size)
{
    int failure = EBADF;
    for (int attempt = 0; failure == EBADF && attempt < CLOSED_AGAIN; attempt++) {
        int fd = opli_tape_fd(tape);
        failure = fd < 0 ? ENOENT : opli_room_reserve(fd, offset, size);
    }
    return failure;
}

void *opli_tape_map(opli_tape *tape, uint64_t offset, size_t size, void *at)
{
    void *map = NULL;
    errno = EBADF;
    for (int attempt = 0; !map && errno == EBADF && attempt < CLOSED_AGAIN; attempt++) {
        int fd = opli_tape_fd(tape);
        if (fd < 0)
            break;
        map = opli_file_map(fd, offset, size, at);
    }
    return map;
}

/* The offset of `size` fresh bytes, or 0 when that would pass the limit. */
static uint64_t reserve(opli_tape *tape, uint64_t size, uint64_t align, uint64_t keep_back)
{
    uint64_t tail = __atomic_load_n(&tape->header->tail, __ATOMIC_RELAXED);
    uint64_t offset;
    do {
        offset = round_up(tail, align);
        if (offset + size > tape->limit_bytes || offset + size + keep_back > tape->limit_bytes)
            return 0;
    } while (!__atomic_compare_exchange_n(&tape->header->tail, &tail, offset + size, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return offset;
}

/* Gives a reservation back if nobody reserved after it. */
static void unreserve(opli_tape *tape, uint64_t offset, uint64_t size)
{
    uint64_t end = offset + size;
    __atomic_compare_exchange_n(&tape->header->tail, &end, offset, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void note_staged(opli_tape *tape, uint64_t offset, uint64_t size)
{
    uint64_t first = atomic_load(&tape->first_staged);
    while ((!first || offset < first) && !atomic_compare_exchange_weak(&tape->first_staged, &first, offset))
        ;
    atomic_fetch_add(&tape->staged_bytes, size);
}

uint64_t opli_tape_block(opli_tape *tape, uint32_t kind, uint64_t size, uint64_t owner, bool staged)
{
    uint64_t keep_back = staged ? atomic_load(&tape->staged_bytes) + size : 0;
    uint64_t offset = reserve(tape, size, OPLI_PAGE_BYTES, keep_back);
    if (!offset)
        return 0;
    opli_wire_block block = {.magic = OPLI_BLOCK_MAGIC, .kind = kind, .size = size, .owner = owner};
    block.sum = opli_wire_sum(&block, offsetof(opli_wire_block, sum));
    if (make_room(tape, offset, size) || write_tape(tape, &block, sizeof block, offset)) {
        unreserve(tape, offset, size);
        return 0;
    }
    if (staged)
        note_staged(tape, offset, size);
    return offset;
}

enum opli_drop opli_tape_append(opli_tape *tape, const void *chunks, uint64_t size, bool last)
{
    uint64_t offset = reserve(tape, size, OPLI_CHUNK_ALIGN, last ? 0 : atomic_load(&tape->staged_bytes));
    if (!offset)
        return OPLI_DROP_LIMIT;
    if (write_tape(tape, chunks, size, offset)) {
        opli_room_wipe(opli_tape_fd(tape), offset, size); /* the part that was written is dropped with the rest */
        unreserve(tape, offset, size);
        return OPLI_DROP_DISK;
    }
    atomic_fetch_add(&tape->appended_bytes, size);
    return OPLI_DROP_COUNT;
}

bool opli_tape_close_ranks(opli_tape *tape, uint64_t offset)
{
    static uint8_t buffer[16 * OPLI_PAGE_BYTES]; /* one thread at a time stops a recording */
    int fd = opli_tape_fd(tape);
    uint64_t size = tape->header->tail - offset, to = atomic_load(&tape->first_staged);
    if (fd < 0 || !to || to + size > offset)
        return false;
    for (uint64_t done = 0; done < size;) {
        uint64_t step = size - done < sizeof buffer ? size - done : sizeof buffer;
        if (pread(fd, buffer, step, (off_t)(offset + done)) != (ssize_t)step ||
            opli_write_at(fd, buffer, step, to + done))
            return false;
        done += step;
    }
    __atomic_store_n(&tape->header->tail, to + size, __ATOMIC_RELEASE);
    return true;
}

/* The next cell. One that a slower thread is still writing is passed by, or two chunks would end up in it. */
static opli_ring_cell *take_cell(opli_tape *tape)
{
    for (uint32_t attempt = 0; attempt < tape->cell_count; attempt++) {
        uint64_t number = __atomic_fetch_add(&tape->header->ring_next, 1, __ATOMIC_RELAXED);
        opli_ring_cell *cell = &tape->cells[number % tape->cell_count];
        if (!atomic_exchange(&cell->taken, true))
            return cell;
    }
    return NULL;
}

enum opli_drop opli_tape_ring(opli_tape *tape, const opli_wire_chunk *chunk, opli_entry_thread *thread)
{
    opli_ring_cell *cell = take_cell(tape);
    if (!cell)
        return OPLI_DROP_RING;
    if (cell->thread)
        __atomic_fetch_add(&cell->thread->dropped[OPLI_DROP_RING], cell->events, __ATOMIC_RELAXED);
    uint64_t index = (uint64_t)(cell - tape->cells);
    uint64_t offset = tape->header->ring_offset + OPLI_PAGE_BYTES + index * OPL_SLOT_BYTES;
    bool written = write_tape(tape, chunk, sizeof *chunk + chunk->size, offset) == 0;
    if (!written)
        opli_room_wipe(opli_tape_fd(tape), offset, sizeof *chunk); /* what was there is counted as gone */
    cell->thread = written ? thread : NULL;
    cell->events = chunk->events;
    atomic_store(&cell->taken, false);
    return written ? OPLI_DROP_COUNT : OPLI_DROP_DISK;
}
