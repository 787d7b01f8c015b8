/* trim.c - a smaller trace, made by asking each event whether it stays and building anew. */
#include "trace/trim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/text.h"
#include "trace/builder.h"

#define CATEGORIES_LISTED 32u

typedef struct trimming {
    const opli_trace *from;
    const opli_trim *trim;
    opli_builder to;
    int64_t begin_ns, end_ns; /* on the trace's clock; the end is outside */
    uint32_t *texts;          /* old ids to new ones, 0 until first used */
    uint32_t *tracks;         /* old rows to new ones, OPLI_NO_ROW when left out or not used yet */
    bool *keeps_track, *keeps_span;
    uint64_t left_out;
} trimming;

static int64_t add_clamped(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static int64_t end_of(const opli_trace *trace, size_t span)
{
    return add_clamped(trace->spans.start_ns[span], trace->spans.duration_ns[span]);
}

/* ---- the stretch of time ---- */

/* The number behind the last # of a step's name, or -1. */
static int64_t number_in_name(const opli_trace *trace, size_t span)
{
    const char *mark = strrchr(opli_trace_text(trace, trace->spans.name[span]), '#');
    char *end;
    if (!mark || mark[1] < '0' || mark[1] > '9')
        return -1;
    long long number = strtoll(mark + 1, &end, 10);
    return *end ? -1 : number;
}

typedef struct step_search {
    int64_t begin_ns, end_ns, lowest, highest;
    bool found, any;
} step_search;

static void look_at_step(step_search *s, const trimming *t, size_t span, int64_t number)
{
    s->lowest = s->any && s->lowest < number ? s->lowest : number;
    s->highest = s->any && s->highest > number ? s->highest : number;
    s->any = true;
    if (number < t->trim->first_step || number > t->trim->last_step)
        return;
    int64_t start = t->from->spans.start_ns[span], end = end_of(t->from, span);
    s->begin_ns = s->found && s->begin_ns < start ? s->begin_ns : start;
    s->end_ns = s->found && s->end_ns > end ? s->end_ns : end;
    s->found = true;
}

/* From the first of these steps to the last, on whichever track: a device's copy of a step's label
 * reaches as far as its kernels do. */
static opl_status find_steps(trimming *t, opl_error *err)
{
    step_search s = {.found = false};
    for (size_t track = 0; track < t->from->tracks.count; track++) {
        int64_t counted = 0;
        for (size_t span = t->from->tracks.items[track].first; span < t->from->tracks.items[track].end; span++) {
            if (t->from->spans.kind[span] != OPL_CAT_STEP)
                continue;
            int64_t named = number_in_name(t->from, span);
            look_at_step(&s, t, span, named >= 0 ? named : counted);
            counted++;
        }
    }
    if (!s.any)
        return opli_fail(err, OPL_INVALID, "the trace has no steps to choose from");
    if (!s.found)
        return opli_fail(err, OPL_INVALID, "the trace has no such step; its steps are %" PRId64 " to %" PRId64,
                         s.lowest, s.highest);
    t->begin_ns = s.begin_ns > t->begin_ns ? s.begin_ns : t->begin_ns;
    t->end_ns = s.end_ns < t->end_ns ? s.end_ns : t->end_ns;
    return OPL_OK;
}

static opl_status find_stretch(trimming *t, opl_error *err)
{
    int64_t first = opli_trace_first_ns(t->from);
    t->begin_ns = t->trim->has_from ? add_clamped(first, t->trim->from_ns) : INT64_MIN;
    t->end_ns = t->trim->has_to ? add_clamped(first, t->trim->to_ns) : INT64_MAX;
    if (t->trim->has_from && t->trim->has_to && t->begin_ns >= t->end_ns)
        return opli_fail(err, OPL_INVALID, "the stretch of time ends before it begins");
    return t->trim->has_steps ? find_steps(t, err) : OPL_OK;
}

/* ---- the threads ---- */

static bool is_thread(const opli_trace *trace, const opli_track *track, const char *wanted)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, track->number);
    return strcmp(number, wanted) == 0 || strcmp(opli_trace_text(trace, track->name), wanted) == 0;
}

static opl_status refuse_thread(const trimming *t, opl_error *err)
{
    opli_text list = {0};
    for (size_t i = 0; i < t->from->tracks.count && list.length < 300; i++) {
        const opli_track *track = &t->from->tracks.items[i];
        opli_text_addf(&list, "%s%" PRId64, i ? ", " : "", track->number);
        if (track->name)
            opli_text_addf(&list, " (%s)", opli_trace_text(t->from, track->name));
    }
    opli_fail(err, OPL_INVALID, "there is no thread '%s'; there are %s", t->trim->thread,
              list.bytes ? list.bytes : "none");
    opli_text_free(&list);
    return OPL_INVALID;
}

static opl_status choose_tracks(trimming *t, opl_error *err)
{
    bool any = !t->trim->thread;
    for (size_t i = 0; i < t->from->tracks.count; i++) {
        t->keeps_track[i] = !t->trim->thread || is_thread(t->from, &t->from->tracks.items[i], t->trim->thread);
        any |= t->keeps_track[i];
    }
    return any ? OPL_OK : refuse_thread(t, err);
}

/* ---- the categories ---- */

#define WORD(id, word, level) word,
static const char *const kind_words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD

static bool is_kind(const char *word, size_t length)
{
    for (unsigned kind = 0; kind < OPL_CAT_COUNT; kind++)
        if (strlen(kind_words[kind]) == length && memcmp(kind_words[kind], word, length) == 0)
            return true;
    return false;
}

static bool is_in_list(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; length && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && memcmp(at, word, length) == 0)
            return true;
    return false;
}

static bool keeps_category(const trimming *t, uint8_t kind, uint32_t category)
{
    const char *list = t->trim->categories;
    return !list || (kind < OPL_CAT_COUNT && is_in_list(list, kind_words[kind])) ||
           is_in_list(list, opli_trace_text(t->from, category));
}

/* Adds the text unless it is 0 or among the first `count`. */
static void add_distinct(uint32_t *texts, size_t *count, size_t most, uint32_t text)
{
    for (size_t i = 0; i < *count; i++)
        if (texts[i] == text)
            return;
    if (text && *count < most)
        texts[(*count)++] = text;
}

/* The kinds there are, then the source's own words. */
static void list_categories(const opli_trace *trace, opli_text *list)
{
    uint32_t kinds = 0, words[CATEGORIES_LISTED];
    size_t count = 0;
    for (size_t i = 0; i < trace->spans.count; i++) {
        kinds |= 1u << trace->spans.kind[i] % 32;
        add_distinct(words, &count, CATEGORIES_LISTED, trace->spans.category[i]);
    }
    for (unsigned kind = 0; kind < OPL_CAT_COUNT; kind++)
        if (kinds >> kind & 1)
            opli_text_addf(list, "%s%s", list->length ? ", " : "", kind_words[kind]);
    for (size_t i = 0; i < count; i++)
        if (!is_kind(opli_trace_text(trace, words[i]), strlen(opli_trace_text(trace, words[i]))))
            opli_text_addf(list, "%s%s", list->length ? ", " : "", opli_trace_text(trace, words[i]));
}

static opl_status refuse_category(const trimming *t, const char *word, size_t length, opl_error *err)
{
    opli_text list = {0};
    list_categories(t->from, &list);
    opli_fail(err, OPL_INVALID, "no span is of category '%.*s'; there are %s", (int)length, word,
              list.bytes ? list.bytes : "no spans");
    opli_text_free(&list);
    return OPL_INVALID;
}

/* Whether some event is of that category by its source's own word. */
static bool is_used(const opli_trace *trace, const char *word, size_t length)
{
    uint32_t text = opli_string_find(&trace->strings, word, length);
    for (size_t i = 0; text != OPLI_STRING_NONE && i < trace->spans.count; i++)
        if (trace->spans.category[i] == text)
            return true;
    for (size_t i = 0; text != OPLI_STRING_NONE && i < trace->instants.count; i++)
        if (trace->instants.items[i].category == text)
            return true;
    return false;
}

/* Each word must be a kind, though maybe one that this trace has nothing of, or a word of the source's. */
static opl_status check_categories(const trimming *t, opl_error *err)
{
    for (const char *at = t->trim->categories; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        if (t->from->spans.count && !is_kind(at, length) && !is_used(t->from, at, length))
            return refuse_category(t, at, length, err);
    }
    return OPL_OK;
}

/* ---- the spans ---- */

/* An instantaneous span at the very beginning is inside, one at the very end is not. */
static bool reaches_in(const trimming *t, int64_t start_ns, int64_t end_ns)
{
    return start_ns < t->end_ns && (end_ns > t->begin_ns || start_ns >= t->begin_ns);
}

static opl_status choose_spans(trimming *t, opl_error *err)
{
    const opli_spans *spans = &t->from->spans;
    bool any = !t->trim->categories || !spans->count;
    for (size_t i = 0; i < spans->count; i++) {
        bool wanted = keeps_category(t, spans->kind[i], spans->category[i]);
        any |= wanted;
        t->keeps_span[i] =
            wanted && t->keeps_track[spans->track[i]] && reaches_in(t, spans->start_ns[i], end_of(t->from, i));
        t->left_out += !t->keeps_span[i];
    }
    return any ? OPL_OK : refuse_category(t, t->trim->categories, strlen(t->trim->categories), err);
}

/* ---- copying ---- */

static uint32_t copy_text(trimming *t, uint32_t id)
{
    if (id && id < t->from->strings.count && !t->texts[id])
        t->texts[id] =
            opli_builder_text(&t->to, opli_trace_text(t->from, id), opli_string_length(&t->from->strings, id));
    return id < t->from->strings.count ? t->texts[id] : 0;
}

static uint32_t copy_process(trimming *t, uint32_t row)
{
    const opli_process *process = &t->from->processes.items[row];
    uint32_t made = opli_builder_process(&t->to, process->pid);
    uint32_t name = copy_text(t, process->name), labels = copy_text(t, process->labels);
    if (t->to.out_of_memory)
        return 0;
    t->to.trace->processes.items[made].name = name;
    t->to.trace->processes.items[made].labels = labels;
    return made;
}

static uint32_t copy_device(trimming *t, uint32_t row)
{
    if (row == OPLI_NO_ROW)
        return OPLI_NO_ROW;
    const opli_device *device = &t->from->devices.items[row];
    uint32_t made = opli_builder_device(&t->to, opli_trace_text(t->from, device->kind), device->id);
    uint32_t name = copy_text(t, device->name);
    if (t->to.out_of_memory)
        return OPLI_NO_ROW;
    t->to.trace->devices.items[made].name = name;
    t->to.trace->devices.items[made].memory_bytes = device->memory_bytes;
    return made;
}

static uint32_t copy_track(trimming *t, uint32_t row)
{
    const opli_track *track = &t->from->tracks.items[row];
    if (t->tracks[row] != OPLI_NO_ROW)
        return t->tracks[row];
    uint32_t process = copy_process(t, track->process), device = copy_device(t, track->device);
    t->to.file = track->file;
    uint32_t made = opli_builder_track(&t->to, track->kind, process, device, track->number);
    uint32_t name = copy_text(t, track->name);
    if (t->to.out_of_memory)
        return 0;
    t->to.trace->tracks.items[made].name = name;
    return t->tracks[row] = made;
}

static void copy_args(trimming *t, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        uint8_t type = opli_args_type(&t->from->args, i);
        uint64_t value = opli_args_value(&t->from->args, i);
        if (type == OPLI_ARG_TEXT || type == OPLI_ARG_JSON)
            value = copy_text(t, (uint32_t)value);
        opli_builder_arg(&t->to, copy_text(t, opli_args_key(&t->from->args, i)), (enum opli_arg_type)type, value);
    }
}

/* What nesting found out is found out anew, since what overlapped may be gone. */
static void copy_spans(trimming *t)
{
    const opli_spans *spans = &t->from->spans;
    for (size_t i = 0; i < spans->count && !t->to.out_of_memory; i++) {
        if (!t->keeps_span[i])
            continue;
        opli_span_draft draft = {.start_ns = spans->start_ns[i],
                                 .duration_ns = spans->duration_ns[i],
                                 .name = copy_text(t, spans->name[i]),
                                 .category = copy_text(t, spans->category[i]),
                                 .track = copy_track(t, spans->track[i]),
                                 .kind = spans->kind[i],
                                 .flags = spans->flags[i] & (uint8_t)~OPLI_SPAN_OVERLAPS};
        copy_args(t, spans->first_arg[i], spans->arg_count[i]);
        opli_builder_span(&t->to, &draft);
    }
}

static bool keeps_moment(const trimming *t, uint32_t track, int64_t time_ns)
{
    return !t->to.out_of_memory && t->keeps_track[track] && reaches_in(t, time_ns, time_ns);
}

static void copy_instants(trimming *t)
{
    for (size_t i = 0; i < t->from->instants.count; i++) {
        opli_instant_row row = t->from->instants.items[i];
        if (!keeps_moment(t, row.track, row.time_ns) || !keeps_category(t, row.kind, row.category))
            continue;
        row.track = copy_track(t, row.track);
        row.name = copy_text(t, row.name);
        row.category = copy_text(t, row.category);
        copy_args(t, row.first_arg, row.arg_count);
        opli_builder_instant(&t->to, row);
    }
}

/* A counter belongs to a process, and stays with any thread of it. */
static bool keeps_process(const trimming *t, uint32_t process)
{
    for (size_t i = 0; i < t->from->tracks.count; i++)
        if (t->keeps_track[i] && t->from->tracks.items[i].process == process)
            return true;
    return !t->trim->thread;
}

static void copy_counters(trimming *t)
{
    for (size_t i = 0; i < t->from->counters.count; i++) {
        opli_counter_row row = t->from->counters.items[i];
        if (t->to.out_of_memory || !reaches_in(t, row.time_ns, row.time_ns) || !keeps_process(t, row.process))
            continue;
        row.process = copy_process(t, row.process);
        row.name = copy_text(t, row.name);
        row.series = copy_text(t, row.series);
        opli_builder_counter(&t->to, row);
    }
}

static void copy_memory(trimming *t)
{
    for (size_t i = 0; i < t->from->memory.count; i++) {
        opli_memory_row row = t->from->memory.items[i];
        if (!keeps_moment(t, row.track, row.time_ns))
            continue;
        row.track = copy_track(t, row.track);
        row.device = copy_device(t, row.device);
        opli_builder_memory(&t->to, row);
    }
}

/* An arrow stays with the span it is bound to. */
static void copy_flows(trimming *t)
{
    for (size_t i = 0; i < t->from->flows.count; i++) {
        opli_flow_row row = t->from->flows.items[i];
        bool bound = row.span != OPLI_NO_ROW;
        if (t->to.out_of_memory || !(bound ? t->keeps_span[row.span] : keeps_moment(t, row.track, row.time_ns)))
            continue;
        row.track = copy_track(t, row.track);
        row.category = copy_text(t, row.category);
        opli_builder_flow(&t->to, row);
    }
}

static void copy_words(trimming *t)
{
    for (size_t i = 0; i < t->from->notes.count; i++)
        opli_builder_note(&t->to, opli_trace_text(t->from, t->from->notes.items[i].sentence),
                          t->from->notes.items[i].count, t->from->notes.items[i].is_loss);
    opli_builder_note(&t->to, "spans were left out because they were not asked for", t->left_out, false);
    for (size_t i = 0; i < t->from->facts.count; i++)
        opli_builder_fact(&t->to, copy_text(t, t->from->facts.items[i].key),
                          copy_text(t, t->from->facts.items[i].value));
    t->to.trace->base_real_ns = t->from->base_real_ns;
    t->to.trace->source = copy_text(t, t->from->source);
}

static opl_status copy_all(trimming *t, opl_error *err)
{
    copy_spans(t);
    copy_instants(t);
    copy_counters(t);
    copy_memory(t);
    copy_flows(t);
    copy_words(t);
    opl_status st = opli_builder_finish(&t->to);
    return st == OPL_OK ? OPL_OK : opli_fail(err, st, "there was not enough memory for the smaller trace");
}

/* ---- all together ---- */

static bool make_maps(trimming *t)
{
    t->texts = calloc((size_t)t->from->strings.count + 1, sizeof *t->texts);
    t->tracks = calloc(t->from->tracks.count + 1, sizeof *t->tracks);
    t->keeps_track = calloc(t->from->tracks.count + 1, sizeof *t->keeps_track);
    t->keeps_span = calloc(t->from->spans.count + 1, sizeof *t->keeps_span);
    for (size_t i = 0; t->tracks && i < t->from->tracks.count; i++)
        t->tracks[i] = OPLI_NO_ROW;
    return t->texts && t->tracks && t->keeps_track && t->keeps_span;
}

opl_status opli_trace_trim(const opli_trace *trace, const opli_trim *trim, opli_trace *out, opl_error *err)
{
    trimming t = {.from = trace, .trim = trim};
    opli_builder_init(&t.to, out);
    opl_status st = OPL_OK;
    if (!make_maps(&t))
        st = opli_fail(err, OPL_NOMEM, "there was not enough memory for the smaller trace");
    if (st == OPL_OK)
        st = find_stretch(&t, err);
    if (st == OPL_OK)
        st = choose_tracks(&t, err);
    if (st == OPL_OK)
        st = check_categories(&t, err);
    if (st == OPL_OK)
        st = choose_spans(&t, err);
    if (st == OPL_OK)
        st = copy_all(&t, err);
    if (st != OPL_OK)
        opli_trace_free(out);
    free(t.texts);
    free(t.tracks);
    free(t.keeps_track);
    free(t.keeps_span);
    return st;
}
