/* query_reader.h - how a run of items becomes a run of SQL values. */
#ifndef OPLI_QUERY_QUERY_READER_H
#define OPLI_QUERY_QUERY_READER_H

#include "query/duckdb_library.h"
#include "query/query_store.h"

/* The rows that are asked for, and where they are. */
typedef struct opli_row_run {
    const opli_query_store *store;
    const void *items; /* that of row 0 */
    size_t stride;
    size_t first, count;
} opli_row_run;

/* Where the values go: a vector of DuckDB's. */
typedef struct opli_query_slice {
    const opli_duckdb *duckdb;
    opli_duck vector;
    void *values;
    uint64_t *validity; /* a bit for each row that has a value; NULL: all have */
} opli_query_slice;

typedef struct opli_query_reader {
    enum opli_duck_type type;
    void (*read)(const opli_row_run *run, opli_query_slice *to);
    bool (*prepare)(opli_query_store *store); /* derives what `read` needs; may be NULL */
    const char *const *words;                 /* of an ENUM: its values are their numbers, in a byte */
    size_t word_count;
} opli_query_reader;

/* The run's item with that number, counted from its first. */
static inline const void *opli_query_item(const opli_row_run *run, size_t i)
{
    return (const char *)run->items + (run->first + i) * run->stride;
}

/* The value with that number is NULL. */
void opli_query_slice_set_null(opli_query_slice *slice, size_t i);

/* X(name, type, prepare): what is stored as it is. */
#define OPLI_STORED_READERS(X)                                                                    \
    X(i64, BIGINT, NULL)                                                                          \
    X(i64_or_null, BIGINT, NULL) /* -1: not said */                                               \
    X(u64, UBIGINT, NULL)                                                                         \
    X(u16, BIGINT, NULL)                                                                          \
    X(real, DOUBLE, NULL)                                                                         \
    X(truth, BOOLEAN, NULL)                                                                       \
    X(row_of, BIGINT, NULL)                          /* a row of another table, or OPLI_NO_ROW */ \
    X(text, VARCHAR, opli_query_store_texts)         /* a text's id */                            \
    X(text_or_null, VARCHAR, opli_query_store_texts) /* the empty text: there is none */          \
    X(row, BIGINT, NULL)                             /* the row's own number */

/* What follows from what is stored. */
#define OPLI_DERIVED_READERS(X)                                    \
    X(track_thread, BIGINT, NULL) /* uint32_t: a track's row */    \
    X(track_process, BIGINT, NULL)                                 \
    X(track_device, BIGINT, NULL)                                  \
    X(span_self, BIGINT, opli_query_store_self)                    \
    X(span_open, BOOLEAN, NULL) /* uint8_t: enum opli_span_flag */ \
    X(span_overlapping, BOOLEAN, NULL)                             \
    X(span_async, BOOLEAN, NULL)                                   \
    X(span_repaired, BOOLEAN, NULL)                                \
    X(span_synthetic, BOOLEAN, NULL)                               \
    X(arg_span, BIGINT, opli_query_store_arg_owners)               \
    X(arg_instant, BIGINT, opli_query_store_arg_owners)            \
    X(arg_key, VARCHAR, opli_query_store_texts)                    \
    X(arg_int, BIGINT, NULL)                                       \
    X(arg_real, DOUBLE, NULL)                                      \
    X(arg_text, VARCHAR, opli_query_store_texts)                   \
    X(string_text, VARCHAR, opli_query_store_texts)

/* Hexadecimal digits, worked out for each span that is asked for. */
#define OPLI_ID_READERS(X)                     \
    X(trace_id, VARCHAR, opli_query_store_ids) \
    X(span_id, VARCHAR, opli_query_store_ids)  \
    X(parent_id, VARCHAR, opli_query_store_ids)

/* One of a few words, by its number. */
#define OPLI_WORD_READERS(X) X(kind) X(track_kind) X(flow_phase) X(arg_type)

/* opli_cell: what analyses return. */
#define OPLI_CELL_READERS(X)     \
    X(cell_number, BIGINT, NULL) \
    X(cell_real, DOUBLE, NULL)   \
    X(cell_text, VARCHAR, NULL)

#define OPLI_DECLARE_READER(name, type, prepare) extern const opli_query_reader opli_reader_##name;
OPLI_STORED_READERS(OPLI_DECLARE_READER)
OPLI_DERIVED_READERS(OPLI_DECLARE_READER)
OPLI_CELL_READERS(OPLI_DECLARE_READER)
OPLI_ID_READERS(OPLI_DECLARE_READER)
#define OPLI_DECLARE_WORD_READER(name) extern const opli_query_reader opli_reader_##name;
OPLI_WORD_READERS(OPLI_DECLARE_WORD_READER)
#undef OPLI_DECLARE_WORD_READER
#undef OPLI_DECLARE_READER

/* The descriptors of a list whose functions are called read_NAME. */
#define OPLI_DEFINE_READER(name, type, prepare) \
    const opli_query_reader opli_reader_##name = {OPLI_DUCK_##type, read_##name, prepare, NULL, 0};

#endif
