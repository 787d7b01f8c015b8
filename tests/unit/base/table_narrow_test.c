/* table_narrow_test.c - tables on terminals that are too narrow for them. */
#include "base/table_format.h"
#include "test.h"

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"calls", "count", OPLI_COLUMN_COUNT},
                                      {"memory", "memory_bytes", OPLI_COLUMN_BYTES},
                                      {"share", "share", OPLI_COLUMN_REAL},
                                      {"stack", "stack", OPLI_COLUMN_TEXT}};

static void add_row(opli_table *table, const char *name, int64_t count)
{
    CHECK(opli_table_add_text(table, name, strlen(name)));
    CHECK(opli_table_add_number(table, count));
    CHECK(opli_table_add_number(table, 0));
    CHECK(opli_table_add_real(table, 0));
    CHECK(opli_table_add_empty(table));
}

static void check_printed(const opli_table *table, size_t width, const char *expected)
{
    opli_text out = {0};
    opli_table_print_narrow(table, width, &out);
    CHECK_TEXT(out.bytes, expected);
    opli_text_free(&out);
}

static const char whole[] = "┌──────┬───────┬────────┬───────┬───────┐\n"
                            "│ name ┆ calls ┆ memory ┆ share ┆ stack │\n"
                            "╞══════╪═══════╪════════╪═══════╪═══════╡\n"
                            "│ conv ┆     0 ┆    0 B ┆     0 ┆       │\n"
                            "│ relu ┆     7 ┆    0 B ┆     0 ┆       │\n"
                            "└──────┴───────┴────────┴───────┴───────┘\n";

TEST(narrow_table, leaves_out_columns_that_say_nothing_and_names_them)
{
    opli_table table = {columns, 5, {0}};
    add_row(&table, "conv", 0);
    add_row(&table, "relu", 7);
    check_printed(&table, 40,
                  "┌──────┬───────┐\n"
                  "│ name ┆ calls │\n"
                  "╞══════╪═══════╡\n"
                  "│ conv ┆     0 │\n"
                  "│ relu ┆     7 │\n"
                  "└──────┴───────┘\n"
                  "empty or 0 in every row shown: memory, share, stack\n");
    opli_table_free(&table);
}

TEST(narrow_table, is_whole_where_there_is_room_or_no_terminal)
{
    opli_table table = {columns, 5, {0}};
    add_row(&table, "conv", 0);
    add_row(&table, "relu", 7);
    check_printed(&table, 41, whole);
    check_printed(&table, 0, whole);
    opli_table_free(&table);
}

TEST(narrow_table, keeps_its_columns_where_none_would_be_left)
{
    opli_table table = {columns, 5, {0}};
    add_row(&table, "", 0);
    check_printed(&table, 10,
                  "┌──────┬───────┬────────┬───────┬───────┐\n"
                  "│ name ┆ calls ┆ memory ┆ share ┆ stack │\n"
                  "╞══════╪═══════╪════════╪═══════╪═══════╡\n"
                  "│      ┆     0 ┆    0 B ┆     0 ┆       │\n"
                  "└──────┴───────┴────────┴───────┴───────┘\n");
    opli_table_free(&table);
}
