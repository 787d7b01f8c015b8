/* arguments.h - read an argument record, with the bytes it points to. */
#ifndef OPLI_IMPORT_ARGUMENTS_H
#define OPLI_IMPORT_ARGUMENTS_H

#include "import/chunk_reader.h"
#include "import/events.h"

bool opli_argument_is(uint32_t tag);

/* False when it points to bytes that are not there. */
bool opli_argument_read(const opli_chunk_row *row, const opli_chunk_records *records, const opli_record *record,
                        opli_argument *argument);

/* Steps through the tensors of an argument; false at the end. */
typedef struct opli_tensor_view {
    uint32_t dtype, rank;
    const uint8_t *dims; /* int64 each, unaligned */
    opli_span_text name;
} opli_tensor_view;
bool opli_argument_tensor(const opli_argument *argument, size_t *at, opli_tensor_view *tensor);

#endif
