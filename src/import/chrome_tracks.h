/* chrome_tracks.h - which row of the store the pid and tid of an event stand for. */
#ifndef OPLI_IMPORT_CHROME_TRACKS_H
#define OPLI_IMPORT_CHROME_TRACKS_H

#include "import/chrome_event.h"
#include "import/chrome_text.h"

#define OPLI_LAST_TRACKS 32u

/* The last row found for a pid and tid: events of a thread come in runs, or a few threads take turns. */
typedef struct opli_last_track {
    opli_json_value process, thread;
    bool filled;
    uint32_t track;
} opli_last_track;

/* A pid that stands for a device, as our own export, TensorFlow and JAX say it. */
typedef struct opli_device_page {
    int64_t pid;
    uint32_t process, device;
} opli_device_page;

/* Zeroed but for the texts, it is ready. */
typedef struct opli_chrome_tracks {
    opli_chrome_texts *texts;
    opli_last_track last[2][OPLI_LAST_TRACKS]; /* host, device; by the end of the thread's number */
    OPLI_VECTOR(opli_device_page) pages;
} opli_chrome_tracks;

/* The event's track. */
uint32_t opli_chrome_track(opli_chrome_tracks *tracks, const opli_chrome_event *event, bool on_device);

/* The track a flow's end is on. */
uint32_t opli_chrome_flow_track(opli_chrome_tracks *tracks, const opli_chrome_event *event);

/* The device of a memory event. */
uint32_t opli_chrome_memory_device(opli_chrome_tracks *tracks, int64_t id);

/* What metadata events say: a thread's name, a process's name, and that a pid is a device of that process. */
void opli_chrome_name_tracks(opli_chrome_tracks *tracks, int64_t pid, int64_t tid, uint32_t text);
void opli_chrome_name_process(opli_chrome_tracks *tracks, int64_t pid, uint32_t text);
void opli_chrome_add_page(opli_chrome_tracks *tracks, int64_t pid, int64_t process_pid, const char *kind, int64_t id);

/* The text that events were read from goes: what points into it is forgotten. */
void opli_chrome_tracks_forget(opli_chrome_tracks *tracks);
void opli_chrome_tracks_free(opli_chrome_tracks *tracks);

#endif
