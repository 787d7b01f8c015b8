/* chrome_tracks.c - which row of the store the pid and tid of an event stand for. */
#include "import/chrome_tracks.h"

#include <stdlib.h>
#include <string.h>

#include "import/chrome_words.h"

void opli_chrome_tracks_forget(opli_chrome_tracks *tracks) { memset(tracks->last, 0, sizeof tracks->last); }

static bool same_value(const opli_json_value *a, const opli_json_value *b)
{
    return a->length == b->length && a->kind == b->kind && (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

static const opli_device_page *page_of(const opli_chrome_tracks *tracks, int64_t pid)
{
    for (size_t i = 0; i < tracks->pages.count; i++)
        if (tracks->pages.items[i].pid == pid)
            return &tracks->pages.items[i];
    return NULL;
}

/* The process's queue of that number, on the device that make_track() would give it; OPLI_NO_ROW when there
 * is none. */
static uint32_t find_queue(const opli_chrome_tracks *tracks, uint32_t process, int64_t number)
{
    int64_t pid = tracks->texts->builder->trace->processes.items[process].pid;
    const opli_device_page *page = page_of(tracks, pid);
    uint32_t devices[] = {page ? page->device : OPLI_NO_ROW,
                          opli_builder_device_find(tracks->texts->builder, "gpu", pid),
                          opli_builder_device_find(tracks->texts->builder, "gpu", 0)};
    uint32_t row = OPLI_NO_ROW;
    for (size_t i = 0; row == OPLI_NO_ROW && i < sizeof devices / sizeof *devices; i++)
        if (devices[i] != OPLI_NO_ROW)
            row = opli_builder_track_find(tracks->texts->builder, OPLI_TRACK_QUEUE, process, devices[i], number);
    return row;
}

/* A name may have come before the track was known to be a device's. */
static uint32_t name_by_number(const opli_chrome_tracks *tracks, uint32_t process, int64_t number)
{
    const opli_track *rows = tracks->texts->builder->trace->tracks.items;
    uint32_t thread = opli_builder_track_find(tracks->texts->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, number);
    uint32_t queue = find_queue(tracks, process, number);
    if (thread != OPLI_NO_ROW && rows[thread].name)
        return rows[thread].name;
    return queue == OPLI_NO_ROW ? 0 : rows[queue].name;
}

static uint32_t make_track(opli_chrome_tracks *tracks, const opli_chrome_event *event, bool on_device)
{
    opli_trace *trace = tracks->texts->builder->trace;
    int64_t pid = opli_chrome_number(tracks->texts, &event->process),
            tid = opli_chrome_number(tracks->texts, &event->thread);
    const opli_device_page *page = page_of(tracks, pid);
    uint32_t process = page ? page->process : opli_builder_process(tracks->texts->builder, pid);
    int64_t gpu = event->thread.kind == OPLI_JSON_STRING && tid < 0 ? 0 : pid; /* RAF knows device 0 only */
    uint32_t device = page        ? page->device
                      : on_device ? opli_builder_device(tracks->texts->builder, "gpu", gpu)
                                  : OPLI_NO_ROW;
    on_device = on_device || page;
    uint32_t track = opli_builder_track(tracks->texts->builder, on_device ? OPLI_TRACK_QUEUE : OPLI_TRACK_THREAD,
                                        process, device, tid);
    if (tracks->texts->builder->out_of_memory)
        return 0;
    if (on_device && !trace->tracks.items[track].name)
        trace->tracks.items[track].name =
            name_by_number(tracks, opli_builder_process(tracks->texts->builder, pid), tid);
    if (event->process.kind == OPLI_JSON_STRING && pid < 0 && !trace->processes.items[process].name)
        trace->processes.items[process].name = opli_chrome_text(tracks->texts, &event->process);
    if (event->thread.kind == OPLI_JSON_STRING && tid < 0 && !trace->tracks.items[track].name)
        trace->tracks.items[track].name = opli_chrome_text(tracks->texts, &event->thread);
    return track;
}

uint32_t opli_chrome_track(opli_chrome_tracks *tracks, const opli_chrome_event *event, bool on_device)
{
    size_t length = event->thread.length;
    size_t place =
        length > 1 ? (size_t)event->thread.text[length - 1] + 7u * (size_t)event->thread.text[length - 2] : 0;
    opli_last_track *last = &tracks->last[on_device][place % OPLI_LAST_TRACKS];
    if (last->filled && same_value(&last->thread, &event->thread) && same_value(&last->process, &event->process))
        return last->track;
    *last = (opli_last_track){event->process, event->thread, true, make_track(tracks, event, on_device)};
    return last->track;
}

/* A device known from our own export, else a GPU. */
uint32_t opli_chrome_memory_device(opli_chrome_tracks *tracks, int64_t id)
{
    for (size_t i = 0; i < tracks->pages.count; i++) {
        uint32_t device = tracks->pages.items[i].device;
        if (device != OPLI_NO_ROW && tracks->texts->builder->trace->devices.items[device].id == id)
            return device;
    }
    return opli_builder_device(tracks->texts->builder, "gpu", id);
}

/* A flow of PyTorch's ends on a device's queue, which its own category does not say: where a thread
 * and a queue have the same numbers, it is the queue. */
uint32_t opli_chrome_flow_track(opli_chrome_tracks *tracks, const opli_chrome_event *event)
{
    int64_t pid = opli_chrome_number(tracks->texts, &event->process),
            tid = opli_chrome_number(tracks->texts, &event->thread);
    uint32_t process = page_of(tracks, pid) ? OPLI_NO_ROW : opli_builder_process_find(tracks->texts->builder, pid);
    uint32_t queue = process == OPLI_NO_ROW ? OPLI_NO_ROW : find_queue(tracks, process, tid);
    return queue == OPLI_NO_ROW ? opli_chrome_track(tracks, event, false) : queue;
}

void opli_chrome_name_tracks(opli_chrome_tracks *tracks, int64_t pid, int64_t tid, uint32_t text)
{
    opli_trace *trace = tracks->texts->builder->trace;
    uint32_t process = opli_builder_process(tracks->texts->builder, pid), queue = find_queue(tracks, process, tid);
    uint32_t thread = opli_builder_track_find(tracks->texts->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, tid);
    if (queue != OPLI_NO_ROW)
        trace->tracks.items[queue].name = text;
    if (thread == OPLI_NO_ROW && queue == OPLI_NO_ROW)
        thread = opli_builder_track(tracks->texts->builder, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, tid);
    if (thread != OPLI_NO_ROW && thread < trace->tracks.count)
        trace->tracks.items[thread].name = text;
}

static void add_page(opli_chrome_tracks *tracks, opli_device_page page)
{
    opli_device_page *added = opli_vector_add(&tracks->pages);
    if (added)
        *added = page;
    else
        tracks->texts->builder->out_of_memory = true;
    opli_chrome_tracks_forget(tracks);
}

void opli_chrome_add_page(opli_chrome_tracks *tracks, int64_t pid, int64_t process_pid, const char *kind, int64_t id)
{
    opli_builder *builder = tracks->texts->builder;
    uint32_t process = opli_builder_process(builder, process_pid);
    add_page(tracks, (opli_device_page){pid, process, opli_builder_device(builder, kind, id)});
}

/* TensorFlow and JAX: the pid of that name is a device, and its threads are queues. */
void opli_chrome_name_process(opli_chrome_tracks *tracks, int64_t pid, uint32_t text)
{
    opli_builder *builder = tracks->texts->builder;
    opli_chrome_device named;
    uint32_t process = opli_builder_process(builder, pid);
    if (builder->out_of_memory)
        return;
    builder->trace->processes.items[process].name = text;
    if (!opli_chrome_device_named(opli_trace_text(builder->trace, text), &named) || page_of(tracks, pid))
        return;
    uint32_t device = opli_builder_device(builder, named.kind, named.id);
    if (device == OPLI_NO_ROW)
        return;
    builder->trace->devices.items[device].name = text;
    add_page(tracks, (opli_device_page){pid, process, device});
}

void opli_chrome_tracks_free(opli_chrome_tracks *tracks) { opli_vector_free(&tracks->pages); }
