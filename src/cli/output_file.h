/* output_file.h - where a command writes: the file behind -o, packed if its name ends in .gz, or stdout. */
#ifndef OPLI_CLI_OUTPUT_FILE_H
#define OPLI_CLI_OUTPUT_FILE_H

#include <stdio.h>

#include "cli/command.h"

/* Opens `path`; NULL or "-" is stdout. NULL after complaining. */
FILE *opli_output_open(const opli_given *given, const char *path);

/* Writes out what is left. An exit status; complains when something could not be written. */
int opli_output_close(const opli_given *given, const char *path, FILE *file);

#endif
