/* statement_test.c - where a statement ends. */
#include "query/statement.h"
#include "test.h"

/* The statements with a bar behind each that a semicolon ends, and a dot behind each that none does. */
static void check_split(const char *text, const char *expected)
{
    opli_text out = {0};
    opli_statement statement;
    while (opli_statement_next(&text, &statement)) {
        opli_text_add(&out, statement.sql, statement.length);
        opli_text_add(&out, statement.ended ? "|" : ".", 1);
    }
    CHECK_TEXT(out.bytes ? out.bytes : "", expected);
    opli_text_free(&out);
}

TEST(statement, ends_at_a_semicolon_or_with_the_text)
{
    check_split("select 1", "select 1.");
    check_split("select 1;", "select 1|");
    check_split("select 1;select 2", "select 1|select 2.");
}

TEST(statement, does_not_end_inside_quotes_and_comments)
{
    check_split("select ';';", "select ';'|");
    check_split("select 'it''s;';", "select 'it''s;'|");
    check_split("select \";\";x", "select \";\"|x.");
    check_split("select 1 -- a; b\n;", "select 1 -- a; b\n|");
    check_split("select /* a; b */ 1;", "select /* a; b */ 1|");
    check_split("select $$a;b$$;", "select $$a;b$$|");
    check_split("select $x$a;$$;$x$;", "select $x$a;$$;$x$|");
}

TEST(statement, takes_a_parameter_for_what_it_is)
{
    check_split("select $a; select $a;", "select $a| select $a|");
    check_split("select $1;$2", "select $1|$2.");
}

TEST(statement, is_no_statement_when_it_says_nothing)
{
    check_split("", "");
    check_split(" \n;; ;", "");
    check_split("-- only a word", "");
    check_split(";;select 1;;", "select 1|");
}

TEST(statement, that_is_never_closed_goes_to_the_end)
{
    check_split("select 'a;", "select 'a;.");
    check_split("select \"a;", "select \"a;.");
    check_split("select /* a;", "select /* a;.");
    check_split("select $$a;", "select $$a;.");
    check_split("'", "'.");
    check_split("$", "$.");
}

TEST(statement, doubles_quotes_inside_quotes)
{
    opli_text sql = {0};
    opli_statement_add_quoted(&sql, '\'', "it's");
    opli_statement_add_quoted(&sql, '"', "a\"b");
    CHECK_TEXT(sql.bytes, "'it''s'\"a\"\"b\"");
    opli_text_free(&sql);
}
