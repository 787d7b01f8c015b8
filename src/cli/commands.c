/* commands.c - the list of commands. */
#include "cli/commands.h"

#include <string.h>

#define DECLARE(name) extern const opli_command opli_cmd_##name;
OPLI_COMMANDS(DECLARE)
#undef DECLARE

#define ADDRESS(name) &opli_cmd_##name,
const opli_command *const opli_commands[] = {OPLI_COMMANDS(ADDRESS) NULL};
#undef ADDRESS

const opli_command *opli_command_find(const char *name)
{
    for (size_t i = 0; opli_commands[i]; i++)
        if (strcmp(opli_commands[i]->name, name) == 0)
            return opli_commands[i];
    return NULL;
}
