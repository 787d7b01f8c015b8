/* furiosa_importer.c - the CSV of Furiosa's profiler: a row for each span, on the host or on the NPU.
 *
 * Columns are found by their names, in any order, and any may be missing but start and name. All ids stay as
 * arguments, since a span's parent may be on another track. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/key_map.h"
#include "import/csv.h"
#include "import/importer.h"

#define HEADER_MAX 65536u
#define TIME_MAX (INT64_MAX / 4) /* 73 years: so that no sum or difference of times overflows */

#define COLUMN_LIST(X)                        \
    X(TRACE_ID, "trace_id")                   \
    X(PARENT_SPAN_ID, "parent_span_id")       \
    X(SPAN_ID, "span_id")                     \
    X(START, "start")                         \
    X(END, "end")                             \
    X(CAT, "cat")                             \
    X(NAME, "name")                           \
    X(THREAD_ID, "thread.id")                 \
    X(DRAM_BASE, "dram_base")                 \
    X(PE_INDEX, "pe_index")                   \
    X(EXECUTION_INDEX, "execution_index")     \
    X(INSTRUCTION_INDEX, "instruction_index") \
    X(OPERATOR_INDEX, "operator_index")       \
    X(DUR, "dur")

#define COLUMN_ENUM(id, word) id,
enum column { COLUMN_LIST(COLUMN_ENUM) COLUMNS };
#undef COLUMN_ENUM
#define COLUMN_WORD(id, word) word,
static const char *const column_words[COLUMNS] = {COLUMN_LIST(COLUMN_WORD)};
#undef COLUMN_WORD

typedef struct importing {
    opli_builder *builder;
    const char *rows, *end; /* of the file, after the header */
    opli_csv_row row;
    size_t places[COLUMNS]; /* of each column in the file; SIZE_MAX: missing */
    uint32_t keys[COLUMNS]; /* texts */
    uint32_t process, npu;
    int64_t base_ns;
    opli_key_map labels; /* texts of the ids that are parents of inferences */
} importing;

/* ---- fields ---- */

/* The field, without the words that stand for nothing. */
static const char *field(const importing *im, enum column column, size_t *length)
{
    static const char *const nothings[] = {"null", "NULL", "None", "NaN", "nan", "<NA>"};
    const char *text = opli_csv_field(&im->row, im->places[column], length);
    for (size_t i = 0; i < sizeof nothings / sizeof *nothings; i++)
        if (*length == strlen(nothings[i]) && memcmp(text, nothings[i], *length) == 0)
            *length = 0;
    return text;
}

static bool is_there(const importing *im, enum column column)
{
    size_t length;
    field(im, column, &length);
    return length > 0;
}

static bool says(const importing *im, enum column column, const char *word)
{
    size_t length;
    const char *text = field(im, column, &length);
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* A whole number; pandas writes one beside missing values as 40.0. */
static bool number(const importing *im, enum column column, int64_t *out)
{
    size_t length, at = 0;
    const char *text = field(im, column, &length);
    bool negative = length && text[0] == '-', ok = true;
    int64_t value = 0;
    for (at = negative; ok && at < length && isdigit((unsigned char)text[at]); at++)
        ok = !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, text[at] - '0', &value);
    ok = ok && at > (size_t)negative;
    for (bool fraction = at < length && text[at] == '.'; ok && at < length; at++)
        ok = fraction && (text[at] == '.' || text[at] == '0');
    *out = ok ? negative ? -value : value : 0;
    return ok;
}

static uint32_t text_of(const importing *im, enum column column)
{
    size_t length;
    const char *text = field(im, column, &length);
    return opli_builder_text(im->builder, text, length);
}

/* ---- the header ---- */

static bool read_header(opli_csv_row *row, const char **at, const char *end, size_t *places)
{
    if (end - *at >= 3 && memcmp(*at, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        *at += 3;
    for (size_t c = 0; c < COLUMNS; c++)
        places[c] = SIZE_MAX;
    if (!opli_csv_next(row, at, end))
        return false;
    for (size_t i = 0; i < row->ends.count; i++) {
        size_t length;
        const char *name = opli_csv_field(row, i, &length);
        for (size_t c = 0; c < COLUMNS; c++)
            if (length == strlen(column_words[c]) && memcmp(name, column_words[c], length) == 0)
                places[c] = i;
    }
    bool has_end = places[END] != SIZE_MAX || places[DUR] != SIZE_MAX;
    return places[START] != SIZE_MAX && places[NAME] != SIZE_MAX && has_end;
}

/* Times and a name, and at least one of the columns that only Furiosa has. */
static bool recognises(const opli_source *source)
{
    const char *at = source->bytes, *end = at + (source->size < HEADER_MAX ? source->size : HEADER_MAX);
    size_t places[COLUMNS];
    opli_csv_row row = {0};
    bool ours = source->size > 0 && read_header(&row, &at, end, places);
    ours = ours && (places[SPAN_ID] != SIZE_MAX || places[PE_INDEX] != SIZE_MAX || places[DRAM_BASE] != SIZE_MAX ||
                    places[THREAD_ID] != SIZE_MAX);
    opli_csv_row_free(&row);
    return ours;
}

/* ---- what a row is ---- */

static bool is_npu(const importing *im)
{
    return says(im, CAT, "NPU") || (!is_there(im, CAT) && is_there(im, PE_INDEX));
}

static uint8_t kind_on_npu(const importing *im)
{
    bool is_copy = says(im, NAME, "Load") || says(im, NAME, "Store");
    bool has_no_instruction = im->places[INSTRUCTION_INDEX] != SIZE_MAX && !is_there(im, INSTRUCTION_INDEX);
    if (is_copy)
        return OPL_CAT_COPY;
    if (has_no_instruction || says(im, NAME, "Execution") || says(im, NAME, "Task"))
        return OPL_CAT_INFERENCE;
    return OPL_CAT_OP;
}

/* A row of the host that is no word of the runtime and holds inferences is a user's own record. */
static uint8_t kind_on_host(const importing *im)
{
    static const char *const of_models[] = {"Compile", "Register", "ProgramBinary", "AllocateDram"};
    if (says(im, NAME, "Inference"))
        return OPL_CAT_INFERENCE;
    if (is_there(im, OPERATOR_INDEX))
        return OPL_CAT_OP;
    for (size_t i = 0; i < sizeof of_models / sizeof *of_models; i++)
        if (says(im, NAME, of_models[i]))
            return OPL_CAT_MODEL;
    size_t length;
    const char *id = field(im, SPAN_ID, &length);
    uint32_t text = length ? opli_string_find(&im->builder->trace->strings, id, length) : OPLI_STRING_NONE;
    bool is_label = opli_key_map_find(&im->labels, (opli_key){{text}}) != OPLI_KEY_NONE;
    return is_label ? OPL_CAT_LABEL : OPL_CAT_API;
}

static uint32_t track_on_npu(importing *im)
{
    opli_trace *trace = im->builder->trace;
    char name[32];
    int64_t element;
    number(im, PE_INDEX, &element);
    uint32_t track = opli_builder_track(im->builder, OPLI_TRACK_QUEUE, im->process, im->npu, element);
    if (im->builder->out_of_memory || trace->tracks.items[track].name)
        return track;
    snprintf(name, sizeof name, "PE %lld", (long long)element);
    trace->tracks.items[track].name = opli_builder_word(im->builder, name);
    return track;
}

static uint32_t track_on_host(importing *im)
{
    int64_t thread;
    number(im, THREAD_ID, &thread);
    return opli_builder_track(im->builder, OPLI_TRACK_THREAD, im->process, OPLI_NO_ROW, thread);
}

/* ---- rows ---- */

/* Numbers as numbers, ids as they are written. */
static void add_args(importing *im)
{
    static const enum column kept[] = {TRACE_ID, PARENT_SPAN_ID,  SPAN_ID,           THREAD_ID,     DRAM_BASE,
                                       PE_INDEX, EXECUTION_INDEX, INSTRUCTION_INDEX, OPERATOR_INDEX};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        enum column c = kept[i];
        int64_t value;
        bool is_id = c == TRACE_ID || c == PARENT_SPAN_ID || c == SPAN_ID;
        if (!is_there(im, c))
            continue;
        if (!is_id && number(im, c, &value))
            opli_builder_arg(im->builder, im->keys[c], OPLI_ARG_INT, (uint64_t)value);
        else
            opli_builder_arg(im->builder, im->keys[c], OPLI_ARG_TEXT, text_of(im, c));
    }
}

/* Start on the trace's clock, and length; false when the row has no times we can use. */
static bool read_times(importing *im, opli_span_draft *draft)
{
    int64_t start_ns, end_ns;
    bool ok = number(im, START, &start_ns) && !__builtin_sub_overflow(start_ns, im->base_ns, &draft->start_ns);
    if (ok && number(im, END, &end_ns))
        ok = !__builtin_sub_overflow(end_ns, start_ns, &draft->duration_ns);
    else
        ok = ok && number(im, DUR, &draft->duration_ns);
    if (ok && draft->duration_ns < 0) {
        draft->duration_ns = 0;
        draft->flags |= OPLI_SPAN_REPAIRED;
        opli_builder_note(im->builder, "spans end before they start: they were given no length", 1, false);
    }
    return ok && draft->start_ns > -TIME_MAX && draft->start_ns < TIME_MAX && draft->duration_ns < TIME_MAX;
}

static void add_row(importing *im)
{
    opli_span_draft draft = {.flags = 0};
    if (!read_times(im, &draft)) {
        opli_builder_note(im->builder, "rows without a start and an end were skipped", 1, true);
        return;
    }
    draft.name = text_of(im, NAME);
    draft.category = text_of(im, CAT);
    draft.track = is_npu(im) ? track_on_npu(im) : track_on_host(im);
    draft.kind = is_npu(im) ? kind_on_npu(im) : kind_on_host(im);
    add_args(im);
    opli_builder_span(im->builder, &draft);
}

/* ---- the file ---- */

/* Before any span is added: when the first begins, and which rows hold inferences. */
static bool look_ahead(importing *im)
{
    int64_t start_ns, first_ns = INT64_MAX;
    for (const char *at = im->rows; opli_csv_next(&im->row, &at, im->end);) {
        if (number(im, START, &start_ns) && start_ns < first_ns)
            first_ns = start_ns;
        if (!says(im, NAME, "Inference") || is_npu(im) || !is_there(im, PARENT_SPAN_ID))
            continue;
        if (opli_key_map_add(&im->labels, (opli_key){{text_of(im, PARENT_SPAN_ID)}}) == OPLI_KEY_NONE)
            return false;
    }
    opli_trace *trace = im->builder->trace;
    if (!trace->base_real_ns && first_ns != INT64_MAX)
        trace->base_real_ns = first_ns;
    im->base_ns = trace->base_real_ns;
    return !im->row.out_of_memory;
}

static opl_status read_rows(importing *im)
{
    opli_builder *builder = im->builder;
    if (!look_ahead(im))
        return OPL_NOMEM;
    for (size_t c = 0; c < COLUMNS; c++)
        im->keys[c] = opli_builder_word(builder, column_words[c]);
    im->process = opli_builder_process(builder, 0);
    im->npu = opli_builder_device(builder, "npu", 0);
    builder->trace->source = opli_builder_word(builder, "Furiosa profiler");
    for (const char *at = im->rows; !builder->out_of_memory && opli_csv_next(&im->row, &at, im->end);)
        add_row(im);
    opli_builder_note(builder, "a quote is never closed: the rows behind it were taken for text", im->row.unclosed,
                      true);
    return im->row.out_of_memory || builder->out_of_memory ? OPL_NOMEM : OPL_OK;
}

static opl_status read_furiosa(const opli_source *source, opli_builder *builder, opl_error *err)
{
    importing im = {.builder = builder, .rows = source->bytes, .end = source->bytes + source->size};
    opl_status st = read_header(&im.row, &im.rows, im.end, im.places) ? read_rows(&im) : OPL_FORMAT;
    opli_csv_row_free(&im.row);
    opli_key_map_free(&im.labels);
    if (st == OPL_FORMAT)
        return opli_fail(err, st, "%s: its first line names no columns start, end and name", source->path);
    return st == OPL_OK ? st : opli_fail(err, st, "%s: not enough memory for what is in it", source->path);
}

const opli_importer opli_importer_furiosa = {
    .name = "furiosa",
    .summary = "the CSV of Furiosa's profiler",
    .recognises = recognises,
    .read = read_furiosa,
};
