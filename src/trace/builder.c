/* builder.c - fill a trace. */
#include "trace/builder.h"

#include <stdlib.h>
#include <string.h>

#include "trace/nesting.h"

/* A span while it is not sorted, in two parts: each goes as soon as the columns made of it are there. */
typedef struct draft_time {
    int64_t start_ns, duration_ns;
    uint32_t track, category;
} draft_time;

typedef struct draft_rest {
    uint32_t name, first_arg;
    uint16_t arg_count;
    uint8_t kind, flags;
} draft_rest;

static bool failed(opli_builder *builder, bool ok)
{
    builder->out_of_memory |= !ok;
    return builder->out_of_memory;
}

void opli_builder_init(opli_builder *builder, opli_trace *trace)
{
    *builder = (opli_builder){.trace = trace, .earliest_ns = INT64_MAX, .latest_ns = INT64_MIN};
    memset(trace, 0, sizeof *trace);
}

/* ---- texts and rows ---- */

uint32_t opli_builder_text(opli_builder *builder, const char *text, size_t length)
{
    uint32_t id = opli_string_add(&builder->trace->strings, text, length);
    return failed(builder, id != OPLI_STRING_NONE) ? 0 : id;
}

uint32_t opli_builder_hash(const opli_builder *builder, const char *text, size_t length)
{
    return opli_string_hash(&builder->trace->strings, text, length);
}

uint32_t opli_builder_hashed_text(opli_builder *builder, const char *text, size_t length, uint32_t hash)
{
    uint32_t id = opli_string_add_hashed(&builder->trace->strings, text, length, hash);
    return failed(builder, id != OPLI_STRING_NONE) ? 0 : id;
}

uint32_t opli_builder_word(opli_builder *builder, const char *text)
{
    return opli_builder_text(builder, text, strlen(text));
}

static opli_key process_key(int64_t pid) { return (opli_key){{(uint64_t)pid}}; }

uint32_t opli_builder_process_find(const opli_builder *builder, int64_t pid)
{
    return opli_key_map_find(&builder->process_rows, process_key(pid));
}

uint32_t opli_builder_process(opli_builder *builder, int64_t pid)
{
    opli_trace *trace = builder->trace;
    uint32_t row = opli_key_map_add(&builder->process_rows, process_key(pid));
    if (row < trace->processes.count)
        return row;
    opli_process *added = row == OPLI_KEY_NONE ? NULL : opli_vector_add(&trace->processes);
    if (failed(builder, added != NULL))
        return 0;
    added->pid = pid;
    return row;
}

uint32_t opli_builder_device_find(const opli_builder *builder, const char *kind, int64_t id)
{
    uint32_t kind_id = opli_string_find(&builder->trace->strings, kind, strlen(kind));
    return opli_key_map_find(&builder->device_rows, (opli_key){{(uint64_t)id, kind_id}});
}

uint32_t opli_builder_device(opli_builder *builder, const char *kind, int64_t id)
{
    opli_trace *trace = builder->trace;
    uint32_t kind_id = opli_builder_word(builder, kind);
    uint32_t row = opli_key_map_add(&builder->device_rows, (opli_key){{(uint64_t)id, kind_id}});
    if (row < trace->devices.count)
        return row;
    opli_device *added = row == OPLI_KEY_NONE ? NULL : opli_vector_add(&trace->devices);
    if (failed(builder, added != NULL))
        return OPLI_NO_ROW;
    added->id = id;
    added->kind = kind_id;
    return row;
}

static opli_key track_key(const opli_builder *builder, enum opli_track_kind kind, uint32_t process, uint32_t device,
                          int64_t number)
{
    return (opli_key){{(uint64_t)number, (uint64_t)process << 32 | device, (uint64_t)builder->file << 32 | kind}};
}

uint32_t opli_builder_track_find(const opli_builder *builder, enum opli_track_kind kind, uint32_t process,
                                 uint32_t device, int64_t number)
{
    return opli_key_map_find(&builder->track_rows, track_key(builder, kind, process, device, number));
}

uint32_t opli_builder_track(opli_builder *builder, enum opli_track_kind kind, uint32_t process, uint32_t device,
                            int64_t number)
{
    opli_trace *trace = builder->trace;
    uint32_t row = opli_key_map_add(&builder->track_rows, track_key(builder, kind, process, device, number));
    if (row < trace->tracks.count)
        return row;
    opli_track *added = row == OPLI_KEY_NONE ? NULL : opli_vector_add(&trace->tracks);
    if (failed(builder, added != NULL))
        return 0;
    *added = (opli_track){.kind = kind, .process = process, .device = device, .number = number, .file = builder->file};
    return row;
}

/* ---- events ---- */

void opli_builder_arg(opli_builder *builder, uint32_t key, enum opli_arg_type type, uint64_t value)
{
    if (!failed(builder, opli_args_add(&builder->trace->args, key, type, value)))
        builder->pending_args++;
}

void opli_builder_arg_real(opli_builder *builder, uint32_t key, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    opli_builder_arg(builder, key, OPLI_ARG_REAL, bits);
}

/* The arguments added since the event before belong to this one. */
static uint32_t take_args(opli_builder *builder, uint16_t *count)
{
    size_t first = builder->trace->args.count - builder->pending_args;
    size_t kept = builder->pending_args < UINT16_MAX ? builder->pending_args : UINT16_MAX;
    if (kept < builder->pending_args)
        opli_builder_note(builder, "arguments beyond an event's 65,535th were left out", builder->pending_args - kept,
                          true);
    *count = (uint16_t)kept;
    builder->pending_args = 0;
    return (uint32_t)first;
}

static void remember_time(opli_builder *builder, int64_t first_ns, int64_t last_ns)
{
    builder->earliest_ns = first_ns < builder->earliest_ns ? first_ns : builder->earliest_ns;
    builder->latest_ns = last_ns > builder->latest_ns ? last_ns : builder->latest_ns;
}

/* A time that is kept within what can be reckoned with. */
static int64_t tame_start(opli_builder *builder, int64_t time_ns)
{
    if (time_ns >= -OPLI_TIME_MAX && time_ns <= OPLI_TIME_MAX)
        return time_ns;
    opli_builder_note(builder, "events lie more than 146 years from time 0: they were put there", 1, false);
    return time_ns < 0 ? -OPLI_TIME_MAX : OPLI_TIME_MAX;
}

static int64_t tame_time(opli_builder *builder, int64_t time_ns)
{
    int64_t tame_ns = tame_start(builder, time_ns);
    remember_time(builder, tame_ns, tame_ns);
    return tame_ns;
}

/* Adds to the sum if that stays below the limit; nothing else is added. */
static bool add_to_sum(int64_t *sum, int64_t amount)
{
    int64_t larger;
    if (__builtin_add_overflow(*sum, amount, &larger) || larger > OPLI_TIME_MAX)
        return false;
    *sum = larger;
    return true;
}

static void tame_span(opli_builder *builder, draft_time *time, uint8_t *flags)
{
    int64_t start_ns = tame_start(builder, time->start_ns);
    bool fits = time->duration_ns >= 0 && add_to_sum(&builder->duration_sum_ns, time->duration_ns);
    if (!fits)
        opli_builder_note(builder, "spans are so long that all together exceed 146 years: they were given no length", 1,
                          false);
    if (!fits || start_ns != time->start_ns)
        *flags |= OPLI_SPAN_REPAIRED;
    time->start_ns = start_ns;
    time->duration_ns = fits ? time->duration_ns : 0;
    remember_time(builder, start_ns, start_ns + time->duration_ns);
}

void opli_builder_span(opli_builder *builder, const opli_span_draft *draft)
{
    size_t count = builder->draft_count + 1;
    bool room = count < OPLI_NO_ROW && opli_array_reserve(&builder->draft_times, count * sizeof(draft_time)) &&
                opli_array_reserve(&builder->draft_rests, count * sizeof(draft_rest));
    if (failed(builder, room))
        return;
    draft_time *time = (draft_time *)builder->draft_times.items + builder->draft_count;
    draft_rest *rest = (draft_rest *)builder->draft_rests.items + builder->draft_count++;
    *time = (draft_time){draft->start_ns, draft->duration_ns, draft->track, draft->category};
    *rest = (draft_rest){.name = draft->name, .kind = draft->kind, .flags = draft->flags};
    tame_span(builder, time, &rest->flags);
    rest->first_arg = take_args(builder, &rest->arg_count);
}

#define ADD_ROW(rows, type, row)                              \
    do {                                                      \
        type *added = opli_vector_add(&builder->trace->rows); \
        if (!failed(builder, added != NULL))                  \
            *added = (row);                                   \
    } while (0)

void opli_builder_instant(opli_builder *builder, opli_instant_row row)
{
    row.first_arg = take_args(builder, &row.arg_count);
    row.time_ns = tame_time(builder, row.time_ns);
    ADD_ROW(instants, opli_instant_row, row);
}

void opli_builder_counter(opli_builder *builder, opli_counter_row row)
{
    builder->pending_args = 0;
    row.time_ns = tame_time(builder, row.time_ns);
    ADD_ROW(counters, opli_counter_row, row);
}

void opli_builder_memory(opli_builder *builder, opli_memory_row row)
{
    builder->pending_args = 0;
    row.span = OPLI_NO_ROW;
    row.time_ns = tame_time(builder, row.time_ns);
    if (row.size_bytes < -OPLI_TIME_MAX ||
        !add_to_sum(&builder->memory_sum_bytes, row.size_bytes < 0 ? -row.size_bytes : row.size_bytes)) {
        opli_builder_note(builder, "memory events are so large that their sum cannot be: they were given no size", 1,
                          false);
        row.size_bytes = 0;
    }
    ADD_ROW(memory, opli_memory_row, row);
}

void opli_builder_flow(opli_builder *builder, opli_flow_row row)
{
    builder->pending_args = 0;
    row.span = OPLI_NO_ROW;
    row.time_ns = tame_time(builder, row.time_ns);
    ADD_ROW(flows, opli_flow_row, row);
}

void opli_builder_sum(opli_builder *builder, const opli_name_sum *more)
{
    opli_trace *trace = builder->trace;
    uint32_t row = opli_key_map_add(&builder->sum_rows, (opli_key){{more->name}});
    opli_name_sum *sum = row < trace->sums.count ? &trace->sums.items[row] : opli_vector_add(&trace->sums);
    if (failed(builder, sum && row != OPLI_KEY_NONE))
        return;
    sum->name = more->name;
    sum->count += more->count;
    sum->total_ns += more->total_ns;
    sum->self_ns += more->self_ns;
}

void opli_builder_note(opli_builder *builder, const char *sentence, uint64_t count, bool is_loss)
{
    opli_trace *trace = builder->trace;
    if (!count)
        return;
    uint32_t id = opli_builder_word(builder, sentence);
    for (size_t i = 0; i < trace->notes.count; i++) {
        if (trace->notes.items[i].sentence == id) {
            trace->notes.items[i].count += count;
            return;
        }
    }
    opli_note note = {id, count, is_loss};
    ADD_ROW(notes, opli_note, note);
}

void opli_builder_fact(opli_builder *builder, uint32_t key, uint32_t value)
{
    opli_fact fact = {key, value};
    ADD_ROW(facts, opli_fact, fact);
}

/* ---- several files ---- */

#define WALL_CLOCK_NS INT64_C(1000000000000000000) /* September 2001: who counts that far counts from 1970 */

opli_builder_mark opli_builder_begin_file(opli_builder *builder)
{
    opli_trace *trace = builder->trace;
    opli_builder_mark mark = {builder->draft_count, trace->instants.count, trace->counters.count,
                              trace->memory.count,  trace->flows.count,    trace->base_real_ns};
    trace->base_real_ns = 0;
    builder->file = builder->next_file++;
    builder->earliest_ns = INT64_MAX;
    builder->latest_ns = INT64_MIN;
    return mark;
}

static bool is_tame(int64_t time_ns, int64_t shift_ns)
{
    int64_t shifted;
    return !__builtin_add_overflow(time_ns, shift_ns, &shifted) && shifted >= -OPLI_TIME_MAX &&
           shifted <= OPLI_TIME_MAX;
}

#define SHIFT_ROWS(rows, from, shift_ns)                         \
    for (size_t i = (from); i < builder->trace->rows.count; i++) \
        builder->trace->rows.items[i].time_ns += (shift_ns);

static void shift_file(opli_builder *builder, const opli_builder_mark *mark, int64_t shift_ns)
{
    draft_time *times = builder->draft_times.items;
    for (size_t i = mark->drafts; i < builder->draft_count; i++)
        times[i].start_ns += shift_ns;
    SHIFT_ROWS(instants, mark->instants, shift_ns)
    SHIFT_ROWS(counters, mark->counters, shift_ns)
    SHIFT_ROWS(memory, mark->memory, shift_ns)
    SHIFT_ROWS(flows, mark->flows, shift_ns)
}

void opli_builder_end_file(opli_builder *builder, const opli_builder_mark *mark)
{
    int64_t said_ns = builder->trace->base_real_ns, shift_ns;
    bool empty = builder->earliest_ns == INT64_MAX, known = said_ns || builder->earliest_ns > WALL_CLOCK_NS;
    if (empty && builder->has_file)
        builder->trace->base_real_ns = mark->base_real_ns;
    if (empty)
        return;
    if (!builder->has_file) {
        builder->has_file = true;
        builder->clock_known = known;
        return;
    }
    builder->trace->base_real_ns = mark->base_real_ns;
    known = known && builder->clock_known && !__builtin_sub_overflow(said_ns, mark->base_real_ns, &shift_ns);
    if (known && is_tame(builder->earliest_ns, shift_ns) && is_tame(builder->latest_ns, shift_ns))
        shift_file(builder, mark, shift_ns);
    else
        opli_builder_note(builder, "files do not say how their clocks relate: times are as each file has them", 1,
                          false);
}

void opli_builder_flag_spans(opli_builder *builder, size_t first_draft, uint8_t flags)
{
    draft_rest *rests = builder->draft_rests.items;
    for (size_t i = first_draft; i < builder->draft_count; i++)
        rests[i].flags |= flags;
}

/* ---- finishing ---- */

static bool comes_later(const draft_time *x, const draft_time *y)
{
    return x->start_ns != y->start_ns ? x->start_ns > y->start_ns : x->duration_ns < y->duration_ns;
}

/* Most writers keep the spans of a track in order, so only those that are not get sorted. */
static bool is_sorted(const draft_time *drafts, const uint32_t *order, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (comes_later(&drafts[order[i - 1]], &drafts[order[i]]))
            return false;
    return true;
}

/* Merge sort, since qsort need not be stable and equal spans keep the order of the file. */
static void sort_order(const draft_time *drafts, uint32_t *order, uint32_t *spare, size_t count)
{
    if (count < 2 || is_sorted(drafts, order, count))
        return;
    size_t half = count / 2, a = 0, b = half, out = 0;
    sort_order(drafts, order, spare, half);
    sort_order(drafts, order + half, spare, count - half);
    memcpy(spare, order, count * sizeof *order);
    while (a < half && b < count)
        order[out++] = comes_later(&drafts[spare[a]], &drafts[spare[b]]) ? spare[b++] : spare[a++];
    while (a < half)
        order[out++] = spare[a++];
    while (b < count)
        order[out++] = spare[b++];
}

/* Puts the drafts of each track together, in the order they came. */
static void order_by_track(const opli_builder *builder, uint32_t *order)
{
    const draft_time *drafts = builder->draft_times.items;
    opli_track *tracks = builder->trace->tracks.items;
    size_t next = 0, track_count = builder->trace->tracks.count;
    for (size_t i = 0; i < track_count; i++)
        tracks[i].first = tracks[i].end = 0;
    for (size_t i = 0; i < builder->draft_count; i++)
        tracks[drafts[i].track].end++;
    for (size_t i = 0; i < track_count; i++) {
        size_t count = tracks[i].end;
        tracks[i].first = tracks[i].end = next;
        next += count;
    }
    for (size_t i = 0; i < builder->draft_count; i++)
        order[tracks[drafts[i].track].end++] = (uint32_t)i;
}

/* A column of `count` items of its own, or NULL. */
static void *column(size_t count, size_t bytes) { return calloc(count + 1, bytes); }

static bool make_time_columns(opli_spans *spans, const draft_time *times, const uint32_t *order)
{
    spans->start_ns = column(spans->count, sizeof *spans->start_ns);
    spans->duration_ns = column(spans->count, sizeof *spans->duration_ns);
    spans->track = column(spans->count, sizeof *spans->track);
    spans->category = column(spans->count, sizeof *spans->category);
    bool ok = spans->start_ns && spans->duration_ns && spans->track && spans->category;
    for (size_t i = 0; ok && i < spans->count; i++) {
        const draft_time *time = &times[order[i]];
        spans->start_ns[i] = time->start_ns;
        spans->duration_ns[i] = time->duration_ns;
        spans->track[i] = time->track;
        spans->category[i] = time->category;
    }
    return ok;
}

static bool make_rest_columns(opli_spans *spans, const draft_rest *rests, const uint32_t *order)
{
    spans->name = column(spans->count, sizeof *spans->name);
    spans->first_arg = column(spans->count, sizeof *spans->first_arg);
    spans->arg_count = column(spans->count, sizeof *spans->arg_count);
    spans->kind = column(spans->count, sizeof *spans->kind);
    spans->flags = column(spans->count, sizeof *spans->flags);
    bool ok = spans->name && spans->first_arg && spans->arg_count && spans->kind && spans->flags;
    for (size_t i = 0; ok && i < spans->count; i++) {
        const draft_rest *rest = &rests[order[i]];
        spans->name[i] = rest->name;
        spans->first_arg[i] = rest->first_arg;
        spans->arg_count[i] = rest->arg_count;
        spans->kind[i] = rest->kind;
        spans->flags[i] = rest->flags;
    }
    return ok;
}

/* What nesting will fill. */
static bool make_nest_columns(opli_spans *spans)
{
    spans->parent = column(spans->count, sizeof *spans->parent);
    spans->depth = column(spans->count, sizeof *spans->depth);
    spans->lane = column(spans->count, sizeof *spans->lane);
    return spans->parent && spans->depth && spans->lane;
}

static bool make_columns(opli_builder *builder, const uint32_t *order)
{
    opli_spans *spans = &builder->trace->spans;
    spans->count = builder->draft_count;
    bool ok = make_time_columns(spans, builder->draft_times.items, order);
    opli_array_free(&builder->draft_times);
    ok = ok && make_rest_columns(spans, builder->draft_rests.items, order);
    opli_array_free(&builder->draft_rests);
    return ok && make_nest_columns(spans);
}

static bool sort_spans(opli_builder *builder)
{
    opli_trace *trace = builder->trace;
    opli_array order = {0}, spare = {0};
    size_t bytes = (builder->draft_count + 1) * sizeof(uint32_t);
    bool ok = opli_array_reserve(&order, bytes) && opli_array_reserve(&spare, bytes);
    if (ok)
        order_by_track(builder, order.items);
    for (size_t i = 0; ok && i < trace->tracks.count; i++) {
        const opli_track *track = &trace->tracks.items[i];
        sort_order(builder->draft_times.items, (uint32_t *)order.items + track->first, spare.items,
                   track->end - track->first);
    }
    opli_array_free(&spare);
    ok = ok && make_columns(builder, order.items);
    opli_array_free(&order);
    return ok;
}

opl_status opli_builder_finish(opli_builder *builder)
{
    bool ok = !builder->out_of_memory && sort_spans(builder);
    uint64_t crowded = 0;
    ok = ok && opli_trace_nest(builder->trace, &crowded) && opli_trace_bind(builder->trace);
    opli_builder_note(builder, "spans overlap 65,535 others of their track: they stand alone in its last lane", crowded,
                      false);
    ok = ok && !builder->out_of_memory;
    opli_array_free(&builder->draft_times);
    opli_array_free(&builder->draft_rests);
    opli_key_map_free(&builder->sum_rows);
    opli_key_map_free(&builder->process_rows);
    opli_key_map_free(&builder->track_rows);
    opli_key_map_free(&builder->device_rows);
    return ok ? OPL_OK : OPL_NOMEM;
}
