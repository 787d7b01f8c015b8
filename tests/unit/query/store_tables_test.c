/* store_tables_test.c - every table of a trace, read in SQL, says what the store says. */
#include "asked_trace.h"
#include "query/store_tables.h"
#include "test.h"

/* Every column by its name, none of which needs quotes. */
static void check_table(asked_trace *a, const opli_query_table *table)
{
    opli_text sql = {0};
    for (size_t c = 0; c < table->column_count; c++)
        opli_text_addf(&sql, "%s%s", c ? ", " : "select ", table->columns[c].name);
    opli_text_addf(&sql, " from %s", table->name);
    opli_answer answer = asked(a, sql.bytes);
    CHECK(table->row_count > 0);
    CHECK_EQ(opli_table_rows(&answer.table), table->row_count);
    for (size_t c = 0; c < table->column_count; c++)
        CHECK_TEXT(answer.columns[c].title, table->columns[c].name);
    opli_answer_free(&answer);
    opli_text_free(&sql);
}

TEST(store_tables, are_all_there_and_every_column_can_be_read)
{
    asked_trace *a = asked_trace_open();
    opli_query_table tables[OPLI_STORE_TABLE_COUNT];
    CHECK_EQ(opli_store_tables_make(&a->trace, tables), OPL_OK);
    for (size_t t = 0; t < OPLI_STORE_TABLE_COUNT; t++) {
        check_table(a, &tables[t]);
        free(tables[t].columns);
    }
    asked_trace_close(a);
}

TEST(store_tables, of_an_empty_trace_are_empty)
{
    const opli_duckdb *duckdb;
    opl_error err;
    if (opli_duckdb_get(&duckdb, &err) != OPL_OK)
        SKIP(err.message);
    asked_trace *a = calloc(1, sizeof *a);
    CHECK_EQ(opli_query_open(&a->trace, &(opli_query_options){0}, &a->query, &err), OPL_OK);
    CHECK_TEXT(asked_json(a, "from span"), "[]");
    CHECK_TEXT(asked_json(a, "from arg"), "[]");
    CHECK_EQ(asked_number(a, "select count(*) from memory"), 0);
    asked_trace_close(a);
}

TEST(store_tables, show_spans_with_their_places_and_times)
{
    asked_trace *a = asked_trace_open();
    CHECK_TEXT(asked_json(a, "select row, name, kind, category, start, dur, self, depth, lane, parent from span "
                             "where track = 0 order by row limit 2"),
               "[{\"row\": 0, \"name\": \"run\", \"kind\": \"inference\", \"category\": null, \"start\": 1000, "
               "\"dur\": 900, \"self\": 400, \"depth\": 0, \"lane\": 0, \"parent\": null}, "
               "{\"row\": 1, \"name\": \"" LONG_NAME "\", \"kind\": \"op\", \"category\": null, \"start\": 1100, "
               "\"dur\": 300, \"self\": 300, \"depth\": 1, \"lane\": 0, \"parent\": 0}]");
    CHECK_TEXT(
        asked_json(a, "select thread, process, device, open, overlapping from span where kind = 'kernel' or lane = 1"),
        "[{\"thread\": 99, \"process\": 0, \"device\": null, \"open\": \"false\", \"overlapping\": \"true\"}, "
        "{\"thread\": null, \"process\": 0, \"device\": 0, \"open\": \"false\", \"overlapping\": \"false\"}]");
    asked_trace_close(a);
}

TEST(store_tables, show_arguments_by_their_type)
{
    asked_trace *a = asked_trace_open();
    CHECK_TEXT(asked_json(a, "select key, type, int, real, text, span, instant from arg order by row"),
               "[{\"key\": \"batch\", \"type\": \"int\", \"int\": 8, \"real\": null, \"text\": null, \"span\": 1, "
               "\"instant\": null}, "
               "{\"key\": \"share\", \"type\": \"real\", \"int\": null, \"real\": 0.25, \"text\": null, \"span\": 1, "
               "\"instant\": null}, "
               "{\"key\": \"train\", \"type\": \"bool\", \"int\": 1, \"real\": null, \"text\": null, \"span\": 1, "
               "\"instant\": null}, "
               "{\"key\": \"device\", \"type\": \"text\", \"int\": null, \"real\": null, \"text\": \"cuda:0\", "
               "\"span\": 1, \"instant\": null}, "
               "{\"key\": \"shape\", \"type\": \"json\", \"int\": null, \"real\": null, \"text\": \"[1, 2]\", "
               "\"span\": 1, \"instant\": null}, "
               "{\"key\": \"why\", \"type\": \"text\", \"int\": null, \"real\": null, \"text\": \"because\", "
               "\"span\": null, \"instant\": 0}]");
    asked_trace_close(a);
}

TEST(store_tables, show_events_and_what_they_belong_to)
{
    asked_trace *a = asked_trace_open();
    CHECK_TEXT(asked_json(a, "select time, size, address, used, allocated, device, span from memory"),
               "[{\"time\": 1150, \"size\": 4096, \"address\": \"18446744073709551615\", \"used\": 4096, "
               "\"allocated\": null, \"device\": 0, \"span\": 1}]");
    CHECK_TEXT(
        asked_json(a,
                   "select id, phase, flow.category, s.name from flow join span s on s.row = flow.span order by phase"),
        "[{\"id\": 7, \"phase\": \"start\", \"category\": null, \"name\": \"" LONG_NAME "\"}, "
        "{\"id\": 7, \"phase\": \"finish\", \"category\": null, \"name\": \"kernel\"}]");
    CHECK_TEXT(asked_json(a, "select name, series, value from counter"),
               "[{\"name\": \"load\", \"series\": null, \"value\": 0.5}]");
    CHECK_TEXT(asked_json(a, "select time, name, kind, thread from instant"),
               "[{\"time\": 1200, \"name\": \"tick\", \"kind\": \"label\", \"thread\": 99}]");
    CHECK_TEXT(asked_json(a, "from fact"), "[{\"key\": \"model\", \"value\": \"resnet\"}]");
    CHECK_TEXT(asked_json(a, "from note"),
               "[{\"sentence\": \"a thing was mended\", \"count\": 3, \"is_loss\": \"false\"}]");
    asked_trace_close(a);
}

TEST(store_tables, join_by_rows)
{
    asked_trace *a = asked_trace_open();
    CHECK_TEXT(asked_json(a,
                          "select pid, t.kind, number, d.kind as device from track t join process p on p.row = process "
                          "left join device d on d.row = device order by number desc"),
               "[{\"pid\": 4711, \"kind\": \"thread\", \"number\": 99, \"device\": null}, "
               "{\"pid\": 4711, \"kind\": \"queue\", \"number\": 7, \"device\": \"gpu\"}]");
    CHECK_EQ(asked_number(a, "select count(*) from span join string on id = name_id where text = name"), 5);
    asked_trace_close(a);
}

TEST(store_tables, replace_what_is_no_utf8)
{
    asked_trace *a = asked_trace_open();
    CHECK_EQ(asked_number(a, "select count(*) from span where name = '" MENDED_NAME "'"), 1);
    CHECK_EQ(asked_number(a, "select count(*) from string where text = '" MENDED_NAME "'"), 1);
    CHECK_EQ(asked_number(a, "select length(name) from span where name like '% is no UTF-8%'"), 44);
    asked_trace_close(a);
}

TEST(store_tables, give_every_span_ids_that_lead_to_its_parent)
{
    asked_trace *a = asked_trace_open();
    CHECK_EQ(asked_number(a, "select count(distinct span_id) from span"), 5);
    CHECK_EQ(asked_number(a, "select count(*) from span c join span p on c.parent = p.row "
                             "where c.parent_span_id = p.span_id and c.trace_id = p.trace_id"),
             2);
    CHECK_EQ(asked_number(a, "select min(length(trace_id)) from span"), 32);
    asked_trace_close(a);
}
