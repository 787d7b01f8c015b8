/* declaration.c - what the program declared for good: devices, tracks, clock anchors, metadata. */
#include "record/declaration.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <oplens/device.h>
#include <oplens/record.h>

#include "os/memory.h"
#include "record/process.h"

#define TEXT_MAX 60000u

/* A declaration is one journal entry, kept as it is written. Newest first; never freed. */
typedef struct declaration {
    struct declaration *next;
    uint16_t kind; /* enum opli_entry_kind */
    uint32_t body_bytes;
    uint32_t total_bytes;
    uint64_t bytes[];
} declaration;

static _Atomic(declaration *) newest;

#define ANCHORED_DEVICES_MAX 64
static struct {
    pthread_mutex_t lock;
    opli_entry_anchor newest[ANCHORED_DEVICES_MAX];
    size_t count;
} anchors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic uint32_t next_device = 1, next_track = 1;

static void announce(opli_journal *journal, const declaration *d)
{
    opli_piece rest = {(const char *)d->bytes + d->body_bytes, d->total_bytes - d->body_bytes};
    opli_journal_add(journal, d->kind, d->bytes, d->body_bytes, d->body_bytes, &rest, rest.size ? 1 : 0);
}

static void announce_anchors(opli_journal *journal)
{
    if (pthread_mutex_trylock(&anchors.lock) != 0)
        return; /* somebody is setting one: it will be in the trace by itself */
    for (size_t i = 0; i < anchors.count; i++)
        opli_journal_add(journal, OPLI_ENTRY_ANCHOR, &anchors.newest[i], sizeof anchors.newest[i],
                         sizeof anchors.newest[i], NULL, 0);
    pthread_mutex_unlock(&anchors.lock);
}

/* Oldest first, so that of two values for one key the later one is read last. */
void opli_declaration_announce_all(opli_journal *journal)
{
    const declaration *head = atomic_load(&newest);
    size_t count = 0;
    for (const declaration *d = head; d; d = d->next)
        count++;
    const declaration **all = count ? opli_pages_new(count * sizeof *all) : NULL;
    size_t at = count;
    for (const declaration *d = head; all && d; d = d->next)
        all[--at] = d;
    for (; all && at < count; at++)
        announce(journal, all[at]);
    opli_pages_free(all, count * sizeof *all);
    announce_anchors(journal);
}

void opli_declaration_forked(void) { pthread_mutex_init(&anchors.lock, NULL); }

/* ---- adding ---- */

static bool is_same(const declaration *d, const declaration *other)
{
    size_t id_bytes = d->kind == OPLI_ENTRY_DEVICE || d->kind == OPLI_ENTRY_TRACK ? sizeof(uint32_t) : 0;
    return d->kind == other->kind && d->total_bytes == other->total_bytes &&
           memcmp((const uint8_t *)d->bytes + id_bytes, (const uint8_t *)other->bytes + id_bytes,
                  d->total_bytes - id_bytes) == 0;
}

/* A value for a key that had another one in between is news. */
static bool is_other_value(const declaration *d, const declaration *other)
{
    if (d->kind != OPLI_ENTRY_METADATA || other->kind != OPLI_ENTRY_METADATA)
        return false;
    opli_entry_metadata a, b;
    memcpy(&a, d->bytes, sizeof a);
    memcpy(&b, other->bytes, sizeof b);
    return a.key_bytes == b.key_bytes &&
           memcmp((const uint8_t *)d->bytes + sizeof a, (const uint8_t *)other->bytes + sizeof b, a.key_bytes) == 0;
}

static declaration *declaration_new(uint16_t kind, const void *body, size_t body_bytes, const opli_piece *pieces,
                                    size_t count)
{
    size_t total = body_bytes;
    for (size_t i = 0; i < count; i++)
        total += pieces[i].size;
    declaration *d = opli_pages_new(sizeof *d + total + sizeof(uint64_t));
    if (!d)
        return NULL;
    uint8_t *to = (uint8_t *)d->bytes + body_bytes;
    memcpy(d->bytes, body, body_bytes);
    for (size_t i = 0; i < count; to += pieces[i].size, i++)
        memcpy(to, pieces[i].text, pieces[i].size);
    d->kind = kind;
    d->body_bytes = (uint32_t)body_bytes;
    d->total_bytes = (uint32_t)total;
    return d;
}

/* Adds it unless the same thing is there already; which of the two it is now. */
static const declaration *declare(uint16_t kind, const void *body, size_t body_bytes, const opli_piece *pieces,
                                  size_t count)
{
    declaration *fresh = declaration_new(kind, body, body_bytes, pieces, count);
    declaration *head = atomic_load(&newest);
    if (!fresh)
        return NULL;
    do {
        for (const declaration *d = head; d; d = d->next) {
            if (is_same(d, fresh)) {
                opli_pages_free(fresh, sizeof *fresh + fresh->total_bytes + sizeof(uint64_t));
                return d;
            }
            if (is_other_value(d, fresh))
                break;
        }
        fresh->next = head;
    } while (!atomic_compare_exchange_weak(&newest, &head, fresh));
    if (opli_process_enter(OPLI_PROCESS_STARTING)) {
        announce(opli_process_journal(), fresh);
        opli_process_leave();
    }
    return fresh;
}

static uint32_t id_of(const declaration *d)
{
    uint32_t id = 0;
    if (d)
        memcpy(&id, d->bytes, sizeof id);
    return id;
}

static opli_piece piece(const char *text) { return (opli_piece){text ? text : "", text ? strnlen(text, TEXT_MAX) : 0}; }

uint32_t opl_device_declare(const char *name, const char *kind, double clock_hz)
{
    opli_piece pieces[] = {piece(name), piece(kind)};
    opli_entry_device body = {.id = atomic_fetch_add(&next_device, 1),
                              .name_bytes = (uint16_t)pieces[0].size,
                              .kind_bytes = (uint16_t)pieces[1].size,
                              .clock_hz = clock_hz > 0 ? clock_hz : 0};
    return id_of(declare(OPLI_ENTRY_DEVICE, &body, sizeof body, pieces, 2));
}

uint32_t opl_track_declare(uint32_t device, const char *name, uint32_t index)
{
    opli_piece pieces[] = {piece(name)};
    opli_entry_track body = {.id = atomic_fetch_add(&next_track, 1),
                             .device = device,
                             .index = index,
                             .name_bytes = (uint32_t)pieces[0].size};
    return id_of(declare(OPLI_ENTRY_TRACK, &body, sizeof body, pieces, 1));
}

/* The newest anchor of each device goes into every recording that begins after it. */
static void keep_anchor(const opli_entry_anchor *anchor)
{
    if (pthread_mutex_trylock(&anchors.lock) != 0)
        return; /* another thread is at it, with one as good */
    size_t i = 0;
    while (i < anchors.count && anchors.newest[i].device != anchor->device)
        i++;
    if (i < ANCHORED_DEVICES_MAX) {
        anchors.newest[i] = *anchor;
        anchors.count += i == anchors.count;
    }
    pthread_mutex_unlock(&anchors.lock);
}

void opl_device_anchor(uint32_t device, int64_t device_ticks, int64_t host_ns)
{
    opli_entry_anchor body = {device, device_ticks, host_ns};
    keep_anchor(&body);
    if (opli_process_enter(OPLI_PROCESS_RECORDING)) {
        opli_journal_add(opli_process_journal(), OPLI_ENTRY_ANCHOR, &body, sizeof body, sizeof body, NULL, 0);
        opli_process_leave();
    }
}

void opl_metadata_set(const char *key, const char *value)
{
    opli_piece pieces[] = {piece(key), piece(value)};
    opli_entry_metadata body = {(uint32_t)pieces[0].size, (uint32_t)pieces[1].size};
    declare(OPLI_ENTRY_METADATA, &body, sizeof body, pieces, 2);
}
