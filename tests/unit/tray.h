/* tray.h - a slot of records laid out by hand, as a recording thread would have left it.
 * Lifetime: tray_new() to tray_free(); a record's place is its index in the slot. */
#ifndef OPLI_TESTS_TRAY_H
#define OPLI_TESTS_TRAY_H

#include <stddef.h>
#include <stdint.h>

#include "wire/chunk.h"
#include "wire/record_tags.h"

#define TRAY_OPEN UINT64_MAX /* the ticks of a span that has not ended */

typedef struct tray {
    opli_wire_slot *slot;
    uint32_t used; /* bytes of records */
} tray;

tray tray_new(uint64_t chunk, uint32_t thread, uint64_t base_tick);
void tray_free(tray *t);

/* Records there are, and records there is still room for. */
uint32_t tray_count(const tray *t);
uint32_t tray_room(const tray *t);

/* Each adds one record and returns its index; there must be room. */
uint32_t tray_span(tray *t, uint32_t site, uint64_t start, uint64_t ticks);
uint32_t tray_tagged(tray *t, uint32_t tag, uint32_t key, uint32_t back, uint64_t value);
uint32_t tray_bytes(tray *t, const void *bytes, uint32_t size, uint32_t flags);
uint32_t tray_hole(tray *t, uint32_t units);
uint32_t tray_words(tray *t, uint64_t first, uint64_t second); /* anything at all */

/* The record's words, to fill those behind the first two. */
uint64_t *tray_at(const tray *t, uint32_t index);

#endif
