/* patches.h - what later chunks say of spans in earlier ones: when they ended, and more arguments. */
#ifndef OPLI_IMPORT_PATCHES_H
#define OPLI_IMPORT_PATCHES_H

#include "import/events.h"

typedef struct opli_patch {
    uint64_t chunk; /* the span's */
    uint32_t index;
    bool is_end;
    uint64_t end_tick;
    opli_argument argument; /* its bytes are owned */
} opli_patch;

typedef struct opli_patches {
    OPLI_VECTOR(opli_patch) all; /* by chunk, then index */
} opli_patches;

/* Collects them from all chunks. */
opl_status opli_patches_collect(opli_recording *recording, opli_patches *patches);
void opli_patches_free(opli_patches *patches);

/* Those for a chunk: [*first, *end). */
void opli_patches_find(const opli_patches *patches, uint64_t chunk, size_t *first, size_t *end);

#endif
