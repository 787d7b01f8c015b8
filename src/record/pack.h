/* pack.h - turn a full slot of 16-byte records into a chunk of the file, at about 8 bytes a span. */
#ifndef OPLI_RECORD_PACK_H
#define OPLI_RECORD_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/chunk.h"

/* Packs the first `used` bytes of records of `slot` into `out`, which has OPL_SLOT_BYTES of space.
 * Returns the bytes made, a multiple of OPLI_CHUNK_ALIGN; or 0 when a record is reserved and not
 * written yet (its thread is in a signal handler), unless this is the `last` chance for it. */
size_t opli_chunk_pack(const opli_wire_slot *slot, uint32_t used, bool last, opli_wire_chunk *out);

#endif
