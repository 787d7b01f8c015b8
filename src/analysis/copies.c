/* copies.c - what is moved between memories and filled in them, how much of it, and how fast? */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/span_arg.h"
#include "analysis/statistics.h"
#include "analysis/trace_cell.h"
#include "base/failure.h"
#include "base/key_map.h"

static const opli_column columns[] = {{"kind", "kind", OPLI_COLUMN_TEXT},
                                      {"name", "name", OPLI_COLUMN_TEXT},
                                      {"device", "device", OPLI_COLUMN_TEXT},
                                      {"size", "size_bytes", OPLI_COLUMN_BYTES},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      {"GB/s", "bandwidth_gb_per_s", OPLI_COLUMN_REAL},
                                      OPLI_STATISTICS_COLUMNS};

/* Copies of one name on one device; the size, and the time it took, of those that say it. */
typedef struct amount {
    int64_t size_bytes, sized_ns;
    bool is_sized;
} amount;

typedef struct collecting {
    const opli_trace *trace;
    opli_arg_keys size_keys;
    opli_key_map groups; /* name, device, kind of span */
    opli_samples samples;
    OPLI_VECTOR(amount) amounts; /* by group */
} collecting;

static bool add_span(collecting *c, uint32_t span)
{
    const opli_spans *spans = &c->trace->spans;
    uint32_t device = c->trace->tracks.items[spans->track[span]].device;
    uint32_t group = opli_key_map_add(&c->groups, (opli_key){{spans->name[span], device, spans->kind[span]}});
    if (group == OPLI_KEY_NONE || group > c->amounts.count)
        return false;
    amount *a = group < c->amounts.count ? &c->amounts.items[group] : opli_vector_add(&c->amounts);
    int64_t size_bytes;
    if (!a)
        return false;
    if (opli_span_arg_int(c->trace, span, &c->size_keys, &size_bytes) && size_bytes >= 0) {
        a->is_sized = true;
        if (__builtin_add_overflow(a->size_bytes, size_bytes, &a->size_bytes))
            a->size_bytes = INT64_MAX;
        a->sized_ns += spans->duration_ns[span];
    }
    return opli_samples_add(&c->samples, group, spans->duration_ns[span]);
}

static bool collect(collecting *c)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->trace->spans.count; i++)
        if (c->trace->spans.kind[i] == OPL_CAT_COPY || c->trace->spans.kind[i] == OPL_CAT_SET)
            ok = add_span(c, i);
    return ok;
}

/* ---- rows ---- */

/* From where to where, as the name says: "HtoD" in "Memcpy HtoD (Pageable -> Device)". */
static const char *kind_of(const char *name, uint64_t kind)
{
    static const char *const ways[] = {"HtoD", "DtoH", "DtoD", "HtoH", "PtoP", "HtoA", "AtoH", "AtoD", "DtoA", "AtoA"};
    if (kind == OPL_CAT_SET)
        return "memset";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strstr(name, ways[i]))
            return ways[i];
    return "copy";
}

/* A byte in a nanosecond is a gigabyte in a second. */
static bool add_amount(const amount *a, int64_t total_ns, opli_table *table)
{
    bool has_rate = a->is_sized && a->sized_ns > 0;
    return (a->is_sized ? opli_table_add_number(table, a->size_bytes) : opli_table_add_empty(table)) &&
           opli_table_add_number(table, total_ns) &&
           (has_rate ? opli_trace_cell_real(table, (double)a->size_bytes / (double)a->sized_ns, 3)
                     : opli_table_add_empty(table));
}

static bool add_rows(const collecting *c, opli_table *table)
{
    opli_statistics *statistics = opli_samples_statistics(&c->samples, c->groups.count);
    bool ok = statistics != NULL;
    for (uint32_t i = 0; ok && i < c->groups.count; i++) {
        const opli_key *key = &c->groups.keys[i];
        uint32_t name = (uint32_t)key->words[0];
        const char *kind = kind_of(opli_trace_text(c->trace, name), key->words[2]);
        ok = opli_table_add_text(table, kind, strlen(kind)) && opli_trace_cell_text(table, c->trace, name) &&
             opli_trace_cell_device(table, c->trace, (uint32_t)key->words[1]) &&
             add_amount(&c->amounts.items[i], statistics[i].total, table) &&
             opli_statistics_add_cells(&statistics[i], table);
    }
    free(statistics);
    return ok;
}

static opl_status run_copies(const opli_trace *trace, const opli_question *question, opli_table *table, opl_error *err)
{
    static const char *const sizes[] = {"bytes", "size_bytes", "Bytes", NULL};
    (void)question;
    collecting c = {.trace = trace, .size_keys = opli_arg_keys_find(trace, sizes)};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof *columns;
    bool ok = collect(&c) && add_rows(&c, table);
    opli_key_map_free(&c.groups);
    opli_samples_free(&c.samples);
    opli_vector_free(&c.amounts);
    return ok ? OPL_OK : opli_fail(err, OPL_NOMEM, "not enough memory for the copies");
}

const opli_analysis opli_analysis_copies = {
    .name = "copies",
    .summary = "bytes, time and bandwidth of each kind of copy and fill",
    .sorted_by = "-total_ns",
    .run = run_copies,
};
