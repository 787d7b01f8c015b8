/* prompt.h - statements typed at a terminal, line by line, and remembered from one time to the next.
 *
 * What is typed is kept in ~/.local/state/oplens/history, or under XDG_STATE_HOME; when that cannot
 * be written, nothing is kept and nobody is bothered. */
#ifndef OPLI_CLI_PROMPT_H
#define OPLI_CLI_PROMPT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

typedef struct opli_prompt {
    FILE *from, *to, *history; /* history may be NULL */
    char *line;                /* the newest */
    size_t capacity;
} opli_prompt;

void opli_prompt_init(opli_prompt *prompt, FILE *from, FILE *to);
void opli_prompt_fini(opli_prompt *prompt);

/* Reads up to a line that ends in a semicolon, or a single word. False at the end of the input. */
bool opli_prompt_read(opli_prompt *prompt, opli_text *statement);

/* Shows what was typed before, the newest last. */
void opli_prompt_show_history(opli_prompt *prompt);

#endif
