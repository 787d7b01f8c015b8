/* statement.c - SQL as text. */
#include "query/statement.h"

#include <ctype.h>
#include <string.h>

static const char *end_of_quote(const char *at)
{
    const char *end = strchr(at + 1, *at);
    return end ? end + 1 : at + strlen(at); /* a doubled quote is one quote behind the other */
}

static const char *end_at(const char *at, const char *mark)
{
    const char *end = strstr(at, mark);
    return end ? end + strlen(mark) : at + strlen(at);
}

/* Behind the text between dollars that begins here, as in $$it's$$ or $a$it's$a$; `at` when none does. */
static const char *end_of_dollars(const char *at)
{
    char mark[66];
    size_t length = 1;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (at[length] != '$' || isdigit((unsigned char)at[1]) || length + 2 > sizeof mark)
        return at;
    memcpy(mark, at, length + 1);
    mark[length + 1] = '\0';
    return end_at(at + length + 1, mark);
}

/* Behind the quote or comment that begins here; `at` when none does. */
static const char *skip_inert(const char *at)
{
    if (*at == '\'' || *at == '"')
        return end_of_quote(at);
    if (at[0] == '-' && at[1] == '-')
        return end_at(at, "\n");
    if (at[0] == '/' && at[1] == '*')
        return end_at(at + 2, "*/");
    return *at == '$' ? end_of_dollars(at) : at;
}

static bool is_comment(const char *at) { return (at[0] == '-' && at[1] == '-') || (at[0] == '/' && at[1] == '*'); }

bool opli_statement_next(const char **rest, opli_statement *statement)
{
    const char *start = *rest, *at = start;
    bool says_something = false;
    while (*at) {
        if (*at == ';' && says_something)
            break;
        if (*at == ';')
            start = at + 1;
        const char *behind = skip_inert(at);
        says_something |= *at != ';' && !isspace((unsigned char)*at) && !is_comment(at);
        at = behind == at ? at + 1 : behind;
    }
    *statement = (opli_statement){start, (size_t)(at - start), *at == ';'};
    *rest = at + (*at == ';');
    return says_something;
}

void opli_statement_add_quoted(opli_text *sql, char quote, const char *text)
{
    opli_text_add(sql, &quote, 1);
    for (; *text; text++) {
        if (*text == quote)
            opli_text_add(sql, &quote, 1);
        opli_text_add(sql, text, 1);
    }
    opli_text_add(sql, &quote, 1);
}
