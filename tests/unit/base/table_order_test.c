/* table_order_test.c - sort a table and cut it. */
#include <math.h>

#include "base/table_order.h"
#include "test.h"

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"count", "count", OPLI_COLUMN_COUNT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      {"share", "share", OPLI_COLUMN_REAL}};

static void add_row(opli_table *table, const char *name, int64_t count, int64_t total_ns, double share)
{
    opli_table_add_text(table, name, strlen(name));
    opli_table_add_number(table, count);
    opli_table_add_number(table, total_ns);
    opli_table_add_real(table, share);
}

static opli_table some_table(void)
{
    opli_table table = {columns, 4, {0}};
    add_row(&table, "b", 2, INT64_MAX, 0.5);
    add_row(&table, "a", 1, -5, NAN);
    add_row(&table, "c", 2, INT64_MAX - 1, -0.5);
    add_row(&table, "ab", 1, 7, 0.25);
    return table;
}

/* The names from the first row to the last, joined by spaces. */
static void check_names(const opli_table *table, const char *expected)
{
    opli_text names = {0};
    for (size_t row = 0; row < opli_table_rows(table); row++)
        opli_text_addf(&names, "%s%s", row ? " " : "", table->cells.items[row * 4].text);
    CHECK_TEXT(names.bytes, expected);
    opli_text_free(&names);
}

static void check_sorted(const char *keys, const char *expected)
{
    opli_table table = some_table();
    CHECK_EQ(opli_table_sort(&table, keys, NULL), OPL_OK);
    check_names(&table, expected);
    opli_table_free(&table);
}

TEST(table_order, sorts_by_any_type_either_way)
{
    check_sorted("name", "a ab b c");
    check_sorted("-name", "c b ab a");
    check_sorted("total_ns", "a ab c b");
    check_sorted("-total_ns", "b c ab a");
}

TEST(table_order, keeps_equal_rows_in_their_order)
{
    check_sorted("count", "a ab b c");
    check_sorted("-count", "b c a ab");
}

TEST(table_order, sorts_by_the_second_key_where_the_first_is_equal)
{
    check_sorted("-count,-name", "c b ab a");
    check_sorted("count,-total_ns,name", "ab a b c");
}

TEST(table_order, puts_missing_values_last_either_way)
{
    check_sorted("share", "c ab b a");
    check_sorted("-share", "b ab c a");
}

TEST(table_order, finds_a_key_without_its_unit) { check_sorted("-total", "b c ab a"); }

TEST(table_order, keeps_a_thousand_equal_rows_in_order)
{
    opli_table table = {columns, 4, {0}};
    for (int i = 0; i < 1000; i++)
        add_row(&table, i % 2 ? "odd" : "even", i, 0, 0);
    CHECK_EQ(opli_table_sort(&table, "name", NULL), OPL_OK);
    for (size_t i = 0; i < 1000; i++)
        CHECK_EQ(table.cells.items[i * 4 + 1].number, i < 500 ? i * 2 : (i - 500) * 2 + 1);
    opli_table_free(&table);
}

TEST(table_order, answers_a_wrong_key_with_the_right_ones)
{
    static const char *const wrong[] = {"nix", "name,nix", "-nix", "name,,count", "", "name,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        opli_table table = some_table();
        opl_error err;
        CHECK_EQ(opli_table_sort(&table, wrong[i], &err), OPL_INVALID);
        CHECK(strstr(err.message, "there are name, count, total_ns, share") != NULL);
        check_names(&table, "b a c ab");
        opli_table_free(&table);
    }
}

TEST(table_order, cuts_and_says_how_many_are_gone)
{
    opli_table table = some_table();
    CHECK_EQ(opli_table_cut(&table, 4), 0);
    CHECK_EQ(opli_table_cut(&table, SIZE_MAX), 0);
    CHECK_EQ(opli_table_cut(&table, 1), 3);
    check_names(&table, "b");
    CHECK_EQ(opli_table_cut(&table, 0), 1);
    CHECK_EQ(opli_table_rows(&table), 0);
    opli_table_free(&table);
}

TEST(table_order, sorts_and_cuts_an_empty_table)
{
    opli_table table = {columns, 4, {0}};
    CHECK_EQ(opli_table_sort(&table, "-total", NULL), OPL_OK);
    CHECK_EQ(opli_table_cut(&table, 3), 0);
    opli_table_free(&table);
}
