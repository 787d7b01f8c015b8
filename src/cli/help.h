/* help.h - what `oplens --help` and `oplens COMMAND --help` print. */
#ifndef OPLI_CLI_HELP_H
#define OPLI_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* Both return the exit status: help on stderr is the answer to a mistake. */
int opli_help_all(FILE *to);
int opli_help_command(const opli_command *command);

/* Says on stderr, for `who`, that there is no such command, and which ones there are. */
void opli_help_no_command(const char *who, const char *name);

/* The letter that stands for an option, 0 when there is none. */
char opli_option_letter(const opli_command *command, const char *option);

#endif
