/* commands.h - the list of commands. A new one: one file cmd_NAME.c, one word here. */
#define OPLI_COMMANDS(X) X(info) X(dump) X(report) X(export) X(query)
