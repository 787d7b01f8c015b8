/* csv_test.c - comma-separated fields as RFC 4180 has them, and as files have them. */
#include "import/csv.h"

#include "test.h"

/* The rows as one text: fields between bars, rows on lines. */
static void check_rows(const char *bytes, const char *expected)
{
    opli_csv_row row = {0};
    opli_text all = {0};
    const char *at = bytes, *end = bytes + strlen(bytes);
    opli_text_addf(&all, "%s", "");
    while (opli_csv_next(&row, &at, end)) {
        for (size_t i = 0; i < row.ends.count; i++) {
            size_t length;
            const char *field = opli_csv_field(&row, i, &length);
            opli_text_addf(&all, "|%.*s", (int)length, field);
        }
        opli_text_addf(&all, "|;");
    }
    CHECK_TEXT(all.bytes ? all.bytes : "", expected);
    opli_text_free(&all);
    opli_csv_row_free(&row);
}

TEST(csv, splits_fields_and_lines_of_every_system)
{
    check_rows("a,b\nc,d\r\ne,f\rg", "|a|b|;|c|d|;|e|f|;|g|;");
    check_rows("a,,\n,\n", "|a|||;|||;");
    check_rows("", "");
    check_rows("\n\n\r\n", "");
}

TEST(csv, keeps_commas_lines_and_quotes_that_are_quoted)
{
    check_rows("\"a,b\",\"c\nd\",\"say \"\"hi\"\"\"\n", "|a,b|c\nd|say \"hi\"|;");
    check_rows("\"\",\"\"\"\"", "||\"|;");
}

TEST(csv, takes_misplaced_quotes_as_they_stand)
{
    check_rows("a\"b,c\n", "|a\"b|c|;");
    check_rows("\"a\"b,c\n", "|ab|c|;");
    check_rows("\"never closed,\nx", "|never closed,\nx|;");
}

TEST(csv, has_empty_fields_beyond_the_end_of_a_row)
{
    opli_csv_row row = {0};
    const char *at = "a", *end = at + 1;
    size_t length = 7;
    CHECK(opli_csv_next(&row, &at, end));
    CHECK_TEXT(opli_csv_field(&row, 1, &length), "");
    CHECK_EQ(length, 0);
    CHECK(!opli_csv_next(&row, &at, end));
    opli_csv_row_free(&row);
}
