/* analysis_table_test.c - every analysis, asked through SQL, answers as when it is asked itself. */
#include "analysis/analysis.h"
#include "asked_trace.h"
#include "query/analysis_table.h"
#include "test.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS)};
#undef ADDRESS

static void check_same(const opli_table *own, const opli_answer *through_sql)
{
    CHECK_EQ(through_sql->table.column_count, own->column_count);
    CHECK_EQ(opli_table_rows(&through_sql->table), opli_table_rows(own));
    for (size_t i = 0; i < own->cells.count; i++) {
        const opli_cell *a = &own->cells.items[i], *b = &through_sql->table.cells.items[i];
        CHECK_EQ(a->empty, b->empty);
        CHECK_EQ(a->number, b->number);
        CHECK(a->real == b->real || (a->real != a->real && b->real != b->real));
        if (a->text && opli_query_text_is_utf8(a->text, a->length))
            CHECK_TEXT(a->text, b->text);
    }
}

TEST(analysis_table, is_the_answer_of_each_analysis)
{
    asked_trace *a = asked_trace_open();
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
        opli_analysis_table named;
        opli_table own = {.column_count = 0};
        char sql[128];
        opl_error err;
        opli_analysis_table_init(&named, analyses[i], NULL);
        CHECK_EQ(analyses[i]->run(&a->trace, &(opli_question){0}, &own, &err), OPL_OK);
        snprintf(sql, sizeof sql, "from %s", named.name);
        opli_answer answer = asked(a, sql);
        check_same(&own, &answer);
        opli_answer_free(&answer);
        opli_table_free(&own);
    }
    asked_trace_close(a);
}
