/* same_bytes_test.c - however a trace comes, plain or packed, every table is the same byte for byte. */
#include "inquiry.h"
#include "test.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS

/* All tables as JSON, one after the other, and all notes. */
static opli_text tables_of(const char *path)
{
    opli_trace trace;
    opli_text all = {0};
    inquiry_open(&trace, path);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
        opli_table table = inquiry_ask(&trace, analyses[i]);
        opli_table_print_json(&table, &all);
        opli_table_free(&table);
    }
    for (size_t i = 0; i < trace.notes.count; i++)
        opli_text_addf(&all, "%s %llu\n", opli_trace_text(&trace, trace.notes.items[i].sentence),
                       (unsigned long long)trace.notes.items[i].count);
    opli_trace_free(&trace);
    return all;
}

static void check_same(const opli_text *expected, const char *path)
{
    opli_text again = tables_of(path);
    CHECK_EQ(again.length, expected->length);
    CHECK_EQ(memcmp(again.bytes, expected->bytes, again.length), 0);
    opli_text_free(&again);
}

static const char *unpacked(const char *path)
{
    opli_source source;
    opl_error err;
    const char *plain = test_path("plain.json");
    opl_status st = opli_source_open(&source, path, &err);
    if (st == OPL_UNSUPPORTED)
        SKIP(err.message);
    CHECK_EQ(st, OPL_OK);
    FILE *file = fopen(plain, "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(source.bytes, 1, source.size, file), source.size);
    CHECK_EQ(fclose(file), 0);
    opli_source_close(&source);
    return plain;
}

/* Packs with a tool of the system; false when there is none. */
static bool run(const char *tool, const char *from, const char *to)
{
    char command[1024];
    snprintf(command, sizeof command, "%s -q -c '%s' > '%s' 2> /dev/null", tool, from, to);
    return system(command) == 0;
}

static void check_every_way(const char *packed)
{
    const char *plain = unpacked(packed), *zstd = test_path("again.json.zst"), *gzip = test_path("again.json.gz");
    opli_source source;
    opl_error err;
    opli_text tables = tables_of(plain);
    CHECK(tables.length > 1000);
    check_same(&tables, plain);
    check_same(&tables, packed);
    if (run("gzip", plain, gzip))
        check_same(&tables, gzip);
    bool can_zstd = run("zstd", plain, zstd) && opli_source_open(&source, zstd, &err) == OPL_OK;
    if (can_zstd) {
        opli_source_close(&source);
        check_same(&tables, zstd);
    }
    opli_text_free(&tables);
}

TEST(tables, of_a_pytorch_trace_are_the_same_bytes_plain_and_packed)
{
    check_every_way(TEST_DATA "/resnet18_h200.pt.trace.json.gz");
}

TEST(tables, of_an_onnx_runtime_profile_are_the_same_bytes_plain_and_packed)
{
    check_every_way(TEST_DATA "/ort_bert_tiny.json.gz");
}
