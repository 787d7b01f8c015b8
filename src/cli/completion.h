/* completion.h - the scripts by which shells complete our words, made from the table of options. */
#ifndef OPLI_CLI_COMPLETION_H
#define OPLI_CLI_COMPLETION_H

#include "cli/command.h"

#define OPLI_COMPLETION_SHELLS "bash, zsh and fish"

/* Adds the script for that shell; false when it is none of them. */
bool opli_completion_add(const char *shell, opli_text *out);

void opli_completion_add_bash(opli_text *out);
void opli_completion_add_zsh(opli_text *out);
void opli_completion_add_fish(opli_text *out);

/* The words an option of the command may have, or for "" an operand; the caller frees. */
opli_text opli_completion_words(const opli_command *command, const char *option);

/* Whether a file may stand there, by what it is called in the help: FILE, TRACE. */
bool opli_completion_is_file(const char *called);

#endif
