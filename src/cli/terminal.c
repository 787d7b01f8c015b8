/* terminal.c - the terminal a command talks to. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t opli_terminal_columns(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    if (columns && atoi(columns) > 0)
        return (size_t)atoi(columns);
    if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
    return 0;
}

bool opli_terminal_moves(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool opli_terminal_colours(int fd)
{
    const char *no_color = getenv("NO_COLOR");
    return opli_terminal_moves(fd) && !(no_color && *no_color);
}
