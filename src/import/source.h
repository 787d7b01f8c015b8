/* source.h - the bytes of a file somebody wants read: mapped, and unpacked if it is gzip or zstd. */
#ifndef OPLI_IMPORT_SOURCE_H
#define OPLI_IMPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <oplens/error.h>

#include "base/array.h"

/* Is told now and then how far reading a file is, by whichever thread reads. */
typedef struct opli_progress {
    void (*tell)(void *context, const char *path, size_t done, size_t total); /* in whatever unit */
    void *context;
} opli_progress;

/* A thread that unpacks; see opli_source_open_growing(). */
typedef struct opli_unpacking opli_unpacking;

typedef struct opli_source {
    const char *path;  /* borrowed */
    const char *bytes; /* all of it; followed by nothing in particular */
    size_t size;
    size_t file_size;              /* before unpacking */
    void *map;                     /* the file, or NULL */
    opli_array unpacked;           /* or what was in it */
    const opli_progress *progress; /* may be NULL */
    opli_unpacking *unpacking;     /* or NULL: all of it is there */
    bool damaged;                  /* a compressed file that is cut or broken: what came before that is there */
} opli_source;

/* OPL_IO, OPL_FORMAT (empty, UTF-16, or a gzip or zstd file of which nothing can be unpacked), OPL_NOMEM,
 * OPL_UNSUPPORTED (this build cannot unpack that). A byte order mark is passed over. */
opl_status opli_source_open(opli_source *source, const char *path, opl_error *err);
opl_status opli_source_open_watched(opli_source *source, const char *path, const opli_progress *progress,
                                    opl_error *err);
void opli_source_close(opli_source *source);

/* The same, but a large packed file may still be growing: `size` is what is there so far, and more comes to
 * stand behind it. Nothing moves. */
opl_status opli_source_open_growing(opli_source *source, const char *path, const opli_progress *progress,
                                    opl_error *err);

/* Waits until more than `size` bytes are there, or there are no more; how many are there. */
size_t opli_source_wait(const opli_source *source, size_t size);

/* Waits for all of it. */
void opli_source_finish(opli_source *source);

/* Tells who watches, if somebody does. */
void opli_source_tell(const opli_source *source, size_t done, size_t total);

/* The bytes before `done` will not be needed again: the system is told, and who watches. */
void opli_source_forget(const opli_source *source, size_t done);

#endif
