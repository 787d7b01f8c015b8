/* recording_importer.c - our own recording is one format among others. */
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/text.h"
#include "import/arguments.h"
#include "import/clock_fit.h"
#include "import/events.h"
#include "import/importer.h"
#include "import/recording_sums.h"

typedef struct importing {
    const opli_source *source;
    opli_builder *builder;
    const opli_recording *recording;
    uint32_t process;
    uint32_t *texts; /* of sites: text ids, 0 until first used */
    opli_text scratch;
    uint64_t open_spans;
    uint64_t chunk; /* that of the last event */
    size_t chunks_begun;
} importing;

static bool recognises(const opli_source *source)
{
    return source->size >= 8 && memcmp(source->bytes, OPLI_FILE_MAGIC, 8) == 0;
}

static uint32_t text_of(importing *im, uint32_t site)
{
    const opli_site_row *row = opli_recording_site(im->recording, site);
    if (!row)
        return opli_builder_word(im->builder, "(name lost)");
    if (!im->texts[site])
        im->texts[site] = opli_builder_text(im->builder, row->name.bytes, row->name.length);
    return im->texts[site];
}

static uint8_t kind_of(const importing *im, uint32_t site)
{
    const opli_site_row *row = opli_recording_site(im->recording, site);
    return row && row->category < OPL_CAT_COUNT ? (uint8_t)row->category : OPL_CAT_LABEL;
}

/* ---- tracks ---- */

static uint32_t device_of(importing *im, uint32_t device)
{
    const opli_device_row *row = opli_recording_device(im->recording, device);
    char kind[64] = "device";
    if (!row)
        return OPLI_NO_ROW;
    if (row->kind.length && row->kind.length < sizeof kind) {
        memcpy(kind, row->kind.bytes, row->kind.length);
        kind[row->kind.length] = '\0';
    }
    uint32_t at = opli_builder_device(im->builder, kind, row->id);
    if (at != OPLI_NO_ROW)
        im->builder->trace->devices.items[at].name = opli_builder_text(im->builder, row->name.bytes, row->name.length);
    return at;
}

static uint32_t track_of(importing *im, const opli_event *event)
{
    opli_trace *trace = im->builder->trace;
    const opli_track_row *declared = event->track ? opli_recording_track(im->recording, event->track) : NULL;
    uint32_t track;
    if (declared) {
        uint32_t device = device_of(im, declared->device);
        track = opli_builder_track(im->builder, OPLI_TRACK_QUEUE, im->process, device, declared->id);
        if (!trace->tracks.items[track].name)
            trace->tracks.items[track].name =
                opli_builder_text(im->builder, declared->name.bytes, declared->name.length);
        return track;
    }
    const opli_thread_row *thread = opli_recording_thread(im->recording, event->thread);
    track = opli_builder_track(im->builder, OPLI_TRACK_THREAD, im->process, OPLI_NO_ROW, thread ? thread->tid : 0);
    if (thread && !trace->tracks.items[track].name)
        trace->tracks.items[track].name = opli_builder_text(im->builder, thread->name.bytes, thread->name.length);
    return track;
}

/* ---- arguments ---- */

static void add_integers(importing *im, uint32_t key, const opli_argument *argument)
{
    opli_text_reset(&im->scratch);
    for (uint32_t at = 0; at + sizeof(int64_t) <= argument->size; at += sizeof(int64_t)) {
        int64_t value;
        memcpy(&value, argument->bytes + at, sizeof value);
        opli_text_addf(&im->scratch, "%s%lld", at ? ", " : "[", (long long)value);
    }
    opli_text_addf(&im->scratch, "%s", im->scratch.length ? "]" : "[]");
    uint32_t text = opli_builder_text(im->builder, im->scratch.bytes, im->scratch.length);
    opli_builder_arg(im->builder, key, OPLI_ARG_JSON, text);
}

static const char *dtype_word(uint32_t dtype)
{
#define WORD(id, word) word,
    static const char *const words[] = {OPL_DTYPE_LIST(WORD)};
#undef WORD
    return dtype < OPL_DTYPE_COUNT ? words[dtype] : "unknown";
}

static void add_tensors(importing *im, uint32_t key, const opli_argument *argument)
{
    opli_tensor_view tensor;
    size_t at = 0;
    opli_text_reset(&im->scratch);
    opli_text_addf(&im->scratch, "[");
    for (bool first = true; opli_argument_tensor(argument, &at, &tensor); first = false) {
        opli_text_addf(&im->scratch, "%s{\"name\": ", first ? "" : ", ");
        opli_text_add_json(&im->scratch, tensor.name.bytes, tensor.name.length);
        opli_text_addf(&im->scratch, ", \"dtype\": \"%s\", \"shape\": [", dtype_word(tensor.dtype));
        for (uint32_t i = 0; i < tensor.rank; i++) {
            int64_t dim;
            memcpy(&dim, tensor.dims + i * sizeof dim, sizeof dim);
            opli_text_addf(&im->scratch, "%s%lld", i ? ", " : "", (long long)dim);
        }
        opli_text_addf(&im->scratch, "]}");
    }
    opli_text_addf(&im->scratch, "]");
    uint32_t text = opli_builder_text(im->builder, im->scratch.bytes, im->scratch.length);
    opli_builder_arg(im->builder, key, OPLI_ARG_JSON, text);
}

static void add_argument(importing *im, const opli_argument *argument)
{
    uint32_t key = text_of(im, argument->key);
    switch (argument->tag) {
    case OPLI_TAG_ARG_REAL: opli_builder_arg(im->builder, key, OPLI_ARG_REAL, argument->value); break;
    case OPLI_TAG_ARG_BOOL: opli_builder_arg(im->builder, key, OPLI_ARG_BOOL, argument->value); break;
    case OPLI_TAG_ARG_INTS: add_integers(im, key, argument); break;
    case OPLI_TAG_ARG_TENSORS: add_tensors(im, key, argument); break;
    case OPLI_TAG_ARG_TEXT:
        opli_builder_arg(im->builder, key, OPLI_ARG_TEXT,
                         opli_builder_text(im->builder, (const char *)argument->bytes, argument->size));
        break;
    default: opli_builder_arg(im->builder, key, OPLI_ARG_INT, argument->value);
    }
}

/* ---- events ---- */

static void add_span(importing *im, const opli_event *event, uint32_t track)
{
    im->open_spans += event->open;
    opli_span_draft draft = {.start_ns = event->start_ns,
                             .duration_ns = event->duration_ns < 0 ? 0 : event->duration_ns,
                             .name = text_of(im, event->site),
                             .track = track,
                             .kind = kind_of(im, event->site),
                             .flags = event->open ? OPLI_SPAN_OPEN : 0};
    if (event->duration_ns < 0) {
        draft.flags |= OPLI_SPAN_REPAIRED;
        opli_builder_note(im->builder, "spans end before they start: they were given no length", 1, false);
    }
    opli_builder_span(im->builder, &draft);
}

static void add_memory(importing *im, const opli_event *event, uint32_t track)
{
    opli_builder_memory(im->builder, (opli_memory_row){.time_ns = event->start_ns,
                                                       .size_bytes = event->as.memory.size_bytes,
                                                       .address = event->as.memory.address,
                                                       .used_bytes = event->as.memory.used_bytes,
                                                       .allocated_bytes = event->as.memory.allocated_bytes,
                                                       .track = track,
                                                       .device = device_of(im, event->as.memory.device)});
}

static bool add_event(void *context, const opli_event *event)
{
    importing *im = context;
    uint32_t track = track_of(im, event);
    if (event->chunk != im->chunk || !im->chunks_begun) {
        im->chunk = event->chunk;
        opli_source_tell(im->source, im->chunks_begun++, im->recording->chunks.count);
    }
    for (uint32_t i = 0; i < event->argument_count; i++)
        add_argument(im, &event->arguments[i]);
    switch (event->kind) {
    case OPLI_EVENT_SPAN: add_span(im, event, track); break;
    case OPLI_EVENT_INSTANT:
        opli_builder_instant(im->builder, (opli_instant_row){.time_ns = event->start_ns,
                                                             .track = track,
                                                             .name = text_of(im, event->site),
                                                             .kind = kind_of(im, event->site)});
        break;
    case OPLI_EVENT_COUNTER: {
        double value = event->as.counter.real ? event->as.counter.number : (double)event->as.counter.integer;
        opli_builder_counter(im->builder, (opli_counter_row){.time_ns = event->start_ns,
                                                             .value = value,
                                                             .process = im->process,
                                                             .name = text_of(im, event->site)});
        break;
    }
    case OPLI_EVENT_MEMORY: add_memory(im, event, track); break;
    default:
        opli_builder_flow(im->builder, (opli_flow_row){.time_ns = event->start_ns,
                                                       .id = event->as.flow.id,
                                                       .track = track,
                                                       .phase = (uint8_t)event->as.flow.phase});
    }
    return !im->builder->out_of_memory;
}

/* ---- sums ---- */

static void add_sums(importing *im, const opli_site_sum *sums)
{
    for (uint32_t site = 0; site < im->recording->sites.count; site++)
        if (sums[site].count || sums[site].self_ns)
            opli_builder_sum(im->builder, &(opli_name_sum){.name = text_of(im, site),
                                                           .count = sums[site].count,
                                                           .total_ns = sums[site].total_ns,
                                                           .self_ns = sums[site].self_ns});
}

/* Adds up the spans without storing them; false when that cannot be done. */
static bool sum_up(importing *im, opli_recording *recording)
{
    size_t count = recording->sites.count + 1;
    opli_site_fact *facts = calloc(count, sizeof *facts);
    opli_site_sum *sums = calloc(count, sizeof *sums);
    for (uint32_t site = 0; facts && site + 1 < count; site++)
        facts[site] = (opli_site_fact){text_of(im, site), kind_of(im, site) == OPL_CAT_OP};
    bool done = facts && sums && opli_recording_sum(recording, facts, sums);
    if (done)
        add_sums(im, sums);
    free(facts);
    free(sums);
    return done;
}

/* ---- the file ---- */

static void add_notes(importing *im)
{
    const opli_recording *recording = im->recording;
    for (uint32_t reason = 0; reason < OPLI_DROP_COUNT; reason++) {
        uint64_t count = recording->header.dropped[reason];
        for (size_t i = 0; i < recording->threads.count; i++)
            count += recording->threads.items[i].dropped[reason];
        opli_text_reset(&im->scratch);
        opli_text_addf(&im->scratch, "events were dropped while recording: %s", opli_drop_sentence(reason));
        opli_builder_note(im->builder, im->scratch.bytes, count, true);
    }
    opli_builder_note(im->builder, "spans were open when the recording ended", im->open_spans, false);
    if (recording->cut[0])
        opli_builder_note(im->builder, recording->cut, 1, false);
    if (recording->damage_count)
        opli_builder_note(im->builder, recording->damage, recording->damage_count, true);
}

static void add_facts(importing *im)
{
    for (size_t i = 0; i < im->recording->metadata.count; i++) {
        const opli_metadata_row *row = &im->recording->metadata.items[i];
        opli_builder_fact(im->builder, opli_builder_text(im->builder, row->key.bytes, row->key.length),
                          opli_builder_text(im->builder, row->value.bytes, row->value.length));
    }
}

static opl_status read_recording(const opli_source *source, opli_builder *builder, opl_error *err)
{
    opli_recording recording;
    opl_status st = opli_recording_open_bytes(&recording, source->bytes, source->size, source->path, err);
    if (st != OPL_OK)
        return st;
    importing im = {.source = source, .builder = builder, .recording = &recording};
    opli_array texts = {0};
    if (opli_array_reserve(&texts, (recording.sites.count + 1) * sizeof *im.texts)) {
        im.texts = texts.items;
        im.process = opli_builder_process(builder, recording.header.pid);
        builder->trace->processes.items[im.process].name = opli_builder_word(builder, recording.header.program);
        builder->trace->source = opli_builder_word(builder, "oplens recording");
        builder->trace->base_real_ns = opli_clock_fit_real_ns(&recording, 0);
        if (!builder->sums_will_do || !sum_up(&im, &recording))
            st = opli_events_visit(&recording, add_event, &im);
        add_notes(&im);
        add_facts(&im);
    }
    if (!im.texts || st == OPL_NOMEM)
        st = opli_fail(err, OPL_NOMEM, "%s: not enough memory for what is in it", source->path);
    opli_text_free(&im.scratch);
    opli_array_free(&texts);
    opli_recording_close(&recording);
    return st;
}

const opli_importer opli_importer_recording = {
    .name = "recording",
    .summary = "our own .opl recordings",
    .recognises = recognises,
    .read = read_recording,
};
