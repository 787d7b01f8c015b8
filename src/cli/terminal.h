/* terminal.h - the terminal a command talks to: how wide it is, and whether it wants colours. */
#ifndef OPLI_CLI_TERMINAL_H
#define OPLI_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns to fit on that descriptor: those of COLUMNS, or of the terminal; 0 when there is none. */
size_t opli_terminal_columns(int fd);

/* Whether it is a terminal that can move its cursor, and one that may be coloured: see no-color.org. */
bool opli_terminal_moves(int fd);
bool opli_terminal_colours(int fd);

#endif
