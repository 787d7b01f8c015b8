/* forge.h - recordings made by hand, in memory: sound ones, and false ones with sums that are right.
 *
 *     forge f = {0};
 *     forge_header(&f, OPLI_FILE_CLOSED);
 *     forge_journal(&f, 1);
 *     forge_site(&f, 7, OPL_CAT_OP, "conv");
 *     forge_chunk(&f, &tray);
 *     forge_seal(&f);                        // f.bytes and f.size are a file
 *     forge_free(&f);
 */
#ifndef OPLI_TESTS_FORGE_H
#define OPLI_TESTS_FORGE_H

#include <stddef.h>
#include <stdint.h>

#include "tray.h"
#include "wire/journal_entry.h"

typedef struct forge {
    uint8_t *bytes; /* aligned to 64 */
    size_t size, capacity;
    size_t journal; /* where the newest journal block is */
} forge;

/* The parts of a file, in the order they are added. The clock is the TSC at 1 GHz unless changed. */
void forge_header(forge *f, uint32_t state);
void forge_journal(forge *f, size_t pages);
void forge_chunk(forge *f, const tray *t);
void forge_stream(forge *f, const tray *slots, size_t count); /* slots of a file that is being recorded */
void forge_more_slots(forge *f, uint64_t stream, const tray *slots, size_t count); /* of the stream at that byte */
void forge_zeros(forge *f, size_t size);
void forge_raw(forge *f, const void *bytes, size_t size);

/* Entries of the newest journal. */
void forge_entry(forge *f, uint16_t kind, const void *body, size_t body_bytes, const char *texts, size_t text_bytes);
void forge_site(forge *f, uint32_t id, uint16_t category, const char *name);
void forge_thread(forge *f, uint32_t ordinal, uint32_t tid, const char *name);
void forge_device(forge *f, uint32_t id, const char *name, const char *kind, double clock_hz);
void forge_track(forge *f, uint32_t id, uint32_t device, const char *name);
void forge_clock(forge *f, uint64_t tick, int64_t monotonic_ns, int64_t real_ns);
void forge_anchor(forge *f, uint32_t device, int64_t device_ticks, int64_t host_ns);
void forge_metadata(forge *f, const char *key, const char *value);
void forge_control(forge *f, uint64_t tick, uint64_t what, uint64_t value);

/* To be changed before sealing. */
opli_wire_header *forge_header_get(forge *f);

/* Sets the tail and the checksum. */
void forge_seal(forge *f);
void forge_free(forge *f);

/* Corrects every sum in a file of any contents, so that what is behind the sums is reached. */
void forge_mend(uint8_t *bytes, size_t size);

#endif
