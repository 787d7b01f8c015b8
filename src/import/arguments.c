/* arguments.c - read an argument record, with the bytes it points to. */
#include "import/arguments.h"

#include <string.h>

bool opli_argument_is(uint32_t tag) { return tag >= OPLI_TAG_ARG_INT && tag <= OPLI_TAG_ARG_TENSORS; }

static bool points_to_bytes(uint32_t tag) { return tag >= OPLI_TAG_ARG_TEXT && tag <= OPLI_TAG_ARG_TENSORS; }

bool opli_argument_read(const opli_chunk_row *row, const opli_chunk_records *records, const opli_record *record,
                        opli_argument *argument)
{
    *argument =
        (opli_argument){.key = opli_record_key(record->words[1]), .tag = record->tag, .value = record->words[0]};
    if (!points_to_bytes(record->tag))
        return true;
    uint64_t index = record->words[0];
    if (index >= records->count)
        return false;
    const uint64_t *bytes = records->words + 2 * index;
    uint32_t size = (uint32_t)bytes[0], units = opli_record_units(OPLI_TAG_BYTES, bytes[0]);
    if (opli_record_tag(bytes[1]) != OPLI_TAG_BYTES || opli_record_lap(bytes[1]) != (row->id & OPLI_LAP_MASK) ||
        units > records->count - index)
        return false;
    argument->bytes = (const uint8_t *)(bytes + 2);
    argument->size = size;
    argument->cut = bytes[0] >> 32 & OPLI_BYTES_CUT;
    return true;
}

bool opli_argument_tensor(const opli_argument *argument, size_t *at, opli_tensor_view *tensor)
{
    opli_wire_tensor wire;
    if (argument->size - *at < sizeof wire || *at > argument->size)
        return false;
    memcpy(&wire, argument->bytes + *at, sizeof wire);
    size_t dims = wire.rank * sizeof(int64_t), name = ((size_t)wire.name_bytes + 7) / 8 * 8;
    if (argument->size - *at - sizeof wire < dims + name)
        return false;
    tensor->dtype = wire.dtype;
    tensor->rank = wire.rank;
    tensor->dims = argument->bytes + *at + sizeof wire;
    tensor->name = (opli_span_text){(const char *)tensor->dims + dims, wire.name_bytes};
    *at += sizeof wire + dims + name;
    return true;
}
