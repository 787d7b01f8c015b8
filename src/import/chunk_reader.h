/* chunk_reader.h - a chunk's records, as the recorder wrote them, from either of its forms. */
#ifndef OPLI_IMPORT_CHUNK_READER_H
#define OPLI_IMPORT_CHUNK_READER_H

#include "import/recording.h"
#include "wire/record_tags.h"

/* Room for one chunk's records; reuse it. */
typedef struct opli_chunk_records {
    uint64_t words[2 * OPLI_SLOT_RECORDS];
    uint32_t count; /* records */
} opli_chunk_records;

/* Reads the chunk's records. False, with those before it kept, when a packed chunk makes no sense. */
bool opli_chunk_read(const opli_chunk_row *row, opli_chunk_records *records);

/* A record that is really there. */
typedef struct opli_record {
    uint32_t index;
    uint32_t units;
    uint32_t tag; /* below OPL_SITE_LIMIT: a span of that site */
    const uint64_t *words;
} opli_record;

/* Steps from record to record, over what was reserved and never written. False at the end. */
bool opli_record_next(const opli_chunk_row *row, const opli_chunk_records *records, uint32_t *at, opli_record *record);

#endif
