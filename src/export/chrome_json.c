/* chrome_json.c - a trace as Chrome trace JSON, for Perfetto, chrome://tracing and TensorBoard.
 *
 * The object form, one event a line, in PyTorch's spelling where it has one: a device is a process
 * whose label names it, memory events are instants called [memory], times count from
 * baseTimeNanoseconds. Microseconds have three decimals, so that no nanosecond is lost. */
#include <string.h>

#include "export/exporter.h"
#include "export/json_writer.h"
#include "export/span_walk.h"
#include "export/viewer_rows.h"

typedef struct writing {
    opli_json_writer out;
    const opli_trace *trace;
    const opli_export_options *options;
    opli_viewer_rows rows;
    bool any; /* an event stands there already */
    opli_text scratch;
} writing;

static const char *kind_word(uint8_t kind)
{
#define WORD(id, word, level) word,
    static const char *const words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD
    return kind < OPL_CAT_COUNT ? words[kind] : "label";
}

/* ---- parts of events ---- */

static void put_scratch(writing *w)
{
    opli_json_put_text(&w->out, w->scratch.bytes ? w->scratch.bytes : "", w->scratch.length);
}

static void begin_event(writing *w, const char *phase, int64_t pid, int64_t tid)
{
    opli_json_put(&w->out, w->any ? ",\n{\"ph\": \"" : "\n{\"ph\": \"");
    opli_json_put(&w->out, phase);
    opli_json_put(&w->out, "\", \"pid\": ");
    opli_json_put_integer(&w->out, pid);
    opli_json_put(&w->out, ", \"tid\": ");
    opli_json_put_integer(&w->out, tid);
    w->any = true;
}

static void put_time(writing *w, int64_t ns)
{
    opli_json_put(&w->out, ", \"ts\": ");
    opli_json_put_us(&w->out, ns);
}

/* The source's own word for what it is, or else ours. */
static void put_name(writing *w, uint32_t name, uint32_t category, uint8_t kind)
{
    opli_json_put(&w->out, ", \"cat\": ");
    if (category)
        opli_json_put_string(&w->out, w->trace, category);
    else
        opli_json_put_text(&w->out, kind_word(kind), strlen(kind_word(kind)));
    opli_json_put(&w->out, ", \"name\": ");
    opli_json_put_string(&w->out, w->trace, name);
}

static void put_args(writing *w, uint32_t first, uint32_t count, bool open)
{
    if (!count && !open)
        return;
    opli_json_put(&w->out, open ? ", \"args\": {\"open\": true" : ", \"args\": {");
    for (uint32_t i = 0; i < count; i++) {
        opli_json_put(&w->out, i || open ? ", " : "");
        opli_json_put_string(&w->out, w->trace, opli_args_key(&w->trace->args, first + i));
        opli_json_put(&w->out, ": ");
        opli_json_put_arg(&w->out, w->trace, first + i);
    }
    opli_json_put(&w->out, "}");
}

static bool end_event(writing *w)
{
    opli_json_put(&w->out, "}");
    return opli_json_writer_relieve(&w->out);
}

/* ---- who is who ---- */

static void begin_metadata(writing *w, int64_t pid, int64_t tid, const char *what)
{
    begin_event(w, "M", pid, tid);
    opli_json_put(&w->out, ", \"ts\": 0, \"name\": \"");
    opli_json_put(&w->out, what);
    opli_json_put(&w->out, "\", \"args\": {");
}

static void put_metadata_text(writing *w, int64_t pid, int64_t tid, const char *what, const char *key)
{
    begin_metadata(w, pid, tid, what);
    opli_json_put(&w->out, key);
    put_scratch(w);
    opli_json_put(&w->out, "}}");
}

static void put_sort_index(writing *w, int64_t pid, int64_t tid, const char *what, int64_t index)
{
    begin_metadata(w, pid, tid, what);
    opli_json_put(&w->out, "\"sort_index\": ");
    opli_json_put_integer(&w->out, index);
    opli_json_put(&w->out, "}}");
}

/* Viewers pass over this one; a reader of ours learns which device the pid stands for. */
static void put_page_device(writing *w, const opli_viewer_page *page)
{
    const opli_device *device = &w->trace->devices.items[page->device];
    begin_metadata(w, page->pid, 0, "oplens_device");
    opli_json_put(&w->out, "\"kind\": ");
    opli_json_put_string(&w->out, w->trace, device->kind);
    opli_json_put(&w->out, ", \"id\": ");
    opli_json_put_integer(&w->out, device->id);
    opli_json_put(&w->out, ", \"process\": ");
    opli_json_put_integer(&w->out, opli_viewer_process_pid(&w->rows, page->process));
    opli_json_put(&w->out, "}}");
}

#define DEVICES_BELOW 5000000 /* as PyTorch sorts them */

static void put_page(writing *w, uint32_t number)
{
    const opli_viewer_page *page = &w->rows.pages.items[number];
    const opli_process *process = &w->trace->processes.items[page->process];
    bool on_host = page->device == OPLI_NO_ROW;
    uint32_t device_name = on_host ? 0 : w->trace->devices.items[page->device].name;
    opli_text_reset(&w->scratch);
    opli_text_addf(&w->scratch, "%s", opli_trace_text(w->trace, process->name));
    put_metadata_text(w, page->pid, 0, "process_name", "\"name\": ");
    opli_text_reset(&w->scratch);
    if (on_host)
        opli_text_addf(&w->scratch, "%s", process->labels ? opli_trace_text(w->trace, process->labels) : "CPU");
    else
        opli_device_label(w->trace, page->device, &w->scratch);
    if (device_name)
        opli_text_addf(&w->scratch, ", %s", opli_trace_text(w->trace, device_name));
    put_metadata_text(w, page->pid, 0, "process_labels", "\"labels\": ");
    put_sort_index(w, page->pid, 0, "process_sort_index", on_host ? number : DEVICES_BELOW + number);
    if (!on_host)
        put_page_device(w, page);
}

/* A lane beyond the first is called after its track, always by the same name. */
static void put_row(writing *w, uint32_t track, uint32_t lane, int64_t index)
{
    int64_t pid = opli_viewer_pid(&w->rows, track), tid = opli_viewer_tid(&w->rows, track, lane);
    opli_text_reset(&w->scratch);
    opli_track_label(w->trace, track, &w->scratch);
    if (lane)
        opli_text_addf(&w->scratch, " (overlapping, lane %u)", lane + 1);
    put_metadata_text(w, pid, tid, "thread_name", "\"name\": ");
    put_sort_index(w, pid, tid, "thread_sort_index", index);
}

static void put_names(writing *w)
{
    int64_t index = 0;
    for (size_t i = 0; i < w->rows.pages.count; i++)
        put_page(w, (uint32_t)i);
    for (size_t track = 0; track < w->rows.rows.count; track++)
        for (uint32_t lane = 0; lane < w->rows.rows.items[track].lanes; lane++)
            put_row(w, (uint32_t)track, lane, index++);
}

/* ---- spans ---- */

static void begin_span(writing *w, const char *phase, uint32_t row)
{
    const opli_spans *spans = &w->trace->spans;
    uint32_t track = spans->track[row];
    begin_event(w, phase, opli_viewer_pid(&w->rows, track), opli_viewer_tid(&w->rows, track, spans->lane[row]));
}

static void put_span_words(writing *w, uint32_t row)
{
    const opli_spans *spans = &w->trace->spans;
    put_name(w, spans->name[row], spans->category[row], spans->kind[row]);
    put_args(w, spans->first_arg[row], spans->arg_count[row], spans->flags[row] & OPLI_SPAN_OPEN);
}

static bool put_whole_span(writing *w, uint32_t row)
{
    begin_span(w, "X", row);
    put_time(w, w->trace->spans.start_ns[row]);
    opli_json_put(&w->out, ", \"dur\": ");
    opli_json_put_us(&w->out, w->trace->spans.duration_ns[row]);
    put_span_words(w, row);
    return end_event(w);
}

static bool put_half_span(void *context, uint32_t row, bool begins)
{
    writing *w = context;
    const opli_spans *spans = &w->trace->spans;
    begin_span(w, begins ? "B" : "E", row);
    put_time(w, spans->start_ns[row] + (begins ? 0 : spans->duration_ns[row]));
    if (begins)
        put_span_words(w, row);
    return end_event(w);
}

static bool put_spans(writing *w)
{
    if (!w->options->begin_end) {
        for (size_t row = 0; row < w->trace->spans.count; row++)
            if (!put_whole_span(w, (uint32_t)row))
                return false;
        return true;
    }
    for (size_t track = 0; track < w->rows.rows.count; track++)
        for (uint32_t lane = 0; lane < w->rows.rows.items[track].lanes; lane++)
            if (!opli_span_walk(w->trace, (uint32_t)track, lane, put_half_span, w))
                return false;
    return true;
}

/* ---- other events ---- */

static bool put_instants(writing *w)
{
    for (size_t i = 0; i < w->trace->instants.count; i++) {
        const opli_instant_row *row = &w->trace->instants.items[i];
        begin_event(w, "i", opli_viewer_pid(&w->rows, row->track), opli_viewer_tid(&w->rows, row->track, 0));
        put_time(w, row->time_ns);
        opli_json_put(&w->out, ", \"s\": \"t\"");
        put_name(w, row->name, row->category, row->kind);
        put_args(w, row->first_arg, row->arg_count, false);
        if (!end_event(w))
            return false;
    }
    return true;
}

/* Series of one counter at one moment are one event: viewers stack what stands together. */
static bool put_counters(writing *w)
{
    const opli_counter_row *rows = w->trace->counters.items, *previous = NULL;
    for (size_t i = 0; i < w->trace->counters.count; i++) {
        const opli_counter_row *row = &rows[i];
        bool same = previous && previous->time_ns == row->time_ns && previous->process == row->process &&
                    previous->name == row->name && previous->series != row->series;
        if (!same) {
            opli_json_put(&w->out, previous ? "}}" : "");
            begin_event(w, "C", opli_viewer_process_pid(&w->rows, row->process), 0);
            put_time(w, row->time_ns);
            opli_json_put(&w->out, ", \"name\": ");
            opli_json_put_string(&w->out, w->trace, row->name);
        }
        opli_json_put(&w->out, same ? ", " : ", \"args\": {");
        if (row->series)
            opli_json_put_string(&w->out, w->trace, row->series);
        else
            opli_json_put(&w->out, "\"value\"");
        opli_json_put(&w->out, ": ");
        opli_json_put_real(&w->out, row->value);
        previous = row;
        if (!opli_json_writer_relieve(&w->out))
            return false;
    }
    opli_json_put(&w->out, previous ? "}}" : "");
    return true;
}

/* c10::DeviceType, as [memory] events carry it: a CPU, a GPU, or somebody's own. */
static int device_type(const writing *w, uint32_t device)
{
    const char *kind = device == OPLI_NO_ROW ? "cpu" : opli_trace_text(w->trace, w->trace->devices.items[device].kind);
    return strcmp(kind, "cpu") == 0 ? 0 : strcmp(kind, "gpu") == 0 || strcmp(kind, "cuda") == 0 ? 1 : 20;
}

static void put_number(writing *w, const char *key, int64_t number)
{
    opli_json_put(&w->out, key);
    opli_json_put_integer(&w->out, number);
}

static bool put_memory_instant(writing *w, const opli_memory_row *row)
{
    const opli_device *device = row->device == OPLI_NO_ROW ? NULL : &w->trace->devices.items[row->device];
    begin_event(w, "i", opli_viewer_pid(&w->rows, row->track), opli_viewer_tid(&w->rows, row->track, 0));
    put_time(w, row->time_ns);
    opli_json_put(&w->out, ", \"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"args\": {");
    put_number(w, "\"Device Type\": ", device_type(w, row->device));
    put_number(w, ", \"Device Id\": ", device ? device->id : -1);
    put_number(w, ", \"Addr\": ", (int64_t)row->address);
    put_number(w, ", \"Bytes\": ", row->size_bytes);
    if (row->used_bytes >= 0)
        put_number(w, ", \"Total Allocated\": ", row->used_bytes);
    if (row->allocated_bytes >= 0)
        put_number(w, ", \"Total Reserved\": ", row->allocated_bytes);
    opli_json_put(&w->out, "}");
    return end_event(w);
}

/* The category tells a reader of ours that the [memory] event beside it says the same. */
static bool put_memory_counter(writing *w, const opli_memory_row *row)
{
    if (row->used_bytes < 0 && row->allocated_bytes < 0)
        return true;
    begin_event(w, "C", opli_viewer_process_pid(&w->rows, w->trace->tracks.items[row->track].process), 0);
    put_time(w, row->time_ns);
    opli_text_reset(&w->scratch);
    opli_text_addf(&w->scratch, "memory of ");
    if (row->device == OPLI_NO_ROW)
        opli_text_addf(&w->scratch, "the host");
    else
        opli_device_label(w->trace, row->device, &w->scratch);
    opli_json_put(&w->out, ", \"cat\": \"oplens_memory\", \"name\": ");
    put_scratch(w);
    opli_json_put(&w->out, ", \"args\": {");
    if (row->used_bytes >= 0)
        put_number(w, "\"used\": ", row->used_bytes);
    if (row->allocated_bytes >= 0)
        put_number(w, row->used_bytes >= 0 ? ", \"allocated\": " : "\"allocated\": ", row->allocated_bytes);
    opli_json_put(&w->out, "}");
    return end_event(w);
}

static bool put_memory(writing *w)
{
    for (size_t i = 0; i < w->trace->memory.count; i++)
        if (!put_memory_instant(w, &w->trace->memory.items[i]) || !put_memory_counter(w, &w->trace->memory.items[i]))
            return false;
    return true;
}

/* JavaScript keeps 53 bits of a number; a larger id is a text. */
static void put_flow_id(writing *w, uint64_t id)
{
    opli_json_put(&w->out, ", \"id\": ");
    if (id >> 53)
        opli_text_addf(&w->out.buffer, "\"0x%llx\"", (unsigned long long)id);
    else
        opli_json_put_integer(&w->out, (int64_t)id);
}

static bool put_flows(writing *w)
{
    static const char *const phases[] = {"s", "t", "f"};
    for (size_t i = 0; i < w->trace->flows.count; i++) {
        const opli_flow_row *row = &w->trace->flows.items[i];
        uint32_t lane = row->span == OPLI_NO_ROW ? 0 : w->trace->spans.lane[row->span];
        begin_event(w, phases[row->phase <= OPLI_FLOW_FINISH ? row->phase : OPLI_FLOW_MIDDLE],
                    opli_viewer_pid(&w->rows, row->track), opli_viewer_tid(&w->rows, row->track, lane));
        put_time(w, row->time_ns);
        put_flow_id(w, row->id);
        opli_json_put(&w->out, row->phase == OPLI_FLOW_FINISH ? ", \"bp\": \"e\"" : "");
        const char *word = row->category ? opli_trace_text(w->trace, row->category) : "flow";
        opli_json_put(&w->out, ", \"cat\": ");
        opli_json_put_text(&w->out, word, strlen(word));
        opli_json_put(&w->out, ", \"name\": ");
        opli_json_put_text(&w->out, word, strlen(word));
        if (!end_event(w))
            return false;
    }
    return true;
}

/* ---- about the whole ---- */

/* The keys of the object that say what we say anyway. */
static bool is_ours(const char *key)
{
    static const char *const ours[] = {"schemaVersion",    "displayTimeUnit", "baseTimeNanoseconds",
                                       "deviceProperties", "oplensNotes",     "traceEvents"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(ours[i], key) == 0)
            return true;
    return false;
}

/* Whether the fact's key comes again: then the last one counts. */
static bool comes_again(const opli_trace *trace, size_t fact)
{
    for (size_t i = fact + 1; i < trace->facts.count; i++)
        if (trace->facts.items[i].key == trace->facts.items[fact].key)
            return true;
    return false;
}

/* Facts about the run are keys of the object, as PyTorch writes them; what is JSON stays JSON. */
static void put_facts(writing *w)
{
    for (size_t i = 0; i < w->trace->facts.count; i++) {
        const opli_fact *fact = &w->trace->facts.items[i];
        if (is_ours(opli_trace_text(w->trace, fact->key)) || comes_again(w->trace, i))
            continue;
        opli_json_put(&w->out, ",\n");
        opli_json_put_string(&w->out, w->trace, fact->key);
        opli_json_put(&w->out, ": ");
        opli_json_put_json(&w->out, w->trace, fact->value);
    }
}

/* A source's own list of devices says more than we know. */
static bool put_source_devices(writing *w)
{
    for (size_t i = w->trace->facts.count; i-- > 0;) {
        const opli_fact *fact = &w->trace->facts.items[i];
        if (strcmp(opli_trace_text(w->trace, fact->key), "deviceProperties") == 0) {
            opli_json_put_json(&w->out, w->trace, fact->value);
            return true;
        }
    }
    return false;
}

static void put_devices(writing *w)
{
    opli_json_put(&w->out, ",\n\"deviceProperties\": ");
    if (put_source_devices(w))
        return;
    opli_json_put(&w->out, "[");
    for (size_t i = 0; i < w->trace->devices.count; i++) {
        const opli_device *device = &w->trace->devices.items[i];
        put_number(w, i ? ", {\"id\": " : "{\"id\": ", device->id);
        opli_json_put(&w->out, ", \"kind\": ");
        opli_json_put_string(&w->out, w->trace, device->kind);
        opli_json_put(&w->out, ", \"name\": ");
        opli_json_put_string(&w->out, w->trace, device->name);
        put_number(w, ", \"totalGlobalMem\": ", device->memory_bytes);
        opli_json_put(&w->out, "}");
    }
    opli_json_put(&w->out, "]");
}

static void put_notes(writing *w)
{
    opli_json_put(&w->out, ",\n\"oplensNotes\": [");
    for (size_t i = 0; i < w->trace->notes.count; i++) {
        const opli_note *note = &w->trace->notes.items[i];
        opli_json_put(&w->out, i ? ", {\"note\": " : "{\"note\": ");
        opli_json_put_string(&w->out, w->trace, note->sentence);
        put_number(w, ", \"count\": ", (int64_t)note->count);
        opli_json_put(&w->out, note->is_loss ? ", \"is_loss\": true}" : ", \"is_loss\": false}");
    }
    opli_json_put(&w->out, "]");
}

static void put_all(writing *w)
{
    opli_json_put(&w->out, "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\"");
    if (w->trace->base_real_ns)
        put_number(w, ", \"baseTimeNanoseconds\": ", w->trace->base_real_ns);
    put_devices(w);
    put_facts(w);
    put_notes(w);
    opli_json_put(&w->out, ",\n\"traceEvents\": [");
    put_names(w);
    if (put_spans(w) && put_instants(w) && put_counters(w) && put_memory(w) && put_flows(w))
        opli_json_put(&w->out, "\n]}\n");
}

static opl_status write_chrome(const opli_trace *trace, const opli_export_options *options, FILE *file, opl_error *err)
{
    writing w = {.out = {.file = file}, .trace = trace, .options = options};
    bool ready = opli_viewer_rows_make(&w.rows, trace);
    if (ready)
        put_all(&w);
    w.out.buffer.cut |= !ready || w.scratch.cut;
    opl_status st = opli_json_writer_finish(&w.out, err);
    opli_text_free(&w.scratch);
    opli_viewer_rows_free(&w.rows);
    return st;
}

const opli_exporter opli_exporter_chrome = {
    .name = "chrome",
    .suffix = ".json",
    .summary = "Chrome trace JSON, for Perfetto, chrome://tracing and TensorBoard",
    .write = write_chrome,
};
