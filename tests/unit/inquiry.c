/* inquiry.c - read bytes as a trace, ask an analysis, look at the answer. */
#include "inquiry.h"

#include "base/table_order.h"
#include "test.h"

/* ---- reading ---- */

opl_status inquiry_read(opli_trace *trace, const opli_importer *importer, const char *bytes, size_t size)
{
    opli_source source = {.path = "bytes", .bytes = bytes, .size = size, .file_size = size};
    opli_builder builder;
    opli_builder_init(&builder, trace);
    opl_status st = importer->recognises(&source) ? importer->read(&source, &builder, NULL) : OPL_FORMAT;
    opl_status finished = opli_builder_finish(&builder);
    return st == OPL_OK ? finished : st;
}

void inquiry_open(opli_trace *trace, const char *path)
{
    opl_error err = {OPL_OK, ""};
    if (opli_trace_open(&path, 1, trace, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

char *inquiry_load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    CHECK(bytes != NULL);
    CHECK_EQ(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

uint64_t inquiry_note(const opli_trace *trace, const char *begins)
{
    for (size_t i = 0; i < trace->notes.count; i++)
        if (strncmp(opli_trace_text(trace, trace->notes.items[i].sentence), begins, strlen(begins)) == 0)
            return trace->notes.items[i].count;
    return 0;
}

/* ---- asking ---- */

static opli_table ask_once(const opli_trace *trace, const opli_analysis *analysis)
{
    opli_table table = {0};
    opl_error err = {OPL_OK, ""};
    opl_status st = analysis->run(trace, &(opli_question){0}, &table, &err);
    if (st == OPL_OK && analysis->sorted_by)
        st = opli_table_sort(&table, analysis->sorted_by, &err);
    if (st != OPL_OK)
        fail_msg("%s: %s", analysis->name, err.message);
    return table;
}

opli_table inquiry_ask(const opli_trace *trace, const opli_analysis *analysis)
{
    opli_table table = ask_once(trace, analysis), again = ask_once(trace, analysis);
    opli_text first = {0}, second = {0};
    opli_table_print_json(&table, &first);
    opli_table_print_json(&again, &second);
    CHECK_TEXT(first.bytes, second.bytes);
    opli_text_free(&first);
    opli_text_free(&second);
    opli_table_free(&again);
    return table;
}

const opli_cell *inquiry_cell(const opli_table *table, size_t row, const char *key)
{
    CHECK(row < opli_table_rows(table));
    for (size_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].key, key) == 0)
            return &table->cells.items[row * table->column_count + c];
    fail_msg("there is no column %s", key);
    return NULL;
}

const char *inquiry_text(const opli_table *table, size_t row, const char *key)
{
    return inquiry_cell(table, row, key)->text;
}

int64_t inquiry_number(const opli_table *table, size_t row, const char *key)
{
    const opli_cell *cell = inquiry_cell(table, row, key);
    CHECK(!cell->empty);
    return cell->number;
}

size_t inquiry_row(const opli_table *table, const char *key, const char *text)
{
    for (size_t row = 0; row < opli_table_rows(table); row++)
        if (strcmp(inquiry_text(table, row, key), text) == 0)
            return row;
    fail_msg("no row has %s as its %s", text, key);
    return 0;
}

/* ---- torture ---- */

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS

static void try_bytes(const opli_importer *importer, const char *bytes, size_t size)
{
    char *exact = malloc(size ? size : 1); /* of this size, so that reading beyond it is noticed */
    CHECK(exact != NULL);
    memcpy(exact, bytes, size);
    opli_trace trace;
    if (inquiry_read(&trace, importer, exact, size) == OPL_OK) {
        for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
            opli_table table = ask_once(&trace, analyses[i]);
            opli_table_free(&table);
        }
    }
    opli_trace_free(&trace);
    free(exact);
}

/* The same numbers in every run. */
static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void change(char *bytes, size_t size, uint64_t *state)
{
    static const char telling[] = "\x00\x01\x7f\x80\xff{}()[]r0\"',\n";
    for (uint32_t i = next_random(state) % 8 + 1; i > 0; i--) {
        size_t at = next_random(state) % size;
        bool any = next_random(state) % 2;
        bytes[at] = any ? (char)next_random(state) : telling[next_random(state) % (sizeof telling - 1)];
    }
}

void inquiry_torture(const opli_importer *importer, const char *bytes, size_t size)
{
    uint64_t state = 1;
    char *changed = malloc(size + 1);
    CHECK(changed != NULL);
    size_t step = size / 200 + 1;
    for (size_t cut = 0; cut <= size; cut += cut < 200 ? 1 : step)
        try_bytes(importer, bytes, cut);
    for (int round = 0; round < 400; round++) {
        memcpy(changed, bytes, size);
        change(changed, size, &state);
        try_bytes(importer, changed, round % 4 ? size : next_random(&state) % (size + 1));
    }
    free(changed);
}
