/* table_format_test.c - tables as CSV and Markdown, and formats by name. */
#include <math.h>

#include "base/table_format.h"
#include "test.h"

static const opli_column columns[] = {{"the name", "name", OPLI_COLUMN_TEXT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      {"share", "share", OPLI_COLUMN_REAL}};

static void add_row(opli_table *table, const char *name, int64_t total_ns, double share)
{
    opli_table_add_text(table, name, strlen(name));
    opli_table_add_number(table, total_ns);
    opli_table_add_real(table, share);
}

static void check_csv(const opli_table *table, const char *expected)
{
    opli_text out = {0};
    opli_table_print_csv(table, &out);
    CHECK_TEXT(out.bytes, expected);
    opli_text_free(&out);
}

TEST(table_csv, quotes_what_would_break_a_line)
{
    opli_table table = {columns, 3, {0}};
    add_row(&table, "plain", 1, 1);
    add_row(&table, "a,b", 1, 1);
    add_row(&table, "say \"hi\"", 1, 1);
    add_row(&table, "two\nlines\r", 1, 1);
    add_row(&table, " edges ", 1, 1);
    check_csv(&table, "name,total_ns,share\r\nplain,1,1\r\n\"a,b\",1,1\r\n\"say \"\"hi\"\"\",1,1\r\n"
                      "\"two\nlines\r\",1,1\r\n\" edges \",1,1\r\n");
    opli_table_free(&table);
}

TEST(table_csv, writes_exact_numbers)
{
    opli_table table = {columns, 3, {0}};
    add_row(&table, "x", INT64_MIN, 0.1);
    add_row(&table, "y", INT64_MAX, 1.0 / 3);
    check_csv(&table, "name,total_ns,share\r\nx,-9223372036854775808,0.1\r\n"
                      "y,9223372036854775807,0.3333333333333333\r\n");
    opli_table_free(&table);
}

TEST(table_csv, tells_a_missing_value_from_an_empty_text)
{
    opli_table table = {columns, 3, {0}};
    for (int i = 0; i < 3; i++)
        opli_table_add_empty(&table);
    add_row(&table, "", 0, NAN);
    check_csv(&table, "name,total_ns,share\r\n,,\r\n\"\",0,nan\r\n");
    opli_table_free(&table);
}

TEST(table_markdown, aligns_numbers_and_escapes_its_own_signs)
{
    opli_table table = {columns, 3, {0}};
    opli_text out = {0};
    add_row(&table, "void f<T*>(a|b)", 1500, 0.5);
    add_row(&table, "two\nlines", 1, 1);
    for (int i = 0; i < 3; i++)
        opli_table_add_empty(&table);
    opli_table_print_markdown(&table, &out);
    CHECK_TEXT(out.bytes, "| the name | total | share |\n|---|---:|---:|\n"
                          "| void f\\<T\\*\\>(a\\|b) | 1.500 us | 0.5 |\n| two.lines | 1 ns | 1 |\n| | | |\n");
    opli_text_free(&out);
    opli_table_free(&table);
}

TEST(table_format, is_found_by_name_and_by_the_files_name)
{
    CHECK_TEXT(opli_table_format_find("csv")->name, "csv");
    CHECK(opli_table_format_find("nix") == NULL);
    CHECK_TEXT(opli_table_format_of_path("a/b.md")->name, "markdown");
    CHECK_TEXT(opli_table_format_of_path("x.json")->name, "json");
    CHECK(opli_table_format_of_path(".csv") == NULL);
    CHECK(opli_table_format_of_path("csv") == NULL);
}

TEST(table_format, writes_every_format_the_same_twice)
{
    static const char *const names[] = {"text", "csv", "json", "markdown"};
    opli_table table = {columns, 3, {0}};
    add_row(&table, "again", 77, 0.5);
    for (size_t i = 0; i < 4; i++) {
        opli_text first = {0}, second = {0};
        CHECK(strstr(opli_table_format_names(), names[i]) != NULL);
        opli_table_format_find(names[i])->print(&table, 0, &first);
        opli_table_format_find(names[i])->print(&table, 0, &second);
        CHECK(first.length > 0);
        CHECK_TEXT(first.bytes, second.bytes);
        opli_text_free(&first);
        opli_text_free(&second);
    }
    opli_table_free(&table);
}
