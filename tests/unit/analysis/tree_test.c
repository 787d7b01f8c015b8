/* tree_test.c - the call tree, and tables that list events. */
#include "analysis/analysis.h"
#include "import/importer.h"
#include "test.h"

enum { NAME, DEPTH, COUNT, TOTAL, SELF, COLUMNS };

static void ask(const opli_analysis *analysis, const char *path, opli_trace *trace, opli_table *table)
{
    opl_error err = {OPL_OK, ""};
    memset(table, 0, sizeof *table);
    if (opli_trace_open(&path, 1, trace, &err) != OPL_OK ||
        analysis->run(trace, &(opli_question){0}, table, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

TEST(tree, has_every_nanosecond_once_as_somebodys_own)
{
    opli_trace trace;
    opli_table table;
    int64_t own = 0, roots = 0, calls = 0;
    ask(&opli_analysis_tree, TEST_DATA "/resnet18_cpu.pt.trace.json.gz", &trace, &table);
    for (size_t r = 0; r < opli_table_rows(&table); r++) {
        const opli_cell *row = &table.cells.items[r * COLUMNS];
        own += row[SELF].number;
        calls += row[COUNT].number;
        roots += row[DEPTH].number == 0 ? row[TOTAL].number : 0;
    }
    CHECK_EQ(own, roots);
    CHECK_EQ(calls, trace.spans.count);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(tree, shows_the_largest_first_and_what_is_inside_right_below)
{
    opli_trace trace;
    opli_table table;
    int64_t above = INT64_MAX;
    ask(&opli_analysis_tree, TEST_DATA "/resnet18_cpu.pt.trace.json.gz", &trace, &table);
    for (size_t r = 0; r < opli_table_rows(&table); r++) {
        const opli_cell *row = &table.cells.items[r * COLUMNS];
        if (row[DEPTH].number)
            continue;
        CHECK(row[TOTAL].number <= above);
        above = row[TOTAL].number;
    }
    CHECK(opli_table_rows(&table) > 10);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(memory_events, name_the_operator_that_took_the_memory)
{
    opli_trace trace;
    opli_table table;
    size_t named = 0;
    ask(&opli_analysis_memory_events, TEST_DATA "/resnet18_h200.pt.trace.json.gz", &trace, &table);
    CHECK_EQ(opli_table_rows(&table), 630);
    for (size_t r = 0; r < 630; r++)
        named += !table.cells.items[r * table.column_count + 6].empty;
    CHECK_EQ(named, 630);
    opli_table_free(&table);
    opli_trace_free(&trace);
}

TEST(analyses, accept_an_empty_trace)
{
#define ADDRESS(name) &opli_analysis_##name,
    static const opli_analysis *const all[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        opli_trace trace;
        opli_builder builder;
        opli_table table = {0};
        opl_error err = {OPL_OK, ""};
        opli_builder_init(&builder, &trace);
        CHECK_EQ(opli_builder_finish(&builder), OPL_OK);
        if (all[i]->run(&trace, &(opli_question){0}, &table, &err) != OPL_OK)
            fail_msg("%s: %s", all[i]->name, err.message);
        CHECK(table.column_count > 0);
        opli_table_free(&table);
        opli_trace_free(&trace);
    }
}
