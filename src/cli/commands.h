/* commands.h - the list of commands. A new one: one file cmd_NAME.c, one word here. */
#ifndef OPLI_CLI_COMMANDS_H
#define OPLI_CLI_COMMANDS_H

#include "cli/command.h"

#define OPLI_COMMANDS(X) X(info) X(dump) X(report) X(export) X(query) X(help)

/* All of them, ended by NULL. */
extern const opli_command *const opli_commands[];

/* The command of that name, or NULL. */
const opli_command *opli_command_find(const char *name);

#endif
