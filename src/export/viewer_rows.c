/* viewer_rows.c - under which pid and tid a viewer shows each track. */
#include "export/viewer_rows.h"

#include <stdlib.h>

#include "base/key_map.h"

/* Viewers keep pids and tids in 32 bits. */
static bool is_small(int64_t number) { return number >= 0 && number <= INT32_MAX; }

static bool is_taken(const opli_viewer_rows *rows, int64_t pid)
{
    for (size_t i = 0; i < rows->pages.count; i++)
        if (rows->pages.items[i].pid == pid)
            return true;
    return false;
}

/* The number that was wished for, or one above all that are taken. */
static int64_t free_pid(const opli_viewer_rows *rows, int64_t wished)
{
    int64_t highest = 0;
    if (is_small(wished) && !is_taken(rows, wished))
        return wished;
    for (size_t i = 0; i < rows->pages.count; i++)
        highest = rows->pages.items[i].pid > highest ? rows->pages.items[i].pid : highest;
    return highest + 1;
}

static uint32_t find_page(const opli_viewer_rows *rows, uint32_t process, uint32_t device)
{
    for (size_t i = 0; i < rows->pages.count; i++)
        if (rows->pages.items[i].process == process && rows->pages.items[i].device == device)
            return (uint32_t)i;
    return OPLI_NO_ROW;
}

static bool add_page(opli_viewer_rows *rows, uint32_t process, uint32_t device, int64_t wished_pid)
{
    opli_viewer_page page = {process, device, free_pid(rows, wished_pid), 1};
    opli_viewer_page *added = opli_vector_add(&rows->pages);
    if (added)
        *added = page;
    return added != NULL;
}

static bool make_page(opli_viewer_rows *rows, uint32_t process, uint32_t device, int64_t wished_pid)
{
    return find_page(rows, process, device) != OPLI_NO_ROW || add_page(rows, process, device, wished_pid);
}

/* A track that was only ever named is not shown: traces name pids that turn out to be devices. */
static void mark_used(const opli_trace *trace, bool *used)
{
    for (size_t i = 0; i < trace->tracks.count; i++)
        used[i] = trace->tracks.items[i].first < trace->tracks.items[i].end;
    for (size_t i = 0; i < trace->instants.count; i++)
        used[trace->instants.items[i].track] = true;
    for (size_t i = 0; i < trace->memory.count; i++)
        used[trace->memory.items[i].track] = true;
    for (size_t i = 0; i < trace->flows.count; i++)
        used[trace->flows.items[i].track] = true;
}

/* Processes with anything on the host come first, so that they keep their pids; then a device has
 * its id where that is free. */
static bool make_pages(opli_viewer_rows *rows, const opli_trace *trace, const bool *used)
{
    const opli_process *processes = trace->processes.items;
    bool ok = true;
    for (size_t i = 0; ok && i < trace->tracks.count; i++) {
        uint32_t process = trace->tracks.items[i].process;
        if (used[i] && trace->tracks.items[i].device == OPLI_NO_ROW)
            ok = make_page(rows, process, OPLI_NO_ROW, processes[process].pid);
    }
    for (size_t i = 0; ok && i < trace->counters.count; i++) {
        uint32_t process = trace->counters.items[i].process;
        ok = make_page(rows, process, OPLI_NO_ROW, processes[process].pid);
    }
    for (size_t i = 0; ok && i < trace->tracks.count; i++) {
        const opli_track *track = &trace->tracks.items[i];
        if (used[i] && track->device != OPLI_NO_ROW)
            ok = make_page(rows, track->process, track->device, trace->devices.items[track->device].id);
    }
    return ok;
}

static uint32_t count_lanes(const opli_trace *trace, const opli_track *track)
{
    uint32_t highest = 0;
    for (size_t row = track->first; row < track->end; row++)
        highest = trace->spans.lane[row] > highest ? trace->spans.lane[row] : highest;
    return highest + 1;
}

/* One row a track. Those whose number is free get it; `next_tid` ends above them all. */
static bool make_rows(opli_viewer_rows *rows, const opli_trace *trace, const bool *used, opli_key_map *taken)
{
    for (size_t i = 0; i < trace->tracks.count; i++) {
        const opli_track *track = &trace->tracks.items[i];
        opli_viewer_row *row = opli_vector_add(&rows->rows);
        if (!row)
            return false;
        *row = (opli_viewer_row){0, 0, -1, -1};
        if (!used[i])
            continue;
        row->page = find_page(rows, track->process, track->device);
        row->lanes = count_lanes(trace, track);
        uint32_t before = taken->count;
        opli_viewer_page *page = &rows->pages.items[row->page];
        if (!is_small(track->number))
            continue;
        uint32_t number = opli_key_map_add(taken, (opli_key){{row->page, (uint64_t)track->number, 0}});
        if (number == OPLI_KEY_NONE)
            return false;
        if (number == before)
            row->tid = track->number;
        if (page->next_tid <= track->number)
            page->next_tid = track->number + 1;
    }
    return true;
}

static void number_the_rest(opli_viewer_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        opli_viewer_row *row = &rows->rows.items[i];
        if (!row->lanes)
            continue;
        opli_viewer_page *page = &rows->pages.items[row->page];
        if (row->tid < 0)
            row->tid = page->next_tid++;
        row->extra_tids = page->next_tid;
        page->next_tid += row->lanes - 1;
    }
}

bool opli_viewer_rows_make(opli_viewer_rows *rows, const opli_trace *trace)
{
    opli_key_map taken = {0};
    *rows = (opli_viewer_rows){{0}, {0}};
    bool *used = calloc(trace->tracks.count + 1, sizeof *used);
    if (used)
        mark_used(trace, used);
    bool ok = used && make_pages(rows, trace, used) && make_rows(rows, trace, used, &taken);
    opli_key_map_free(&taken);
    free(used);
    if (ok)
        number_the_rest(rows);
    return ok;
}

void opli_viewer_rows_free(opli_viewer_rows *rows)
{
    opli_vector_free(&rows->pages);
    opli_vector_free(&rows->rows);
}

int64_t opli_viewer_process_pid(const opli_viewer_rows *rows, uint32_t process)
{
    uint32_t page = find_page(rows, process, OPLI_NO_ROW);
    for (size_t i = 0; page == OPLI_NO_ROW && i < rows->pages.count; i++)
        if (rows->pages.items[i].process == process)
            page = (uint32_t)i;
    return page == OPLI_NO_ROW ? 0 : rows->pages.items[page].pid;
}
