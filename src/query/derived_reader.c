/* derived_reader.c - values that follow from what is stored: a track's thread, a span's self time, an
 * argument by its type. */
#include <string.h>

#include "query/query_reader.h"

/* ---- by way of the track ---- */

static const opli_track *track_of(const opli_row_run *run, size_t i)
{
    return &run->store->trace->tracks.items[*(const uint32_t *)opli_query_item(run, i)];
}

static void read_track_thread(const opli_row_run *run, opli_query_slice *to)
{
    int64_t *values = to->values;
    for (size_t i = 0; i < run->count; i++) {
        const opli_track *track = track_of(run, i);
        values[i] = track->number;
        if (track->kind != OPLI_TRACK_THREAD)
            opli_query_slice_set_null(to, i);
    }
}

static void write_row(opli_query_slice *to, size_t i, uint32_t row)
{
    ((int64_t *)to->values)[i] = row;
    if (row == OPLI_NO_ROW)
        opli_query_slice_set_null(to, i);
}

static void read_track_process(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_row(to, i, track_of(run, i)->process);
}

static void read_track_device(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_row(to, i, track_of(run, i)->device);
}

/* ---- spans ---- */

static void read_span_self(const opli_row_run *run, opli_query_slice *to)
{
    memcpy(to->values, run->store->self_ns + run->first, run->count * sizeof(int64_t));
}

static void read_flag(const opli_row_run *run, opli_query_slice *to, enum opli_span_flag flag)
{
    bool *values = to->values;
    for (size_t i = 0; i < run->count; i++)
        values[i] = (*(const uint8_t *)opli_query_item(run, i) & flag) != 0;
}

#define READ_FLAG(name, flag) \
    static void read_span_##name(const opli_row_run *run, opli_query_slice *to) { read_flag(run, to, flag); }
READ_FLAG(open, OPLI_SPAN_OPEN)
READ_FLAG(overlapping, OPLI_SPAN_OVERLAPS)
READ_FLAG(async, OPLI_SPAN_ASYNC)
READ_FLAG(repaired, OPLI_SPAN_REPAIRED)
READ_FLAG(synthetic, OPLI_SPAN_SYNTHETIC)
#undef READ_FLAG

/* ---- arguments ---- */

static void read_arg_span(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_row(to, i, run->store->arg_spans[run->first + i]);
}

static void read_arg_instant(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_row(to, i, run->store->arg_instants[run->first + i]);
}

static void read_arg_key(const opli_row_run *run, opli_query_slice *to)
{
    const opli_args *args = &run->store->trace->args;
    for (size_t i = 0; i < run->count; i++)
        ((opli_query_text *)to->values)[i] = opli_query_store_text(run->store, opli_args_key(args, run->first + i));
}

static void read_arg_int(const opli_row_run *run, opli_query_slice *to)
{
    const opli_args *args = &run->store->trace->args;
    for (size_t i = 0; i < run->count; i++) {
        uint8_t type = opli_args_type(args, run->first + i);
        ((int64_t *)to->values)[i] = (int64_t)opli_args_value(args, run->first + i);
        if (type != OPLI_ARG_INT && type != OPLI_ARG_BOOL)
            opli_query_slice_set_null(to, i);
    }
}

static void read_arg_real(const opli_row_run *run, opli_query_slice *to)
{
    const opli_args *args = &run->store->trace->args;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t bits = opli_args_value(args, run->first + i);
        memcpy((double *)to->values + i, &bits, sizeof bits);
        if (opli_args_type(args, run->first + i) != OPLI_ARG_REAL)
            opli_query_slice_set_null(to, i);
    }
}

static void read_arg_text(const opli_row_run *run, opli_query_slice *to)
{
    const opli_args *args = &run->store->trace->args;
    for (size_t i = 0; i < run->count; i++) {
        uint8_t type = opli_args_type(args, run->first + i);
        if (type == OPLI_ARG_TEXT || type == OPLI_ARG_JSON)
            ((opli_query_text *)to->values)[i] =
                opli_query_store_text(run->store, opli_args_value(args, run->first + i));
        else
            opli_query_slice_set_null(to, i);
    }
}

/* ---- texts ---- */

static void read_string_text(const opli_row_run *run, opli_query_slice *to)
{
    memcpy(to->values, run->store->texts + run->first, run->count * sizeof(opli_query_text));
}

OPLI_DERIVED_READERS(OPLI_DEFINE_READER)
