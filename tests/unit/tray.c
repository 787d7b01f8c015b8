/* tray.c - a slot of records laid out by hand. */
#include "tray.h"

#include <stdlib.h>
#include <string.h>

tray tray_new(uint64_t chunk, uint32_t thread, uint64_t base_tick)
{
    tray t = {aligned_alloc(OPL_SLOT_BYTES, OPL_SLOT_BYTES), 0};
    if (!t.slot)
        abort();
    memset(t.slot, 0, OPL_SLOT_BYTES);
    *t.slot = (opli_wire_slot){.chunk = chunk,
                               .base_tick = base_tick,
                               .address = (uint64_t)(uintptr_t)t.slot,
                               .state = OPLI_SLOT_FULL,
                               .thread = thread,
                               .magic = OPLI_SLOT_MAGIC};
    return t;
}

void tray_free(tray *t)
{
    free(t->slot);
    *t = (tray){NULL, 0};
}

uint32_t tray_count(const tray *t) { return t->used / OPL_RECORD_BYTES; }

uint32_t tray_room(const tray *t) { return (uint32_t)OPLI_SLOT_RECORDS - tray_count(t); }

uint64_t *tray_at(const tray *t, uint32_t index) { return (uint64_t *)(t->slot + 1) + 2ull * index; }

static uint32_t take(tray *t, uint32_t units)
{
    uint32_t index = tray_count(t);
    if (units > tray_room(t))
        abort();
    t->used += units * OPL_RECORD_BYTES;
    t->slot->used = t->used;
    return index;
}

uint32_t tray_words(tray *t, uint64_t first, uint64_t second)
{
    uint32_t index = take(t, 1);
    tray_at(t, index)[0] = first;
    tray_at(t, index)[1] = second;
    return index;
}

uint32_t tray_span(tray *t, uint32_t site, uint64_t start, uint64_t ticks)
{
    return tray_words(t, start, site | (ticks == TRAY_OPEN ? 0 : (ticks + 1) << OPLI_SITE_BITS));
}

uint32_t tray_tagged(tray *t, uint32_t tag, uint32_t key, uint32_t back, uint64_t value)
{
    uint32_t index = take(t, opli_record_units(tag, value));
    tray_at(t, index)[0] = value;
    tray_at(t, index)[1] = opli_record_word(tag, key, back, t->slot->chunk);
    return index;
}

uint32_t tray_bytes(tray *t, const void *bytes, uint32_t size, uint32_t flags)
{
    uint32_t index = tray_tagged(t, OPLI_TAG_BYTES, 0, 0, (uint64_t)flags << 32 | size);
    if (size)
        memcpy(tray_at(t, index) + 2, bytes, size);
    return index;
}

uint32_t tray_hole(tray *t, uint32_t units)
{
    uint32_t index = take(t, units);
    tray_at(t, index)[1] = opli_record_word(OPLI_TAG_HOLE, units, 0, t->slot->chunk);
    return index;
}
