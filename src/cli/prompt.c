/* prompt.c - statements typed at a terminal. */
#define _GNU_SOURCE
#include "cli/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query/statement.h"

/* ---- history ---- */

/* Makes every directory that leads to the file. */
static void make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700); /* where it fails, opening the file fails too */
        *slash = '/';
    }
}

static FILE *open_history(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *path = NULL;
    int made = state && state[0] == '/' ? asprintf(&path, "%s/oplens/history", state)
               : home && home[0]        ? asprintf(&path, "%s/.local/state/oplens/history", home)
                                        : -1;
    if (made < 0)
        return NULL;
    make_directories(path);
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    free(path);
    return file < 0 ? NULL : fdopen(file, "a+");
}

/* One statement, one line. */
static void remember(opli_prompt *prompt, const opli_text *statement)
{
    if (!prompt->history || !statement->length)
        return;
    for (size_t i = 0; i < statement->length; i++)
        fputc(statement->bytes[i] == '\n' ? ' ' : statement->bytes[i], prompt->history);
    fputc('\n', prompt->history);
    fflush(prompt->history);
}

void opli_prompt_show_history(opli_prompt *prompt)
{
    if (!prompt->history)
        return;
    rewind(prompt->history);
    while (getline(&prompt->line, &prompt->capacity, prompt->history) > 0)
        fputs(prompt->line, prompt->to);
    fseek(prompt->history, 0, SEEK_END);
}

/* ---- reading ---- */

void opli_prompt_init(opli_prompt *prompt, FILE *from, FILE *to)
{
    *prompt = (opli_prompt){.from = from, .to = to, .history = open_history()};
}

void opli_prompt_fini(opli_prompt *prompt)
{
    free(prompt->line);
    if (prompt->history)
        fclose(prompt->history);
}

static bool is_one_word(const opli_text *text)
{
    const char *word = text->bytes + strspn(text->bytes, " \t");
    size_t length = strcspn(word, " \t\n");
    return length && !word[length + strspn(word + length, " \t\n")];
}

/* A statement is whole when a semicolon ends it; a word alone needs none. */
static bool is_whole(const opli_text *text)
{
    const char *rest = text->bytes;
    opli_statement statement;
    if (is_one_word(text))
        return true;
    while (opli_statement_next(&rest, &statement))
        if (!statement.ended)
            return false;
    return true;
}

bool opli_prompt_read(opli_prompt *prompt, opli_text *statement)
{
    opli_text_reset(statement);
    do {
        fputs(statement->length ? "   ...> " : "oplens> ", prompt->to);
        fflush(prompt->to);
        ssize_t length = getline(&prompt->line, &prompt->capacity, prompt->from);
        if (length < 0)
            return statement->length > 0;
        opli_text_add(statement, prompt->line, (size_t)length);
    } while (!is_whole(statement));
    while (statement->length && strchr(" \t\r\n", statement->bytes[statement->length - 1]))
        statement->bytes[--statement->length] = '\0';
    remember(prompt, statement);
    return true;
}
