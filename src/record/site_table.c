/* site_table.c - every name that was ever recorded in this process, once.
 *
 * A hash table that never moves: when the places for a hash in one level are taken, the next and
 * larger level is tried. A slot is filled once, by compare and swap, with a finished entry. */
#include "record/site_table.h"

#include <stdatomic.h>
#include <string.h>

#include "os/memory.h"
#include "record/process.h"

#define LEVELS 5
#define PROBES 8
#define BLOCK_BYTES (64u * 1024)
#define NAME_MAX_BYTES 4096u

typedef struct entry {
    uint64_t hash;
    opl_site site; /* handed out by opl_site_find(); its name and file are copies */
    uint32_t name_bytes;
    uint32_t file_bytes;
    _Atomic uint32_t session; /* the trace that has it */
} entry;

typedef _Atomic(entry *) slot;
static const unsigned level_bits[LEVELS] = {10, 13, 16, 19, 21};
static _Atomic(slot *) levels[LEVELS];
static _Atomic uint32_t next_id = 2;

/* Id 1 stands in for the names there is no room for. */
static entry too_many = {.site = {.id = 1, .category = OPL_CAT_LABEL, .level = 1, .name = "(too many names)"},
                         .name_bytes = sizeof "(too many names)" - 1};

/* ---- memory ---- */

/* Small pieces of memory that stay, cut from larger blocks. */
typedef struct memory_block {
    _Atomic size_t used;
    uint8_t bytes[BLOCK_BYTES - sizeof(size_t)];
} memory_block;
static _Atomic(memory_block *) newest_block;

static void *keep(size_t size)
{
    size = (size + 15) / 16 * 16;
    if (size > BLOCK_BYTES / 4)
        return opli_pages_new(size);
    for (;;) {
        memory_block *block = atomic_load(&newest_block);
        size_t at = block ? atomic_fetch_add(&block->used, size) : sizeof block->bytes;
        if (at + size <= sizeof block->bytes)
            return block->bytes + at;
        memory_block *fresh = opli_pages_new(sizeof *fresh);
        if (!fresh)
            return NULL;
        fresh->used = 8; /* so that pieces start on 16 bytes */
        if (!atomic_compare_exchange_strong(&newest_block, &block, fresh))
            opli_pages_free(fresh, sizeof *fresh);
    }
}

static slot *level_get(unsigned level)
{
    slot *slots = atomic_load(&levels[level]);
    if (slots)
        return slots;
    size_t size = sizeof(slot) << level_bits[level];
    slot *fresh = opli_pages_new(size);
    if (fresh && atomic_compare_exchange_strong(&levels[level], &slots, fresh))
        return fresh;
    opli_pages_free(fresh, size);
    return slots; /* another thread's, or NULL when there is no memory */
}

/* ---- look-up ---- */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3u;
    return hash;
}

typedef struct wanted {
    const opl_site *site;
    size_t name_bytes, file_bytes;
    uint64_t hash;
} wanted;

static wanted want(const opl_site *site)
{
    wanted w = {.site = site};
    w.name_bytes = strnlen(site->name, NAME_MAX_BYTES);
    w.file_bytes = site->file ? strnlen(site->file, NAME_MAX_BYTES) : 0;
    uint64_t head = (uint64_t)site->category << 48 | (uint64_t)site->level << 40 | site->line;
    uint64_t hash = hash_bytes(0xcbf29ce484222325u ^ head * 0x9e3779b97f4a7c15u, site->name, w.name_bytes);
    hash = hash_bytes(hash, site->file ? site->file : "", w.file_bytes);
    w.hash = hash ^ hash >> 31;
    return w;
}

static bool matches(const entry *e, const wanted *w)
{
    return e->hash == w->hash && e->name_bytes == w->name_bytes && e->file_bytes == w->file_bytes &&
           e->site.category == w->site->category && e->site.level == w->site->level && e->site.line == w->site->line &&
           memcmp(e->site.name, w->site->name, w->name_bytes) == 0 &&
           (!w->file_bytes || memcmp(e->site.file, w->site->file, w->file_bytes) == 0);
}

static entry *entry_new(const wanted *w)
{
    entry *e = keep(sizeof *e + w->name_bytes + w->file_bytes + 2);
    if (!e)
        return NULL;
    char *text = (char *)(e + 1);
    memcpy(text, w->site->name, w->name_bytes);
    if (w->file_bytes)
        memcpy(text + w->name_bytes + 1, w->site->file, w->file_bytes);
    e->hash = w->hash;
    e->name_bytes = (uint32_t)w->name_bytes;
    e->file_bytes = (uint32_t)w->file_bytes;
    e->site = (opl_site){.id = atomic_fetch_add(&next_id, 1), /* another thread may be setting the given site's */
                         .category = w->site->category,
                         .level = w->site->level,
                         .line = w->site->line,
                         .name = text,
                         .file = w->file_bytes ? text + w->name_bytes + 1 : NULL};
    if (e->site.id >= OPL_SITE_LIMIT) {
        atomic_store(&next_id, OPL_SITE_LIMIT); /* no more, and no wrapping round */
        return NULL;
    }
    return e;
}

static entry *find(const wanted *w)
{
    entry *fresh = NULL;
    for (unsigned level = 0; level < LEVELS; level++) {
        slot *slots = level_get(level);
        if (!slots)
            return NULL;
        uint64_t mask = (UINT64_C(1) << level_bits[level]) - 1;
        for (unsigned probe = 0; probe < PROBES; probe++) {
            slot *place = &slots[(w->hash + probe) & mask];
            entry *e = atomic_load(place);
            if (!e) {
                fresh = fresh ? fresh : entry_new(w);
                if (!fresh || atomic_compare_exchange_strong(place, &e, fresh))
                    return fresh;
            }
            if (matches(e, w))
                return e; /* `fresh`, if any, is small change and an id that nobody uses */
        }
    }
    return NULL;
}

/* ---- the trace ---- */

static void announce(opli_journal *journal, entry *e, uint32_t session)
{
    opli_entry_site body = {.id = e->site.id,
                            .line = e->site.line,
                            .category = e->site.category,
                            .level = e->site.level,
                            .name_bytes = (uint16_t)e->name_bytes,
                            .file_bytes = (uint16_t)e->file_bytes};
    opli_piece pieces[] = {{e->site.name, e->name_bytes}, {e->site.file, e->file_bytes}};
    if (opli_journal_add(journal, OPLI_ENTRY_SITE, &body, sizeof body, 0, pieces, e->file_bytes ? 2 : 1))
        atomic_store(&e->session, session);
    else
        opli_process_drop(OPLI_DROP_NAMES);
}

static opl_site *intern(const opl_site *site)
{
    wanted w = want(site);
    entry *e = find(&w);
    if (!e) {
        opli_process_drop(OPLI_DROP_NAMES);
        return &too_many.site;
    }
    if (atomic_load(&e->session) != opli_process_session() && opli_process_enter(OPLI_PROCESS_STARTING)) {
        announce(opli_process_journal(), e, opli_process_session());
        opli_process_leave();
    }
    return &e->site;
}

void opli_site_announce_all(opli_journal *journal)
{
    uint32_t session = opli_process_session();
    announce(journal, &too_many, session);
    for (unsigned level = 0; level < LEVELS; level++) {
        slot *slots = atomic_load(&levels[level]);
        for (size_t i = 0; slots && i < (size_t)1 << level_bits[level]; i++) {
            entry *e = atomic_load(&slots[i]);
            if (e)
                announce(journal, e, session);
        }
    }
}

uint32_t opli_site_id(opl_site *site)
{
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
    if (!id) {
        id = __atomic_load_n(&intern(site)->id, __ATOMIC_RELAXED);
        __atomic_store_n(&site->id, id, __ATOMIC_RELAXED);
    }
    return id;
}

opl_site *opl_site_find(const char *name, opl_category category, int level)
{
    opl_site site = {.category = (uint16_t)category, .level = (uint16_t)(level > 1 ? 2 : 1), .name = name ? name : ""};
    return intern(&site);
}

opl_site *opl_key_find(const char *name)
{
    opl_site site = {.category = OPL_SITE_KEY, .level = 1, .name = name ? name : ""};
    return intern(&site);
}
