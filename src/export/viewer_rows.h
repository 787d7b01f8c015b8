/* viewer_rows.h - under which pid and tid a viewer shows each track.
 *
 * A viewer knows processes and threads, small whole numbers, and drops a span that partly overlaps
 * another of its thread. So a device becomes a process of its own, numbers that are too large or
 * taken are replaced, and every lane of a track becomes a thread of its own. */
#ifndef OPLI_EXPORT_VIEWER_ROWS_H
#define OPLI_EXPORT_VIEWER_ROWS_H

#include "base/vector.h"
#include "trace/trace.h"

/* What a viewer takes for a process: a process, or what it does on one device. */
typedef struct opli_viewer_page {
    uint32_t process, device; /* rows; device OPLI_NO_ROW: the host */
    int64_t pid;
    int64_t next_tid; /* free, and so are all above */
} opli_viewer_page;

typedef struct opli_viewer_row {
    uint32_t page;
    uint32_t lanes;     /* at least 1; 0 when nothing happened on the track, and the rest means nothing */
    int64_t tid;        /* of lane 0 */
    int64_t extra_tids; /* of lane 1; the others follow */
} opli_viewer_row;

typedef struct opli_viewer_rows {
    OPLI_VECTOR(opli_viewer_page) pages;
    OPLI_VECTOR(opli_viewer_row) rows; /* one for each track */
} opli_viewer_rows;

/* False when there is no memory; to be freed in any case. */
bool opli_viewer_rows_make(opli_viewer_rows *rows, const opli_trace *trace);
void opli_viewer_rows_free(opli_viewer_rows *rows);

static inline int64_t opli_viewer_pid(const opli_viewer_rows *rows, uint32_t track)
{
    return rows->pages.items[rows->rows.items[track].page].pid;
}

static inline int64_t opli_viewer_tid(const opli_viewer_rows *rows, uint32_t track, uint32_t lane)
{
    const opli_viewer_row *row = &rows->rows.items[track];
    return lane ? row->extra_tids + lane - 1 : row->tid;
}

/* The pid of a process's own page, or of one of its devices when it has none. */
int64_t opli_viewer_process_pid(const opli_viewer_rows *rows, uint32_t process);

#endif
