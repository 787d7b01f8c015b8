/* recording.c - our own trace file, opened for reading. */
#define _GNU_SOURCE
#include "import/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "import/chunk_finder.h"
#include "import/journal_reader.h"

void opli_recording_damaged(opli_recording *recording, const char *format, ...)
{
    if (recording->damage_count++)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(recording->damage, sizeof recording->damage, format, args);
    va_end(args);
}

/* ---- the header ---- */

static opl_status check_magic(const opli_wire_header *header, size_t size, const char *name, opl_error *err)
{
    size_t shown = size < sizeof header->magic ? size : sizeof header->magic;
    if (memcmp(header->magic, OPLI_FILE_MAGIC, shown) != 0)
        return opli_fail(err, OPL_FORMAT, "%s: is not an oplens recording; is it the right file?", name);
    if (size < OPLI_PAGE_BYTES)
        return opli_fail(err, OPL_FORMAT, "%s: ends at byte %zu, inside the header; was it cut off?", name, size);
    if (header->version > OPLI_FILE_VERSION)
        return opli_fail(err, OPL_VERSION, "%s: has format version %u and this oplens reads up to %u; use a newer one",
                         name, header->version, OPLI_FILE_VERSION);
    return OPL_OK;
}

static void end_texts(opli_wire_header *header)
{
    header->host[sizeof header->host - 1] = '\0';
    header->recorder[sizeof header->recorder - 1] = '\0';
    header->program[sizeof header->program - 1] = '\0';
    header->command[sizeof header->command - 1] = '\0';
}

static opl_status read_header(opli_recording *recording, const char *name, opl_error *err)
{
    opli_wire_header *header = &recording->header;
    if (!recording->size)
        return opli_fail(err, OPL_FORMAT, "%s: is empty; nothing was recorded", name);
    memcpy(header, recording->bytes, recording->size < sizeof *header ? recording->size : sizeof *header);
    opl_status st = check_magic(header, recording->size, name, err);
    if (st != OPL_OK)
        return st;
    if (!header->state && !header->checksum)
        return opli_fail(err, OPL_FORMAT, "%s: the program ended before the recording had begun", name);
    uint64_t checksum = header->checksum;
    header->checksum = 0;
    bool sound = header->version && header->fixed_bytes == offsetof(opli_wire_header, tail) &&
                 opli_wire_sum(header, header->fixed_bytes) == checksum;
    if (!sound)
        return opli_fail(err, OPL_FORMAT, "%s: the header is damaged; was it copied whole?", name);
    end_texts(header);
    if (header->state != OPLI_FILE_RECORDING && header->state != OPLI_FILE_CLOSED)
        opli_recording_damaged(recording, "the file's state is %u, which does not exist", header->state);
    return OPL_OK;
}

/* ---- how it ended ---- */

static void judge_end(opli_recording *recording, bool writer_is_alive)
{
    const opli_wire_header *header = &recording->header;
    if (header->state == OPLI_FILE_CLOSED) {
        if (recording->size < header->tail)
            opli_recording_damaged(recording, "the file ends at byte %zu of %llu; was it cut off?", recording->size,
                                   (unsigned long long)header->tail);
        return;
    }
    if (writer_is_alive)
        snprintf(recording->cut, sizeof recording->cut, "process %u is still recording", header->pid);
    else
        snprintf(recording->cut, sizeof recording->cut,
                 "process %u ended without closing the file; all it had recorded is here", header->pid);
}

/* ---- opening ---- */

static opl_status load(opli_recording *recording, const char *name, bool writer_is_alive, opl_error *err)
{
    opl_status st = read_header(recording, name, err);
    if (st == OPL_OK) {
        judge_end(recording, writer_is_alive);
        st = opli_recording_walk(recording);
    }
    if (st == OPL_OK)
        st = opli_journal_settle(recording);
    if (st == OPL_OK)
        st = opli_chunks_settle(recording);
    if (st == OPL_NOMEM)
        opli_fail(err, st, "%s: not enough memory to open it", name);
    if (st != OPL_OK)
        opli_recording_close(recording);
    return st;
}

opl_status opli_recording_open_bytes(opli_recording *recording, const void *bytes, size_t size, const char *name,
                                     opl_error *err)
{
    memset(recording, 0, sizeof *recording);
    recording->bytes = bytes;
    recording->size = size;
    return load(recording, name, false, err);
}

static opl_status map_file(opli_recording *recording, const char *path, int fd, opl_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return opli_fail(err, OPL_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return opli_fail(err, OPL_IO, "%s: is a directory", path);
    if (!S_ISREG(info.st_mode))
        return opli_fail(err, OPL_IO, "%s: is not a regular file; save it as one first", path);
    recording->size = (size_t)info.st_size;
    if (!recording->size)
        return OPL_OK;
    void *map = mmap(NULL, recording->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return opli_fail(err, OPL_IO, "%s: cannot be mapped: %s", path, strerror(errno));
    recording->bytes = map;
    recording->mapped = true;
    return OPL_OK;
}

opl_status opli_recording_open(opli_recording *recording, const char *path, opl_error *err)
{
    memset(recording, 0, sizeof *recording);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return opli_fail(err, OPL_IO, "%s: cannot be opened: %s", path, strerror(errno));
    bool writer_is_alive = flock(fd, LOCK_SH | LOCK_NB) != 0;
    opl_status st = map_file(recording, path, fd, err);
    close(fd);
    return st == OPL_OK ? load(recording, path, writer_is_alive, err) : st;
}

void opli_recording_close(opli_recording *recording)
{
    if (recording->mapped)
        munmap((void *)(uintptr_t)recording->bytes, recording->size);
    opli_vector_free(&recording->sites);
    opli_vector_free(&recording->threads);
    opli_vector_free(&recording->devices);
    opli_vector_free(&recording->tracks);
    opli_vector_free(&recording->anchors);
    opli_vector_free(&recording->clocks);
    opli_vector_free(&recording->metadata);
    opli_vector_free(&recording->controls);
    opli_vector_free(&recording->chunks);
    memset(recording, 0, sizeof *recording);
}

/* ---- looking things up ---- */

const opli_site_row *opli_recording_site(const opli_recording *recording, uint32_t id)
{
    if (id >= recording->sites.count || !recording->sites.items[id].id)
        return NULL;
    return &recording->sites.items[id];
}

/* Rows are sorted by a number that starts at `offset` in them. */
static const void *find_row(const void *rows, size_t count, size_t row_bytes, size_t offset, uint32_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint8_t *row = (const uint8_t *)rows + middle * row_bytes;
        uint32_t here;
        memcpy(&here, row + offset, sizeof here);
        if (here == number)
            return row;
        if (here < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const opli_thread_row *opli_recording_thread(const opli_recording *recording, uint32_t ordinal)
{
    return find_row(recording->threads.items, recording->threads.count, sizeof(opli_thread_row),
                    offsetof(opli_thread_row, ordinal), ordinal);
}

const opli_track_row *opli_recording_track(const opli_recording *recording, uint32_t id)
{
    return find_row(recording->tracks.items, recording->tracks.count, sizeof(opli_track_row),
                    offsetof(opli_track_row, id), id);
}

const opli_device_row *opli_recording_device(const opli_recording *recording, uint32_t id)
{
    return find_row(recording->devices.items, recording->devices.count, sizeof(opli_device_row),
                    offsetof(opli_device_row, id), id);
}

/* ---- words ---- */

const char *opli_category_word(uint32_t category)
{
#define WORD(id, word, level) word,
    static const char *const words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD
    return category < OPL_CAT_COUNT ? words[category] : category == OPL_SITE_KEY ? "key" : "unknown";
}

const char *opli_control_word(uint64_t control)
{
#define WORD(id, word) word,
    static const char *const words[] = {OPLI_CONTROL_LIST(WORD)};
#undef WORD
    return control < OPLI_CONTROL_COUNT ? words[control] : "unknown";
}

#define WORD(id, word, sentence) {word, sentence},
static const struct {
    const char *word, *sentence;
} drops[] = {OPLI_DROP_LIST(WORD)};
#undef WORD

const char *opli_drop_word(uint32_t reason) { return reason < OPLI_DROP_COUNT ? drops[reason].word : "unknown"; }

const char *opli_drop_sentence(uint32_t reason)
{
    return reason < OPLI_DROP_COUNT ? drops[reason].sentence : "for a reason this version does not know";
}
