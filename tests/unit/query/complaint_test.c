/* complaint_test.c - DuckDB's messages as sentences. */
#include "query/complaint.h"
#include "test.h"

static void check(const char *message, const char *expected)
{
    opl_error err;
    CHECK_EQ(opli_complaint(message, "span, arg", &err), OPL_INVALID);
    CHECK_TEXT(err.message, expected);
}

TEST(complaint, drops_the_title_and_ends_the_sentence)
{
    check("Parser Error: syntax error at or near \"x\"", "syntax error at or near \"x\".");
    check("no title", "no title.");
    check("A: no Error here", "A: no Error here.");
}

TEST(complaint, shows_the_place_on_lines_of_its_own)
{
    check("Parser Error: syntax error\n\nLINE 1: selec\n        ^", "syntax error.\nLINE 1: selec\n        ^");
}

TEST(complaint, lists_the_tables_when_one_is_not_known)
{
    check("Catalog Error: Table with name spam does not exist!\nDid you mean \"span\"?\n\nLINE 1: from spam\n     ^",
          "Table with name spam does not exist! Did you mean \"span\"? The tables are span, arg.");
}

TEST(complaint, says_how_files_are_allowed)
{
    check("Permission Error: no - file system operations are disabled by configuration",
          "no - file system operations are disabled by configuration. SQL may reach files with --allow-files.");
}

TEST(complaint, has_a_sentence_even_for_silence) { check("", "DuckDB does not say why it failed"); }

TEST(complaint, cuts_what_is_too_long)
{
    char message[2000];
    opl_error err;
    memset(message, 'x', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    CHECK_EQ(opli_complaint(message, "span", &err), OPL_INVALID);
    CHECK(strlen(err.message) < sizeof err.message);
}

TEST(complaint, of_a_column_lists_the_right_ones_before_the_place)
{
    opl_error err;
    const char *message =
        "Binder Error: Referenced column \"nix\" not found in FROM clause!\nCandidate bindings: \"a\"\n\n"
        "LINE 1: select nix";
    CHECK(opli_complaint_is_of_column(message));
    CHECK(!opli_complaint_is_of_column("Parser Error: syntax error"));
    CHECK_EQ(opli_complaint_of_column(message, " The columns of span are a, b.", &err), OPL_INVALID);
    CHECK_TEXT(err.message,
               "Referenced column \"nix\" not found in FROM clause! The columns of span are a, b.\nLINE 1: select nix");
}
