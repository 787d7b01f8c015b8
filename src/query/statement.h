/* statement.h - SQL as text: where a statement ends, and how one is put inside another. */
#ifndef OPLI_QUERY_STATEMENT_H
#define OPLI_QUERY_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* A statement of a longer text, without its semicolon. */
typedef struct opli_statement {
    const char *sql;
    size_t length;
    bool ended; /* by a semicolon, not by the end of the text */
} opli_statement;

/* Takes the next statement that says something from `*rest` and moves on; false when there is
 * none. Semicolons in quotes and comments end nothing. */
bool opli_statement_next(const char **rest, opli_statement *statement);

/* A name, or a text, in SQL's quotes. */
void opli_statement_add_quoted(opli_text *sql, char quote, const char *text);

#endif
