/* speedscope.c - a trace in speedscope's own format: one evented profile for each lane of a track. */
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "export/exporter.h"
#include "export/json_writer.h"
#include "export/span_walk.h"

#define NO_FRAME UINT32_MAX

typedef struct writing {
    opli_json_writer out;
    const opli_trace *trace;
    uint32_t *frames; /* of texts: their place in the list of frames, or NO_FRAME */
    int64_t first_ns, last_ns;
    bool any_profile, any_event;
} writing;

/* Numbers stay small when they count from the first span. */
static void find_extent(writing *w)
{
    const opli_spans *spans = &w->trace->spans;
    for (size_t row = 0; row < spans->count; row++) {
        int64_t end_ns = spans->start_ns[row] + spans->duration_ns[row];
        w->first_ns = row && w->first_ns < spans->start_ns[row] ? w->first_ns : spans->start_ns[row];
        w->last_ns = row && w->last_ns > end_ns ? w->last_ns : end_ns;
    }
}

/* Frames are numbered in the order they are first met. */
static void put_frames(writing *w)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id <= w->trace->strings.count; id++)
        w->frames[id] = NO_FRAME;
    opli_json_put(&w->out, "\"shared\": {\"frames\": [");
    for (size_t row = 0; row < w->trace->spans.count; row++) {
        uint32_t name = w->trace->spans.name[row];
        if (w->frames[name] != NO_FRAME)
            continue;
        opli_json_put(&w->out, count ? ",\n{\"name\": " : "\n{\"name\": ");
        opli_json_put_string(&w->out, w->trace, name);
        opli_json_put(&w->out, "}");
        w->frames[name] = count++;
        opli_json_writer_relieve(&w->out);
    }
    opli_json_put(&w->out, "]}");
}

static bool put_event(void *context, uint32_t row, bool begins)
{
    writing *w = context;
    const opli_spans *spans = &w->trace->spans;
    int64_t at_ns = spans->start_ns[row] + (begins ? 0 : spans->duration_ns[row]) - w->first_ns;
    opli_json_put(&w->out, w->any_event ? ",\n" : "\n");
    opli_json_put(&w->out, begins ? "{\"type\": \"O\", \"frame\": " : "{\"type\": \"C\", \"frame\": ");
    opli_json_put_integer(&w->out, w->frames[spans->name[row]]);
    opli_json_put(&w->out, ", \"at\": ");
    opli_json_put_integer(&w->out, at_ns);
    opli_json_put(&w->out, "}");
    w->any_event = true;
    return opli_json_writer_relieve(&w->out);
}

static void put_profile_name(writing *w, uint32_t track, uint32_t lane)
{
    const opli_track *t = &w->trace->tracks.items[track];
    opli_text name = {0};
    if (t->device != OPLI_NO_ROW) {
        opli_device_label(w->trace, t->device, &name);
        opli_text_addf(&name, ", ");
    }
    opli_track_label(w->trace, track, &name);
    if (lane)
        opli_text_addf(&name, " (overlapping, lane %u)", lane + 1);
    opli_json_put_text(&w->out, name.bytes ? name.bytes : "", name.length);
    w->out.buffer.cut |= name.cut;
    opli_text_free(&name);
}

static bool put_profile(writing *w, uint32_t track, uint32_t lane)
{
    opli_json_put(&w->out,
                  w->any_profile ? ",\n{\"type\": \"evented\", \"name\": " : "\n{\"type\": \"evented\", \"name\": ");
    put_profile_name(w, track, lane);
    opli_json_put(&w->out, ", \"unit\": \"nanoseconds\", \"startValue\": 0, \"endValue\": ");
    opli_json_put_integer(&w->out, w->last_ns - w->first_ns);
    opli_json_put(&w->out, ", \"events\": [");
    w->any_profile = true;
    w->any_event = false;
    bool on = opli_span_walk(w->trace, track, lane, put_event, w);
    opli_json_put(&w->out, "]}");
    return on;
}

static bool put_track(writing *w, uint32_t track)
{
    const opli_track *t = &w->trace->tracks.items[track];
    uint32_t lanes = 0;
    for (size_t row = t->first; row < t->end; row++)
        lanes = w->trace->spans.lane[row] >= lanes ? w->trace->spans.lane[row] + 1u : lanes;
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (!put_profile(w, track, lane))
            return false;
    return true;
}

static void put_all(writing *w)
{
    bool on = true;
    find_extent(w);
    opli_json_put(&w->out, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
                           "\"exporter\": \"oplens " OPLI_VERSION "\", \"name\": ");
    opli_json_put_string(&w->out, w->trace, w->trace->source);
    opli_json_put(&w->out, ", \"activeProfileIndex\": 0,\n");
    put_frames(w);
    opli_json_put(&w->out, ",\n\"profiles\": [");
    for (size_t track = 0; on && track < w->trace->tracks.count; track++)
        on = put_track(w, (uint32_t)track);
    opli_json_put(&w->out, "]}\n");
}

static opl_status write_speedscope(const opli_trace *trace, const opli_export_options *options, FILE *file,
                                   opl_error *err)
{
    writing w = {.out = {.file = file}, .trace = trace};
    (void)options;
    w.frames = calloc((size_t)trace->strings.count + 1, sizeof *w.frames);
    if (!w.frames)
        return opli_fail(err, OPL_NOMEM, "there was not enough memory to write the trace");
    put_all(&w);
    free(w.frames);
    return opli_json_writer_finish(&w.out, err);
}

const opli_exporter opli_exporter_speedscope = {
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .summary = "speedscope's format, for speedscope.app",
    .write = write_speedscope,
};
