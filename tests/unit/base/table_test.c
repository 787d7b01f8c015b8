/* table_test.c - tables as boxes for a terminal and as JSON. */
#include <math.h>

#include "base/table.h"
#include "base/utf8.h"
#include "test.h"

static const opli_column columns[] = {{"name", "name", OPLI_COLUMN_TEXT},
                                      {"id", "id", OPLI_COLUMN_ID},
                                      {"n", "n", OPLI_COLUMN_COUNT},
                                      {"time", "time_ns", OPLI_COLUMN_NS},
                                      {"size", "size_bytes", OPLI_COLUMN_BYTES},
                                      {"share", "share", OPLI_COLUMN_REAL}};
#define COLUMNS (sizeof columns / sizeof *columns)

static opli_table empty_table(void) { return (opli_table){columns, COLUMNS, {0}}; }

static void add_row(opli_table *table, const char *name, int64_t number, double real)
{
    CHECK(opli_table_add_text(table, name, strlen(name)));
    for (int i = 0; i < 4; i++)
        CHECK(opli_table_add_number(table, number));
    CHECK(opli_table_add_real(table, real));
}

static void check_printed(const opli_table *table, size_t width, const char *expected)
{
    opli_text out = {0};
    opli_table_print(table, width, &out);
    CHECK_TEXT(out.bytes, expected);
    opli_text_free(&out);
}

TEST(table, is_drawn_as_a_box_with_numbers_to_the_right)
{
    opli_table table = empty_table();
    add_row(&table, "conv", 1234, 0.25);
    add_row(&table, "a longer one", 5, 12);
    check_printed(&table, 0,
                  "┌──────────────┬──────┬───────┬──────────┬────────┬───────┐\n"
                  "│ name         ┆   id ┆     n ┆     time ┆   size ┆ share │\n"
                  "╞══════════════╪══════╪═══════╪══════════╪════════╪═══════╡\n"
                  "│ conv         ┆ 1234 ┆ 1,234 ┆ 1.234 us ┆ 1.2 kB ┆  0.25 │\n"
                  "│ a longer one ┆    5 ┆     5 ┆     5 ns ┆    5 B ┆    12 │\n"
                  "└──────────────┴──────┴───────┴──────────┴────────┴───────┘\n");
    opli_table_free(&table);
}

TEST(table, without_rows_is_a_box_of_titles_and_an_empty_array)
{
    opli_table table = empty_table();
    opli_text json = {0};
    check_printed(&table, 0,
                  "┌──────┬────┬───┬──────┬──────┬───────┐\n"
                  "│ name ┆ id ┆ n ┆ time ┆ size ┆ share │\n"
                  "╞══════╪════╪═══╪══════╪══════╪═══════╡\n"
                  "└──────┴────┴───┴──────┴──────┴───────┘\n");
    opli_table_print_json(&table, &json);
    CHECK_TEXT(json.bytes, "[]");
    CHECK_EQ(opli_table_rows(&table), 0);
    CHECK_EQ(opli_table_rows(&(opli_table){0}), 0);
    opli_text_free(&json);
    opli_table_free(&table);
}

TEST(table, shortens_the_widest_text_to_fit_a_narrow_terminal)
{
    static const opli_column texts[] = {{"kernel", "kernel", OPLI_COLUMN_TEXT}, {"op", "op", OPLI_COLUMN_TEXT}};
    opli_table table = {texts, 2, {0}};
    opli_table_add_text(&table, "implicit_gemm_forward", 21);
    opli_table_add_text(&table, "aten::conv2d", 12);
    check_printed(&table, 30,
                  "┌─────────────┬──────────────┐\n"
                  "│ kernel      ┆ op           │\n"
                  "╞═════════════╪══════════════╡\n"
                  "│ implicit_.. ┆ aten::conv2d │\n"
                  "└─────────────┴──────────────┘\n");
    check_printed(&table, 1,
                  "┌──────────┬──────────┐\n"
                  "│ kernel   ┆ op       │\n"
                  "╞══════════╪══════════╡\n"
                  "│ implic.. ┆ aten::.. │\n"
                  "└──────────┴──────────┘\n");
    opli_table_free(&table);
}

TEST(table, continues_below_with_the_columns_that_do_not_fit)
{
    static const opli_column many[] = {{"op", "op", OPLI_COLUMN_TEXT},
                                       {"calls", "calls", OPLI_COLUMN_ID},
                                       {"how often", "b", OPLI_COLUMN_ID},
                                       {"a fairly long one", "a", OPLI_COLUMN_ID},
                                       {"n", "n", OPLI_COLUMN_ID}};
    opli_table table = {many, 5, {0}};
    opli_table_add_text(&table, "aten::a_rather_long_name", 24);
    for (int64_t n = 1; n < 5; n++)
        opli_table_add_number(&table, n);
    check_printed(&table, 47,
                  "┌─────────────────────┬───────┬───────────┐\n"
                  "│ op                  ┆ calls ┆ how often │\n"
                  "╞═════════════════════╪═══════╪═══════════╡\n"
                  "│ aten::a_rather_lo.. ┆     1 ┆         2 │\n"
                  "└─────────────────────┴───────┴───────────┘\n"
                  "┌─────────────────────┬───────────────────┬───┐\n"
                  "│ op                  ┆ a fairly long one ┆ n │\n"
                  "╞═════════════════════╪═══════════════════╪═══╡\n"
                  "│ aten::a_rather_lo.. ┆                 3 ┆ 4 │\n"
                  "└─────────────────────┴───────────────────┴───┘\n");
    opli_table_free(&table);
}

/* Every line of a box, in characters; a new one may begin. */
static void check_is_straight(const opli_text *box, size_t at_most)
{
    size_t first = 0;
    for (const char *line = box->bytes; *line;) {
        const char *end = strchr(line, '\n');
        size_t width = opli_utf8_width(line, (size_t)(end - line));
        first = first && strncmp(line, "┌", strlen("┌")) != 0 ? first : width;
        CHECK_EQ(width, first);
        line = end + 1;
    }
    CHECK(first <= at_most);
}

TEST(table, stays_straight_at_every_width_whatever_is_in_it)
{
    static const char *const names[] = {"",
                                        "plain",
                                        "\xff\xfe bytes",
                                        "line\nbreak",
                                        "gr\xc3\xbc\xc3\x9f dich, Welt",
                                        "a name that is much longer than any terminal is wide, and then some more"};
    opli_table table = empty_table();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_row(&table, names[i], (int64_t)i, (double)i);
    for (size_t width = 0; width < 200; width++) {
        opli_text out = {0};
        opli_table_print(&table, width, &out);
        check_is_straight(&out, width > 60 ? width : 125);
        opli_text_free(&out);
    }
    opli_table_free(&table);
}

TEST(table, cuts_between_characters_and_never_inside_one)
{
    static const opli_column text[] = {{"t", "t", OPLI_COLUMN_TEXT}};
    opli_table table = {text, 1, {0}};
    opli_table_add_text(&table, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 20);
    check_printed(&table, 12,
                  "┌──────────┐\n"
                  "│ t        │\n"
                  "╞══════════╡\n"
                  "│ \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc.. │\n"
                  "└──────────┘\n");
    opli_table_free(&table);
}

TEST(table, shows_a_missing_value_as_nothing_and_as_null)
{
    static const opli_column two[] = {{"a", "a", OPLI_COLUMN_TEXT}, {"b", "b", OPLI_COLUMN_REAL}};
    opli_table table = {two, 2, {0}};
    opli_text json = {0};
    opli_table_add_empty(&table);
    opli_table_add_empty(&table);
    opli_table_add_text(&table, "x", 1);
    opli_table_add_real(&table, NAN);
    opli_table_add_text(&table, "", 0);
    opli_table_add_real(&table, INFINITY);
    CHECK_EQ(opli_table_rows(&table), 3);
    opli_table_print_json(&table, &json);
    CHECK_TEXT(json.bytes, "[{\"a\": null, \"b\": null}, {\"a\": \"x\", \"b\": null}, {\"a\": \"\", \"b\": null}]");
    opli_text_free(&json);
    opli_table_free(&table);
}

TEST(table, writes_exact_numbers_in_json)
{
    opli_table table = empty_table();
    opli_text json = {0};
    add_row(&table, "q\"\n", INT64_MIN, 0.1);
    add_row(&table, "max", INT64_MAX, 1e300);
    opli_table_print_json(&table, &json);
    CHECK_TEXT(json.bytes, "[{\"name\": \"q\\\"\\n\", \"id\": -9223372036854775808, \"n\": -9223372036854775808, "
                           "\"time_ns\": -9223372036854775808, \"size_bytes\": -9223372036854775808, "
                           "\"share\": 0.10000000000000001}, "
                           "{\"name\": \"max\", \"id\": 9223372036854775807, \"n\": 9223372036854775807, "
                           "\"time_ns\": 9223372036854775807, \"size_bytes\": 9223372036854775807, "
                           "\"share\": 1.0000000000000001e+300}]");
    opli_text_free(&json);
    opli_table_free(&table);
}

TEST(table, prints_the_same_twice)
{
    opli_table table = empty_table();
    opli_text first = {0}, second = {0};
    add_row(&table, "again", 77, 0.5);
    opli_table_print(&table, 40, &first);
    opli_table_print(&table, 40, &second);
    CHECK_TEXT(first.bytes, second.bytes);
    opli_text_free(&first);
    opli_text_free(&second);
    opli_table_free(&table);
}
