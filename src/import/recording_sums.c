/* recording_sums.c - the time of a recording's spans, added up name by name. */
#define _GNU_SOURCE
#include "import/recording_sums.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "import/chunk_reader.h"
#include "import/clock_line.h"
#include "import/patches.h"
#include "wire/record_tags.h"

#define WORKERS 4u
#define DEPTH_MAX 4096u

/* A span that is not over at the time we are at. */
typedef struct frame {
    int64_t end_ns, duration_ns, children_ns;
    uint32_t site, children;
    uint32_t last_child; /* site */
    int64_t last_child_ns;
} frame;

/* What one worker adds up. */
typedef struct adding {
    const opli_recording *recording;
    const opli_site_fact *facts;
    const opli_patches *patches;
    opli_site_sum *sums;
    opli_clock_line line;
    int64_t previous_ns, previous_duration_ns; /* the thread's span before */
    size_t site_count;
    uint32_t depth;
    bool plain;
    frame frames[DEPTH_MAX];
    opli_chunk_records records;
} adding;

/* ---- spans ---- */

static void leave(adding *a)
{
    const frame *f = &a->frames[--a->depth];
    opli_site_sum *sum = &a->sums[f->site];
    sum->count++;
    sum->total_ns += f->duration_ns;
    sum->self_ns += f->duration_ns - f->children_ns;
    if (f->children == 1 && a->facts[f->last_child].merges && a->facts[f->site].merges &&
        a->facts[f->last_child].name == a->facts[f->site].name) {
        a->sums[f->last_child].count--; /* the same call once more; its own time stays */
        a->sums[f->last_child].total_ns -= f->last_child_ns;
    }
    if (!a->depth)
        return;
    frame *outer = &a->frames[a->depth - 1];
    outer->children++;
    outer->children_ns += f->duration_ns;
    outer->last_child = f->site;
    outer->last_child_ns = f->duration_ns;
}

/* False when the span does not fit among the others as it should: the store sorts spans by their start,
 * and of those that start together puts the longest first. */
static inline bool enter(adding *a, uint64_t start, uint64_t end, uint64_t site)
{
    int64_t start_ns = opli_clock_line_ns(&a->line, start), end_ns = opli_clock_line_ns(&a->line, end);
    int64_t duration_ns = end_ns - start_ns;
    bool in_order = start_ns > a->previous_ns || (start_ns == a->previous_ns && duration_ns <= a->previous_duration_ns);
    while (a->depth && start_ns >= a->frames[a->depth - 1].end_ns)
        leave(a);
    bool inside = !a->depth || end_ns <= a->frames[a->depth - 1].end_ns;
    if (!in_order || !inside || duration_ns < 0 || a->depth == DEPTH_MAX || site >= a->site_count)
        return false;
    a->previous_ns = start_ns;
    a->previous_duration_ns = duration_ns;
    frame *f = &a->frames[a->depth++];
    f->end_ns = end_ns;
    f->duration_ns = duration_ns;
    f->children_ns = 0;
    f->children = 0;
    f->site = (uint32_t)site;
    return true;
}

/* ---- a chunk's words ---- */

typedef struct words {
    const uint64_t *at, *end;
    uint64_t previous, last_site, chunk;
    uint64_t index; /* of the record that comes next */
} words;

/* A span whose end a later chunk says. */
static bool enter_open(adding *a, uint64_t chunk, uint64_t index, uint64_t start, uint64_t site)
{
    size_t first, end;
    opli_patches_find(a->patches, chunk, &first, &end);
    for (; first < end; first++) {
        const opli_patch *patch = &a->patches->all.items[first];
        if (patch->is_end && patch->index == index)
            return enter(a, start, patch->end_tick, site);
    }
    return false;
}

/* Whether a record adds no time: a number, bytes that no argument points to, or what is known already. */
static bool may_pass(uint32_t tag)
{
    return tag == OPLI_TAG_ARG_INT || tag == OPLI_TAG_ARG_UINT || tag == OPLI_TAG_ARG_REAL ||
           tag == OPLI_TAG_ARG_BOOL || tag == OPLI_TAG_BYTES || tag == OPLI_TAG_LATE_END || tag == OPLI_TAG_FAR;
}

static bool pass_tagged(words *w, uint64_t rest)
{
    uint32_t tag = OPL_SITE_LIMIT + (uint32_t)(rest >> 32 & 0xff);
    uint32_t units = may_pass(tag) && w->at < w->end ? opli_record_units(tag, *w->at) : 0;
    uint64_t count = 2ull * units - 1;
    if (!units || (uint64_t)(w->end - w->at) < count)
        return false;
    w->at += count;
    w->index += units;
    return true;
}

static bool enter_wide(adding *a, words *w, uint32_t code, uint64_t rest)
{
    uint32_t count = code == OPLI_PACK_WIDER ? 2 : 1;
    if (w->end - w->at < count)
        return false;
    uint64_t start = w->at[0], site = code == OPLI_PACK_WIDE ? rest >> 32 & OPLI_SITE_MASK : rest & OPLI_SITE_MASK;
    uint64_t ticks = code == OPLI_PACK_WIDE ? rest & 0xffffffff : count == 2 ? w->at[1] : 0;
    w->previous = start;
    w->last_site = site;
    w->at += count;
    bool fits =
        code == OPLI_PACK_OPEN ? enter_open(a, w->chunk, w->index, start, site) : enter(a, start, start + ticks, site);
    w->index++;
    return fits;
}

static bool enter_pair(adding *a, words *w, uint64_t rest)
{
    const uint64_t mask = (1u << OPLI_PACK_PAIR_BITS) - 1;
    uint64_t first = w->previous + (rest >> 26 & mask), second = first + (rest & mask);
    w->previous = second;
    w->index += 2;
    return enter(a, first, first + (rest >> 39 & mask), w->last_site) &&
           enter(a, second, second + (rest >> 13 & mask), w->last_site);
}

static bool read_unusual(adding *a, words *w, uint32_t code, uint64_t rest)
{
    switch (code) {
    case OPLI_PACK_PAIR: return enter_pair(a, w, rest);
    case OPLI_PACK_WIDE:
    case OPLI_PACK_WIDER:
    case OPLI_PACK_OPEN: return enter_wide(a, w, code, rest);
    case OPLI_PACK_INT: w->index++; return true;
    case OPLI_PACK_TAGGED: return pass_tagged(w, rest);
    case OPLI_PACK_HOLES: w->index += rest & 0xffffffff; return true;
    default: return false;
    }
}

/* A chunk as it was recorded. */
static bool add_records(adding *a, const opli_chunk_row *row)
{
    opli_record record;
    uint32_t at = 0;
    if (!opli_chunk_read(row, &a->records))
        return false;
    while (opli_record_next(row, &a->records, &at, &record)) {
        uint64_t start = record.words[0], ticks_and_one = record.words[1] >> OPLI_SITE_BITS;
        bool fits = record.tag >= OPL_SITE_LIMIT ? may_pass(record.tag)
                    : ticks_and_one              ? enter(a, start, start + ticks_and_one - 1, record.tag)
                                                 : enter_open(a, row->id, record.index, start, record.tag);
        if (!fits)
            return false;
    }
    return true;
}

static bool add_chunk(adding *a, const opli_chunk_row *row)
{
    opli_clock_line_move(&a->line, a->recording, row->base_tick);
    if (!row->packed || row->packed->encoding != OPLI_ENCODING_PACKED)
        return add_records(a, row);
    const uint64_t mask = (UINT64_C(1) << OPLI_PACK_TICK_BITS) - 1;
    const uint64_t *in = (const uint64_t *)(row->packed + 1);
    words w = {in, in + row->packed->size / sizeof *in, row->base_tick, 0, row->id, 0};
    while (w.at < w.end) {
        uint64_t word = *w.at++, code = word >> 52;
        bool fits;
        if (code < OPLI_PACK_SITES) {
            w.previous += word & mask;
            w.last_site = code;
            w.index++;
            fits = enter(a, w.previous, w.previous + (word >> OPLI_PACK_TICK_BITS & mask), code);
        } else {
            fits = read_unusual(a, &w, (uint32_t)code, word & ((UINT64_C(1) << 52) - 1));
        }
        if (!fits)
            return false;
    }
    return true;
}

/* ---- threads ---- */

/* The work that workers share: they take the chunks of one recorded thread at a time. */
typedef struct work {
    const opli_recording *recording;
    _Atomic size_t next; /* chunk */
    _Atomic bool given_up;
} work;

static size_t thread_end(const opli_recording *recording, size_t first)
{
    size_t end = first;
    while (end < recording->chunks.count &&
           recording->chunks.items[end].thread == recording->chunks.items[first].thread)
        end++;
    return end;
}

/* The chunks of a recorded thread that nobody has taken yet; false when there are none. */
static bool take_thread(work *w, size_t *first, size_t *end)
{
    *first = atomic_load(&w->next);
    do {
        if (*first >= w->recording->chunks.count || atomic_load(&w->given_up))
            return false;
        *end = thread_end(w->recording, *first);
    } while (!atomic_compare_exchange_weak(&w->next, first, *end));
    return true;
}

typedef struct worker {
    work *work;
    adding *adding;
    pthread_t thread;
    bool started;
} worker;

static void *add_threads(void *context)
{
    worker *me = context;
    adding *a = me->adding;
    size_t first, end;
    while (take_thread(me->work, &first, &end)) {
        a->previous_ns = INT64_MIN;
        a->previous_duration_ns = 0;
        for (size_t i = first; a->plain && i < end; i++)
            a->plain = add_chunk(a, &me->work->recording->chunks.items[i]);
        while (a->depth)
            leave(a);
        if (!a->plain)
            atomic_store(&me->work->given_up, true);
    }
    return NULL;
}

static adding *adding_new(opli_recording *recording, const opli_site_fact *facts, const opli_patches *patches)
{
    adding *a = malloc(sizeof *a);
    opli_site_sum *sums = calloc(recording->sites.count + 1, sizeof *sums);
    if (!a || !sums) {
        free(a);
        free(sums);
        return NULL;
    }
    memset(a, 0, offsetof(adding, frames));
    a->recording = recording;
    a->facts = facts;
    a->patches = patches;
    a->sums = sums;
    a->site_count = recording->sites.count;
    a->plain = true;
    return a;
}

static void adding_free(adding *a)
{
    if (a)
        free(a->sums);
    free(a);
}

static void start_workers(worker *workers, work *w, opli_recording *recording, const opli_site_fact *facts,
                          const opli_patches *patches)
{
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (worker){.work = w, .adding = adding_new(recording, facts, patches)};
        workers[i].started =
            i && workers[i].adding && pthread_create(&workers[i].thread, NULL, add_threads, &workers[i]) == 0;
    }
}

/* All workers' sums in one. */
static bool collect(worker *workers, opli_site_sum *sums, size_t site_count)
{
    bool plain = true;
    for (unsigned i = 0; i < WORKERS; i++) {
        const adding *a = workers[i].adding;
        plain = plain && (!a || a->plain);
        for (size_t site = 0; a && site < site_count; site++) {
            sums[site].count += a->sums[site].count;
            sums[site].total_ns += a->sums[site].total_ns;
            sums[site].self_ns += a->sums[site].self_ns;
        }
        adding_free(workers[i].adding);
    }
    return plain;
}

bool opli_recording_sum(opli_recording *recording, const opli_site_fact *facts, opli_site_sum *sums)
{
    worker workers[WORKERS];
    opli_patches patches = {{0}};
    work w = {.recording = recording};
    if (recording->damage_count || opli_patches_collect(recording, &patches) != OPL_OK)
        return false;
    start_workers(workers, &w, recording, facts, &patches);
    bool ours = workers[0].adding != NULL;
    if (ours)
        add_threads(&workers[0]);
    for (unsigned i = 1; i < WORKERS; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    bool plain = collect(workers, sums, recording->sites.count);
    opli_patches_free(&patches);
    return plain && ours && !recording->damage_count;
}
