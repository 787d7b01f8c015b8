/* info.c - what is in this trace, where does it come from, and what is wrong with it? */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/failure.h"
#include "base/text.h"

static const opli_column columns[] = {{"what", "what", OPLI_COLUMN_TEXT}, {"value", "value", OPLI_COLUMN_TEXT}};

/* A row in the making; the text is used again. */
typedef struct listing {
    const opli_trace *trace;
    opli_table *table;
    opli_text value;
    bool ok;
} listing;

static void add_row(listing *l, const char *what, size_t what_length)
{
    l->ok = l->ok && !l->value.cut && opli_table_add_text(l->table, what, what_length) &&
            opli_table_add_text(l->table, l->value.bytes ? l->value.bytes : "", l->value.length);
    opli_text_reset(&l->value);
}

static void add_text(listing *l, const char *what, uint32_t text)
{
    opli_text_add(&l->value, opli_trace_text(l->trace, text), opli_string_length(&l->trace->strings, text));
    add_row(l, what, strlen(what));
}

static void add_count(listing *l, const char *what, uint64_t count)
{
    if (!count)
        return;
    opli_text_addf(&l->value, "%llu", (unsigned long long)count);
    add_row(l, what, strlen(what));
}

/* ---- when ---- */

static int64_t last_ns(const opli_trace *trace)
{
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < trace->spans.count; i++) {
        int64_t end = trace->spans.start_ns[i] + trace->spans.duration_ns[i];
        last = end > last ? end : last;
    }
    for (size_t i = 0; i < trace->instants.count; i++)
        last = trace->instants.items[i].time_ns > last ? trace->instants.items[i].time_ns : last;
    for (size_t i = 0; i < trace->counters.count; i++)
        last = trace->counters.items[i].time_ns > last ? trace->counters.items[i].time_ns : last;
    for (size_t i = 0; i < trace->memory.count; i++)
        last = trace->memory.items[i].time_ns > last ? trace->memory.items[i].time_ns : last;
    return last;
}

static void add_times(listing *l)
{
    int64_t first = opli_trace_first_ns(l->trace), last = last_ns(l->trace), start;
    if (last == INT64_MIN)
        return;
    if (l->trace->base_real_ns && !__builtin_add_overflow(l->trace->base_real_ns, first, &start)) {
        opli_text_add_date(&l->value, start);
        add_row(l, "start", 5);
    }
    opli_text_add_ns(&l->value, last > first ? last - first : 0);
    add_row(l, "duration", 8);
}

/* ---- how much of what ---- */

static uint64_t count_tracks(const opli_trace *trace, enum opli_track_kind kind)
{
    uint64_t count = 0;
    for (size_t i = 0; i < trace->tracks.count; i++)
        count += trace->tracks.items[i].kind == kind;
    return count;
}

static uint64_t count_flagged(const opli_trace *trace, uint8_t flag)
{
    uint64_t count = 0;
    for (size_t i = 0; i < trace->spans.count; i++)
        count += (trace->spans.flags[i] & flag) != 0;
    return count;
}

static void add_kinds(listing *l)
{
#define WORD(id, word, level) word,
    static const char *const words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD
    uint64_t counts[OPL_CAT_COUNT] = {0};
    char what[64];
    for (size_t i = 0; i < l->trace->spans.count; i++)
        if (l->trace->spans.kind[i] < OPL_CAT_COUNT)
            counts[l->trace->spans.kind[i]]++;
    for (size_t kind = 0; kind < OPL_CAT_COUNT; kind++) {
        snprintf(what, sizeof what, "spans of kind %s", words[kind]);
        add_count(l, what, counts[kind]);
    }
}

static void add_counts(listing *l)
{
    const opli_trace *trace = l->trace;
    add_count(l, "processes", trace->processes.count);
    add_count(l, "threads", count_tracks(trace, OPLI_TRACK_THREAD));
    add_count(l, "devices", trace->devices.count);
    add_count(l, "queues", count_tracks(trace, OPLI_TRACK_QUEUE));
    add_count(l, "asynchronous rows", count_tracks(trace, OPLI_TRACK_ASYNC));
    add_count(l, "spans", trace->spans.count);
    add_kinds(l);
    add_count(l, "spans that never ended", count_flagged(trace, OPLI_SPAN_OPEN));
    add_count(l, "spans that overlap others", count_flagged(trace, OPLI_SPAN_OVERLAPS));
    add_count(l, "spans that were mended", count_flagged(trace, OPLI_SPAN_REPAIRED));
    add_count(l, "spans laid out by estimate", count_flagged(trace, OPLI_SPAN_SYNTHETIC));
    add_count(l, "instants", trace->instants.count);
    add_count(l, "counter values", trace->counters.count);
    add_count(l, "memory events", trace->memory.count);
    add_count(l, "flow points", trace->flows.count);
    add_count(l, "arguments", trace->args.count);
    add_count(l, "different texts", trace->strings.count ? trace->strings.count - 1 : 0);
}

/* ---- what else is known ---- */

static void add_devices(listing *l)
{
    for (size_t i = 0; i < l->trace->devices.count; i++) {
        const opli_device *device = &l->trace->devices.items[i];
        char what[64];
        snprintf(what, sizeof what, "device %lld", (long long)device->id);
        opli_text_addf(&l->value, "%s", opli_trace_text(l->trace, device->name ? device->name : device->kind));
        if (device->memory_bytes > 0) {
            opli_text_addf(&l->value, ", ");
            opli_text_add_bytes(&l->value, (uint64_t)device->memory_bytes);
        }
        add_row(l, what, strlen(what));
    }
}

static void add_notes(listing *l)
{
    for (size_t i = 0; i < l->trace->notes.count; i++) {
        const opli_note *note = &l->trace->notes.items[i];
        opli_text_addf(&l->value, "%s (%llu)", opli_trace_text(l->trace, note->sentence),
                       (unsigned long long)note->count);
        add_row(l, note->is_loss ? "lost" : "note", 4);
    }
}

static void add_facts(listing *l)
{
    for (size_t i = 0; i < l->trace->facts.count; i++) {
        const opli_fact *fact = &l->trace->facts.items[i];
        opli_text_add(&l->value, opli_trace_text(l->trace, fact->value),
                      opli_string_length(&l->trace->strings, fact->value));
        add_row(l, opli_trace_text(l->trace, fact->key), opli_string_length(&l->trace->strings, fact->key));
    }
}

static opl_status run_info(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    (void)question;
    listing l = {.trace = trace, .table = table, .ok = true};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    add_text(&l, "source", trace->source);
    add_times(&l);
    add_counts(&l);
    add_devices(&l);
    add_notes(&l);
    add_facts(&l);
    opli_text_free(&l.value);
    return l.ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the overview");
}

const opli_analysis opli_analysis_info = {
    .name = "info",
    .summary = "where the trace comes from, what is in it, and what had to be mended or is missing",
    .run = run_info,
};
