/* store_tables.c - the tables of a trace, as SQL sees them: a list of facts. */
#include "query/store_tables.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where a column is: the trace holds a pointer to items, and the value is somewhere in each. */
typedef struct column_fact {
    const char *name;
    const opli_query_reader *reader;
    size_t pointer_at; /* in opli_trace */
    size_t member_at;  /* in the item */
    size_t stride;
} column_fact;

typedef struct table_fact {
    const char *name;
    const column_fact *columns;
    size_t column_count;
    size_t count_at; /* in opli_trace */
    size_t count_bytes;
} table_fact;

#define READER(name) &opli_reader_##name
/* An item of spans.MEMBER; a MEMBER of the rows in a vector; no item at all. */
#define SPAN(name, reader, member)                                                                           \
    {                                                                                                        \
        name, READER(reader), offsetof(opli_trace, spans.member), 0, sizeof *((opli_trace *)0)->spans.member \
    }
#define ROWS(name, reader, rows, type, member)                                                       \
    {                                                                                                \
        name, READER(reader), offsetof(opli_trace, rows.items), offsetof(type, member), sizeof(type) \
    }
#define MADE(name, reader)            \
    {                                 \
        name, READER(reader), 0, 0, 0 \
    }

static const column_fact span_columns[] = {
    MADE("row", row),
    SPAN("name", text, name),
    SPAN("name_id", row_of, name),
    SPAN("kind", kind, kind),
    SPAN("category", text_or_null, category),
    SPAN("start", i64, start_ns),
    SPAN("dur", i64, duration_ns),
    MADE("self", span_self),
    SPAN("depth", u16, depth),
    SPAN("lane", u16, lane),
    SPAN("parent", row_of, parent),
    SPAN("track", row_of, track),
    SPAN("thread", track_thread, track),
    SPAN("process", track_process, track),
    SPAN("device", track_device, track),
    MADE("trace_id", trace_id),
    MADE("span_id", span_id),
    MADE("parent_span_id", parent_id),
    SPAN("open", span_open, flags),
    SPAN("overlapping", span_overlapping, flags),
    SPAN("async", span_async, flags),
    SPAN("repaired", span_repaired, flags),
    SPAN("synthetic", span_synthetic, flags),
};

static const column_fact arg_columns[] = {
    MADE("row", row),       MADE("span", arg_span), MADE("instant", arg_instant), MADE("key", arg_key),
    MADE("type", arg_type), MADE("int", arg_int),   MADE("real", arg_real),       MADE("text", arg_text),
};

#define TRACK(name, reader, member) ROWS(name, reader, tracks, opli_track, member)
static const column_fact track_columns[] = {
    MADE("row", row),
    TRACK("name", text_or_null, name),
    TRACK("kind", track_kind, kind),
    TRACK("number", i64, number),
    TRACK("process", row_of, process),
    TRACK("device", row_of, device),
};

#define PROCESS(name, reader, member) ROWS(name, reader, processes, opli_process, member)
static const column_fact process_columns[] = {
    MADE("row", row),
    PROCESS("pid", i64, pid),
    PROCESS("name", text_or_null, name),
    PROCESS("labels", text_or_null, labels),
};

#define DEVICE(name, reader, member) ROWS(name, reader, devices, opli_device, member)
static const column_fact device_columns[] = {
    MADE("row", row),
    DEVICE("id", i64, id),
    DEVICE("name", text_or_null, name),
    DEVICE("kind", text_or_null, kind),
    DEVICE("memory", i64, memory_bytes),
};

#define FLOW(name, reader, member) ROWS(name, reader, flows, opli_flow_row, member)
static const column_fact flow_columns[] = {
    MADE("row", row),
    FLOW("time", i64, time_ns),
    FLOW("id", u64, id),
    FLOW("category", text_or_null, category),
    FLOW("phase", flow_phase, phase),
    FLOW("track", row_of, track),
    FLOW("span", row_of, span),
};

#define COUNTER(name, reader, member) ROWS(name, reader, counters, opli_counter_row, member)
static const column_fact counter_columns[] = {
    MADE("row", row),
    COUNTER("time", i64, time_ns),
    COUNTER("process", row_of, process),
    COUNTER("name", text, name),
    COUNTER("series", text_or_null, series),
    COUNTER("value", real, value),
};

#define MEMORY(name, reader, member) ROWS(name, reader, memory, opli_memory_row, member)
static const column_fact memory_columns[] = {
    MADE("row", row),
    MEMORY("time", i64, time_ns),
    MEMORY("size", i64, size_bytes),
    MEMORY("address", u64, address),
    MEMORY("used", i64_or_null, used_bytes),
    MEMORY("allocated", i64_or_null, allocated_bytes),
    MEMORY("track", row_of, track),
    MEMORY("device", row_of, device),
    MEMORY("span", row_of, span),
};

static const column_fact string_columns[] = {
    MADE("id", row),
    MADE("text", string_text),
};

#define INSTANT(name, reader, member) ROWS(name, reader, instants, opli_instant_row, member)
static const column_fact instant_columns[] = {
    MADE("row", row),
    INSTANT("time", i64, time_ns),
    INSTANT("name", text, name),
    INSTANT("kind", kind, kind),
    INSTANT("category", text_or_null, category),
    INSTANT("track", row_of, track),
    INSTANT("thread", track_thread, track),
    INSTANT("process", track_process, track),
    INSTANT("device", track_device, track),
};

static const column_fact note_columns[] = {
    ROWS("sentence", text, notes, opli_note, sentence),
    ROWS("count", u64, notes, opli_note, count),
    ROWS("is_loss", truth, notes, opli_note, is_loss),
};

static const column_fact fact_columns[] = {
    ROWS("key", text, facts, opli_fact, key),
    ROWS("value", text, facts, opli_fact, value),
};

#define TABLE(name, columns, count)                                                                                  \
    {                                                                                                                \
        name, columns, sizeof columns / sizeof *columns, offsetof(opli_trace, count), sizeof((opli_trace *)0)->count \
    }
static const table_fact facts[OPLI_STORE_TABLE_COUNT] = {
    TABLE("span", span_columns, spans.count),          TABLE("arg", arg_columns, args.count),
    TABLE("track", track_columns, tracks.count),       TABLE("process", process_columns, processes.count),
    TABLE("device", device_columns, devices.count),    TABLE("flow", flow_columns, flows.count),
    TABLE("counter", counter_columns, counters.count), TABLE("memory", memory_columns, memory.count),
    TABLE("string", string_columns, strings.count),    TABLE("instant", instant_columns, instants.count),
    TABLE("note", note_columns, notes.count),          TABLE("fact", fact_columns, facts.count),
};

/* ---- from facts to tables ---- */

static opli_query_column make_column(const opli_trace *trace, const column_fact *fact)
{
    opli_query_column column = {fact->name, fact->reader, NULL, fact->stride};
    if (!fact->stride)
        return column;
    const char *items;
    memcpy(&items, (const char *)trace + fact->pointer_at, sizeof items);
    column.items = items ? items + fact->member_at : NULL;
    return column;
}

static size_t count_rows(const opli_trace *trace, const table_fact *fact)
{
    size_t count = 0;
    memcpy(&count, (const char *)trace + fact->count_at, fact->count_bytes); /* the low bytes come first */
    return count;
}

opl_status opli_store_tables_make(const opli_trace *trace, opli_query_table tables[OPLI_STORE_TABLE_COUNT])
{
    for (size_t t = 0; t < OPLI_STORE_TABLE_COUNT; t++) {
        const table_fact *fact = &facts[t];
        tables[t] = (opli_query_table){.name = fact->name, .row_count = count_rows(trace, fact)};
        tables[t].columns = calloc(fact->column_count, sizeof *tables[t].columns);
        if (!tables[t].columns)
            return OPL_NOMEM;
        tables[t].column_count = fact->column_count;
        for (size_t c = 0; c < fact->column_count; c++)
            tables[t].columns[c] = make_column(trace, &fact->columns[c]);
    }
    return OPL_OK;
}
