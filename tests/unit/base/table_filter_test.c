/* table_filter_test.c - keep the rows an expression is true of. */
#include <math.h>

#include "base/table_filter.h"
#include "test.h"

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"count", "count", OPLI_COLUMN_COUNT},
                                      {"total", "total_ns", OPLI_COLUMN_NS},
                                      {"size", "size_bytes", OPLI_COLUMN_BYTES},
                                      {"share", "share", OPLI_COLUMN_REAL}};
#define WIDTH (sizeof columns / sizeof *columns)

static void add_row(opli_table *table, const char *name, int64_t count, int64_t total_ns, int64_t size, double share)
{
    opli_table_add_text(table, name, strlen(name));
    opli_table_add_number(table, count);
    opli_table_add_number(table, total_ns);
    opli_table_add_number(table, size);
    opli_table_add_real(table, share);
}

static opli_table some_table(void)
{
    opli_table table = {columns, WIDTH, {0}};
    add_row(&table, "aten::mm", 10, 5000000, 1000000, 0.5);
    add_row(&table, "aten::add_", 20, 1100, 2048, 0.25);
    add_row(&table, "say \"hi\" (x)", 30, 1, 0, NAN);
    for (size_t i = 0; i < WIDTH; i++)
        opli_table_add_empty(&table);
    return table;
}

/* The counts of the rows that are kept, 0 for the empty one. */
static void check_keeps(const char *expression, const char *expected)
{
    opli_table table = some_table();
    opli_text kept = {0};
    opl_error err = {OPL_OK, ""};
    opl_status st = opli_table_filter(&table, expression, &err);
    if (st != OPL_OK)
        print_message("# %s\n", err.message);
    CHECK_EQ(st, OPL_OK);
    for (size_t row = 0; row < opli_table_rows(&table); row++)
        opli_text_addf(&kept, "%s%lld", row ? " " : "", (long long)table.cells.items[row * WIDTH + 1].number);
    CHECK_TEXT(kept.bytes ? kept.bytes : "", expected);
    opli_text_free(&kept);
    opli_table_free(&table);
}

TEST(table_filter, compares_numbers_with_every_operator)
{
    check_keeps("count = 20", "20");
    check_keeps("count == 20", "20");
    check_keeps("count != 20", "10 30 0");
    check_keeps("count < 20", "10");
    check_keeps("count <= 20", "10 20");
    check_keeps("count > 20", "30");
    check_keeps("count >= 20", "20 30");
    check_keeps("count>=20", "20 30");
    check_keeps("share >= 0.25", "10 20");
}

TEST(table_filter, compares_texts_with_every_operator)
{
    check_keeps("name = \"aten::mm\"", "10");
    check_keeps("name = aten::mm", "10");
    check_keeps("name != 'aten::mm'", "20 30 0");
    check_keeps("name < b", "10 20");
    check_keeps("name <= aten::add_", "20");
    check_keeps("name > aten::add_", "10 30");
    check_keeps("name >= aten::mm", "10 30");
    check_keeps("name ~ aten::", "10 20");
    check_keeps("name ~ \"\"", "10 20 30");
}

TEST(table_filter, understands_quotes_and_escapes)
{
    check_keeps("name = \"say \\\"hi\\\" (x)\"", "30");
    check_keeps("name = 'say \"hi\" (x)'", "30");
    check_keeps("name ~ \"(x)\"", "30");
}

TEST(table_filter, matches_regular_expressions)
{
    check_keeps("name ~ /^aten::.*_$/", "20");
    check_keeps("name ~ /^ATEN/", "");
    check_keeps("name ~ /^ATEN/i", "10 20");
    check_keeps("name ~ /\\(x\\)$/", "30");
    check_keeps("name ~ /mm|hi/ and count < 30", "10");
}

TEST(table_filter, joins_comparisons_as_people_expect)
{
    check_keeps("count = 10 or count = 20 and name ~ add", "10 20");
    check_keeps("(count = 10 or count = 20) and name ~ add", "20");
    check_keeps("not count = 10", "20 30 0");
    check_keeps("not (count = 10 or count = 20) and not name != x", "");
    check_keeps("not not count = 10", "10");
    check_keeps("  ( ( count = 10 ) )  ", "10");
    check_keeps("count=10 or count=20 or count=30", "10 20 30");
}

TEST(table_filter, knows_units)
{
    check_keeps("total >= 5ms", "10");
    check_keeps("total_ns = 1.1us", "20");
    check_keeps("total = 1.1 us and count = 20", "20");
    check_keeps("size = 1MB or size = 2KiB", "10 20");
    check_keeps("size < 1 kB", "30");
}

TEST(table_filter, finds_missing_values_unequal_to_everything)
{
    check_keeps("name != nix", "10 20 30 0");
    check_keeps("share != 0.5", "20 30 0");
    check_keeps("name ~ \"\" or count < 99", "10 20 30");
}

static void check_refused(const char *expression, const char *sentence)
{
    opli_table table = some_table();
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_table_filter(&table, expression, &err), OPL_INVALID);
    if (!strstr(err.message, sentence))
        print_message("# %s\n", err.message);
    CHECK(strstr(err.message, sentence) != NULL);
    CHECK_EQ(opli_table_rows(&table), 4);
    opli_table_free(&table);
}

TEST(table_filter, says_what_is_wrong_and_where)
{
    check_refused("", "at character 1: a column's key is missing");
    check_refused("nix = 1", "at character 1: there is no column 'nix'; there are name, count, total_ns");
    check_refused("count", "at character 6: one of = != < <= > >= ~ is missing");
    check_refused("count 5", "at character 7: one of = != < <= > >= ~ should stand here, not '5'");
    check_refused("count >", "at character 8: a number is missing");
    check_refused("count > x", "at character 9: 'x' is not a number that 'count' can be compared with, and it has no");
    check_refused("total > 5MB", "at character 9: '5MB' is not a number that 'total_ns' can be compared with; its "
                                 "units are ns, us, ms or s");
    check_refused("count ~ 5", "at character 7: ~ looks into texts, and 'count' is a number");
    check_refused("name = \"open", "at character 8: the quote that opens here is never closed");
    check_refused("name ~ /open", "at character 8: the slash that opens here is never closed");
    check_refused("name ~ /(/", "at character 8: the regular expression is wrong: ");
    check_refused("(count = 1", "at character 1: the parenthesis that opens here is never closed");
    check_refused("count = 1)", "at character 10: 'and' or 'or' should stand here, not ')'");
    check_refused("count = 1 count = 2", "at character 11: 'and' or 'or' should stand here, not 'count'");
    check_refused("(count = 1 name = x)", "at character 12: 'and', 'or' or ')' should stand here, not 'name'");
    check_refused("count = 1 and", "at character 14: a column's key is missing");
    check_refused("not", "at character 4: a column's key is missing");
    check_refused("name =", "at character 7: a text is missing");
}

TEST(table_filter, points_below_the_place)
{
    check_refused("count = 1 and \xc3\xa4 = 2", "\n  count = 1 and \xc3\xa4 = 2\n                ^");
}

TEST(table_filter, refuses_to_drown_in_parentheses)
{
    char deep[20001];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    check_refused(deep, "at character 101: more than 100 parentheses or nots stand within one another");
}

TEST(table_filter, survives_being_cut_anywhere)
{
    static const char whole[] = "not (name ~ /a\\/b/i or name = \"x\\\"\") and total_ns >= 1.5 ms or count != 3";
    char part[sizeof whole];
    for (size_t length = 0; length < sizeof whole; length++) {
        opli_table table = some_table();
        opl_error err;
        memcpy(part, whole, length);
        part[length] = '\0';
        opl_status st = opli_table_filter(&table, part, &err);
        CHECK(st == OPL_OK || (st == OPL_INVALID && strstr(err.message, "at character")));
        opli_table_free(&table);
    }
}
