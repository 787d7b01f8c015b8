/* journal_reader.c - read the entries of a journal block into a recording's rows. */
#include "import/journal_reader.h"

#include <stdlib.h>
#include <string.h>

/* Where we are in an entry's body; reading beyond its end makes it bad. */
typedef struct body {
    const uint8_t *at;
    size_t left;
    bool bad;
} body;

static const void *take(body *b, size_t size)
{
    if (size > b->left) {
        b->bad = true;
        return NULL;
    }
    const void *taken = b->at;
    b->at += size;
    b->left -= size;
    return taken;
}

static opli_span_text take_text(body *b, size_t size)
{
    const char *bytes = take(b, size);
    return (opli_span_text){bytes ? bytes : "", bytes ? size : 0};
}

/* ---- one function per kind; each false only when there is no memory ---- */

static bool read_site(opli_recording *recording, body *b)
{
    const opli_entry_site *site = take(b, sizeof *site);
    if (!site)
        return true;
    opli_span_text name = take_text(b, site->name_bytes), file = take_text(b, site->file_bytes);
    if (b->bad || !site->id || site->id >= OPL_SITE_LIMIT)
        return true;
    while (recording->sites.count <= site->id) {
        opli_site_row *row = opli_vector_add(&recording->sites);
        if (!row)
            return false;
    }
    recording->sites.items[site->id] = (opli_site_row){site->id, site->line, site->category, site->level, name, file};
    return true;
}

static bool read_thread(opli_recording *recording, body *b)
{
    const opli_entry_thread *thread = take(b, sizeof *thread);
    opli_thread_row *row = thread ? opli_vector_add(&recording->threads) : NULL;
    if (!row)
        return !thread;
    *row = (opli_thread_row){.ordinal = thread->ordinal,
                             .tid = thread->tid,
                             .start_tick = thread->start_tick,
                             .end_tick = thread->end_tick,
                             .name = {thread->name, strnlen(thread->name, sizeof thread->name)}};
    memcpy(row->dropped, thread->dropped, sizeof row->dropped);
    return true;
}

static bool read_device(opli_recording *recording, body *b)
{
    const opli_entry_device *device = take(b, sizeof *device);
    opli_device_row *row = device ? opli_vector_add(&recording->devices) : NULL;
    if (!row)
        return !device;
    *row = (opli_device_row){.id = device->id, .clock_hz = device->clock_hz};
    row->name = take_text(b, device->name_bytes);
    row->kind = take_text(b, device->kind_bytes);
    return true;
}

static bool read_track(opli_recording *recording, body *b)
{
    const opli_entry_track *track = take(b, sizeof *track);
    opli_track_row *row = track ? opli_vector_add(&recording->tracks) : NULL;
    if (!row)
        return !track;
    *row = (opli_track_row){.id = track->id, .device = track->device, .index = track->index};
    row->name = take_text(b, track->name_bytes);
    return true;
}

static bool read_metadata(opli_recording *recording, body *b)
{
    const opli_entry_metadata *metadata = take(b, sizeof *metadata);
    opli_metadata_row *row = metadata ? opli_vector_add(&recording->metadata) : NULL;
    if (!row)
        return !metadata;
    row->key = take_text(b, metadata->key_bytes);
    row->value = take_text(b, metadata->value_bytes);
    return true;
}

/* A kind whose row is the entry as it stands. */
#define READ_PLAIN(function, rows, type)                              \
    static bool function(opli_recording *recording, body *b)          \
    {                                                                 \
        const type *entry = take(b, sizeof *entry);                   \
        type *row = entry ? opli_vector_add(&recording->rows) : NULL; \
        if (row)                                                      \
            *row = *entry;                                            \
        return row || !entry;                                         \
    }
READ_PLAIN(read_anchor, anchors, opli_entry_anchor)
READ_PLAIN(read_clock, clocks, opli_entry_clock)
READ_PLAIN(read_control, controls, opli_entry_control)

static bool read_entry(opli_recording *recording, const opli_entry *entry, bool *bad)
{
    body b = {(const uint8_t *)(entry + 1), entry->size - sizeof *entry, false};
    bool memory = true;
    switch (entry->kind) {
    case OPLI_ENTRY_SITE: memory = read_site(recording, &b); break;
    case OPLI_ENTRY_THREAD: memory = read_thread(recording, &b); break;
    case OPLI_ENTRY_DEVICE: memory = read_device(recording, &b); break;
    case OPLI_ENTRY_TRACK: memory = read_track(recording, &b); break;
    case OPLI_ENTRY_ANCHOR: memory = read_anchor(recording, &b); break;
    case OPLI_ENTRY_CLOCK: memory = read_clock(recording, &b); break;
    case OPLI_ENTRY_METADATA: memory = read_metadata(recording, &b); break;
    case OPLI_ENTRY_CONTROL: memory = read_control(recording, &b); break;
    default: break; /* a later version's: not for us */
    }
    *bad = b.bad;
    return memory;
}

/* ---- the block ---- */

/* Bytes that may be summed in vain: what looks like an entry at every word, and is none, is no journal. */
#define PATIENCE_BYTES (16u << 20)

static bool is_sound(const opli_entry *entry, size_t available, uint64_t *in_vain)
{
    if (entry->magic != OPLI_ENTRY_MAGIC || entry->size < sizeof *entry || entry->size > available || entry->size % 8 ||
        entry->fixed % 8 || entry->fixed > entry->size - sizeof *entry)
        return false;
    bool sound = entry->sum == opli_entry_sum(opli_entry_first(entry->kind, entry->size), entry->fixed, entry + 1);
    *in_vain += sound ? 0 : entry->fixed;
    return sound;
}

/* Zeros were reserved and never written; anything else that is not sound is damage, noted once. */
static bool note_gap(opli_recording *recording, uint64_t offset, const void *word, bool noted)
{
    uint64_t value;
    memcpy(&value, word, sizeof value);
    if (!noted && value && recording->header.state == OPLI_FILE_CLOSED) {
        opli_recording_damaged(recording, "the journal is damaged at byte %llu", (unsigned long long)offset);
        return true;
    }
    return noted;
}

static opl_status read_sound(opli_recording *recording, uint64_t offset, const opli_entry *entry)
{
    bool bad = false;
    if (!read_entry(recording, entry, &bad))
        return OPL_NOMEM;
    if (bad)
        opli_recording_damaged(recording, "a journal entry is too short at byte %llu", (unsigned long long)offset);
    return OPL_OK;
}

/* What `used` says is not covered by a sum, so entries are looked for behind it too. */
opl_status opli_journal_read(opli_recording *recording, uint64_t offset, const opli_wire_block *block)
{
    const uint8_t *entries = (const uint8_t *)(block + 1);
    size_t capacity = block->size - sizeof *block, at = 0;
    uint64_t in_vain = 0;
    opl_status st = OPL_OK;
    bool noted = false;
    while (st == OPL_OK && at + sizeof(opli_entry) <= capacity && in_vain < PATIENCE_BYTES) {
        const opli_entry *entry = (const opli_entry *)(const void *)(entries + at);
        uint64_t here = offset + sizeof *block + at;
        if (is_sound(entry, capacity - at, &in_vain)) {
            st = read_sound(recording, here, entry);
            noted = false;
            at += entry->size;
        } else {
            noted = note_gap(recording, here, entry, noted || at >= block->used);
            at += 8;
        }
    }
    if (in_vain >= PATIENCE_BYTES)
        opli_recording_damaged(recording, "the journal at byte %llu cannot be read", (unsigned long long)offset);
    return st;
}

/* ---- settling ---- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_ordinal(const void *a, const void *b)
{
    return COMPARE(((const opli_thread_row *)a)->ordinal, ((const opli_thread_row *)b)->ordinal);
}

static int by_track(const void *a, const void *b)
{
    return COMPARE(((const opli_track_row *)a)->id, ((const opli_track_row *)b)->id);
}

static int by_device(const void *a, const void *b)
{
    return COMPARE(((const opli_device_row *)a)->id, ((const opli_device_row *)b)->id);
}

static int by_clock(const void *a, const void *b)
{
    return COMPARE(((const opli_entry_clock *)a)->tick, ((const opli_entry_clock *)b)->tick);
}

static int by_anchor(const void *a, const void *b)
{
    const opli_entry_anchor *x = a, *y = b;
    return x->device != y->device ? COMPARE(x->device, y->device) : COMPARE(x->device_ticks, y->device_ticks);
}

static int by_control(const void *a, const void *b)
{
    return COMPARE(((const opli_entry_control *)a)->tick, ((const opli_entry_control *)b)->tick);
}

#define SORT(rows, order)                                                   \
    do {                                                                    \
        if ((rows).count > 1)                                               \
            qsort((rows).items, (rows).count, sizeof *(rows).items, order); \
    } while (0)

/* A second session of the same file writes its declarations again. */
#define UNIQUE(rows, field)                                                     \
    do {                                                                        \
        size_t kept = 0;                                                        \
        for (size_t i = 0; i < (rows).count; i++)                               \
            if (!kept || (rows).items[kept - 1].field != (rows).items[i].field) \
                (rows).items[kept++] = (rows).items[i];                         \
        (rows).count = kept;                                                    \
    } while (0)

static bool same_text(opli_span_text a, opli_span_text b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* Texts are in the file, and so their addresses are in the order they were written. */
static int by_place(const void *a, const void *b)
{
    return COMPARE(((const opli_metadata_row *)a)->key.bytes, ((const opli_metadata_row *)b)->key.bytes);
}

static int by_key_and_place(const void *a, const void *b)
{
    opli_span_text x = ((const opli_metadata_row *)a)->key, y = ((const opli_metadata_row *)b)->key;
    int order = x.length != y.length ? COMPARE(x.length, y.length) : memcmp(x.bytes, y.bytes, x.length);
    return order ? order : by_place(a, b);
}

/* Of several values for one key the last one stands, in the place of the first. */
static void settle_metadata(opli_recording *recording)
{
    opli_metadata_row *rows = recording->metadata.items;
    size_t kept = 0;
    SORT(recording->metadata, by_key_and_place);
    for (size_t i = 0; i < recording->metadata.count; i++) {
        if (kept && same_text(rows[kept - 1].key, rows[i].key))
            rows[kept - 1].value = rows[i].value;
        else
            rows[kept++] = rows[i];
    }
    recording->metadata.count = kept;
    SORT(recording->metadata, by_place);
}

opl_status opli_journal_settle(opli_recording *recording)
{
    SORT(recording->threads, by_ordinal);
    SORT(recording->tracks, by_track);
    SORT(recording->devices, by_device);
    SORT(recording->clocks, by_clock);
    SORT(recording->anchors, by_anchor);
    SORT(recording->controls, by_control);
    UNIQUE(recording->threads, ordinal);
    UNIQUE(recording->tracks, id);
    UNIQUE(recording->devices, id);
    UNIQUE(recording->clocks, tick);
    settle_metadata(recording);
    return OPL_OK;
}
