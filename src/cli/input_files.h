/* input_files.h - the files a user named: files as they are, directories as the recordings in them. */
#ifndef OPLI_CLI_INPUT_FILES_H
#define OPLI_CLI_INPUT_FILES_H

#include <oplens/error.h>

#include "base/vector.h"

typedef OPLI_VECTOR(char *) opli_input_files;

/* Adds `path`, or every *.opl in it, sorted by name; OPL_IO when a directory holds none. */
opl_status opli_input_files_add(opli_input_files *files, const char *path, opl_error *err);

/* Adds `path`, or every file in it that looks like a trace of any format by its name, likewise. */
opl_status opli_input_files_add_traces(opli_input_files *files, const char *path, opl_error *err);
void opli_input_files_free(opli_input_files *files);

#endif
