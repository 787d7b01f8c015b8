/* stored_reader.c - values that are stored as they are: numbers, texts, rows of other tables. */
#include <string.h>

#include "query/query_reader.h"

void opli_query_slice_set_null(opli_query_slice *slice, size_t i)
{
    if (!slice->validity) {
        slice->duckdb->vector_ensure_validity_writable(slice->vector);
        slice->validity = slice->duckdb->vector_get_validity(slice->vector);
    }
    slice->validity[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static void read_i64(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    if (run->stride == sizeof *values) {
        memcpy(values, opli_query_item(run, 0), run->count * sizeof *values);
        return;
    }
    for (size_t i = 0; i < run->count; i++)
        values[i] = *(const int64_t *)opli_query_item(run, i);
}

static void read_i64_or_null(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++) {
        values[i] = *(const int64_t *)opli_query_item(run, i);
        if (values[i] == -1)
            opli_query_slice_set_null(to, i);
    }
}

static void read_u64(const opli_row_run *run, opli_query_slice *to)
{
    uint64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = *(const uint64_t *)opli_query_item(run, i);
}

static void read_u16(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = *(const uint16_t *)opli_query_item(run, i);
}

static void read_real(const opli_row_run *run, opli_query_slice *to)
{
    double *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = *(const double *)opli_query_item(run, i);
}

static void read_truth(const opli_row_run *run, opli_query_slice *to)
{
    bool *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = *(const bool *)opli_query_item(run, i);
}

static void read_row_of(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++) {
        uint32_t row = *(const uint32_t *)opli_query_item(run, i);
        values[i] = row;
        if (row == OPLI_NO_ROW)
            opli_query_slice_set_null(to, i);
    }
}

static void read_text(const opli_row_run *run, opli_query_slice *to)
{
    opli_query_text *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = opli_query_store_text(run->store, *(const uint32_t *)opli_query_item(run, i));
}

static void read_text_or_null(const opli_row_run *run, opli_query_slice *to)
{
    read_text(run, to);
    for (size_t i = 0; i < run->count; i++)
        if (*(const uint32_t *)opli_query_item(run, i) == 0)
            opli_query_slice_set_null(to, i);
}

static void read_row(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = (int64_t)(run->first + i);
}

OPLI_STORED_READERS(OPLI_DEFINE_READER)
