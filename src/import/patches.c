/* patches.c - what later chunks say of spans in earlier ones. */
#include "import/patches.h"

#include <stdlib.h>
#include <string.h>

#include "import/arguments.h"
#include "import/chunk_reader.h"

/* Keeps the argument's bytes beyond the chunk they came from. */
static bool own_bytes(opli_argument *argument)
{
    if (!argument->size)
        return true;
    uint8_t *copy = malloc(argument->size);
    if (!copy)
        return false;
    memcpy(copy, argument->bytes, argument->size);
    argument->bytes = copy;
    return true;
}

static opl_status add(opli_patches *patches, opli_patch patch)
{
    opli_patch *added = opli_vector_add(&patches->all);
    if (!added)
        return OPL_NOMEM;
    *added = patch;
    return added->is_end || own_bytes(&added->argument) ? OPL_OK : OPL_NOMEM;
}

/* FAR names a span, and the record behind it belongs to that one. Flows find their own way. */
static opl_status collect_from(const opli_chunk_row *row, const opli_chunk_records *records, opli_patches *patches)
{
    uint32_t at = 0;
    opli_record record, far = {0, 0, 0, NULL};
    opl_status st = OPL_OK;
    while (st == OPL_OK && opli_record_next(row, records, &at, &record)) {
        opli_patch patch = {0};
        if (record.tag == OPLI_TAG_LATE_END) {
            patch = (opli_patch){.chunk = record.words[0],
                                 .index = (uint32_t)record.words[2],
                                 .is_end = true,
                                 .end_tick = record.words[3]};
            st = add(patches, patch);
        } else if (far.words && far.index + far.units == record.index && opli_argument_is(record.tag) &&
                   opli_argument_read(row, records, &record, &patch.argument)) {
            patch.chunk = far.words[0];
            patch.index = (uint32_t)far.words[2];
            st = add(patches, patch);
        }
        far = record.tag == OPLI_TAG_FAR ? record : (opli_record){0, 0, 0, NULL};
    }
    return st;
}

static int by_span(const void *a, const void *b)
{
    const opli_patch *x = a, *y = b;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

opl_status opli_patches_collect(opli_recording *recording, opli_patches *patches)
{
    opli_chunk_records *records = malloc(sizeof *records);
    opl_status st = records ? OPL_OK : OPL_NOMEM;
    for (size_t i = 0; st == OPL_OK && i < recording->chunks.count; i++) {
        const opli_chunk_row *row = &recording->chunks.items[i];
        if (row->packed && !row->packed->patches)
            continue;
        opli_chunk_read(row, records);
        st = collect_from(row, records, patches);
    }
    free(records);
    if (patches->all.count > 1)
        qsort(patches->all.items, patches->all.count, sizeof *patches->all.items, by_span);
    return st;
}

void opli_patches_free(opli_patches *patches)
{
    for (size_t i = 0; i < patches->all.count; i++)
        if (!patches->all.items[i].is_end && patches->all.items[i].argument.size)
            free((void *)(uintptr_t)patches->all.items[i].argument.bytes);
    opli_vector_free(&patches->all);
}

void opli_patches_find(const opli_patches *patches, uint64_t chunk, size_t *first, size_t *end)
{
    size_t low = 0, high = patches->all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (patches->all.items[middle].chunk < chunk)
            low = middle + 1;
        else
            high = middle;
    }
    *first = *end = low;
    while (*end < patches->all.count && patches->all.items[*end].chunk == chunk)
        ++*end;
}
