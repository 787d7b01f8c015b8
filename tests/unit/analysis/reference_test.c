/* reference_test.c - the reference describes every table and every column there is. */
#include "inquiry.h"
#include "test.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS

static void check_mentions(const char *page, const char *table, const char *word)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "`%s`", word);
    if (!strstr(page, quoted))
        fail_msg("docs/reference/tables.md does not mention %s of the table %s", quoted, table);
}

TEST(reference, mentions_every_table_and_every_column)
{
    size_t size;
    char *page = inquiry_load(TEST_DATA "/../../docs/reference/tables.md", &size);
    opli_trace trace;
    opli_builder builder;
    opli_builder_init(&builder, &trace);
    CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
        opli_table table = inquiry_ask(&trace, analyses[i]);
        check_mentions(page, analyses[i]->name, analyses[i]->name);
        for (size_t c = 0; c < table.column_count; c++)
            check_mentions(page, analyses[i]->name, table.columns[c].key);
        opli_table_free(&table);
    }
    opli_trace_free(&trace);
    free(page);
}
