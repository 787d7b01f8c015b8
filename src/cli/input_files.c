/* input_files.c - the files a user named. */
#define _GNU_SOURCE
#include "cli/input_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failure.h"

static opl_status add(opli_input_files *files, char *path)
{
    char **added = path ? opli_vector_add(files) : NULL;
    if (!added) {
        free(path);
        return OPL_NOMEM;
    }
    *added = path;
    return OPL_OK;
}

static int is_recording(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".opl") == 0;
}

static opl_status add_directory(opli_input_files *files, const char *path, opl_error *err)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_recording, alphasort);
    opl_status st = OPL_OK;
    if (count < 0)
        return opli_fail(err, OPL_IO, "%s: cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char *full = NULL;
        if (st == OPL_OK)
            st = asprintf(&full, "%s/%s", path, entries[i]->d_name) < 0 ? OPL_NOMEM : add(files, full);
        free(entries[i]);
    }
    free(entries);
    return count == 0 ? opli_fail(err, OPL_IO, "%s: there is no .opl file in this directory", path) : st;
}

opl_status opli_input_files_add(opli_input_files *files, const char *path, opl_error *err)
{
    struct stat info;
    opl_status st;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        st = add_directory(files, path, err);
    else
        st = add(files, strdup(path));
    if (st == OPL_NOMEM)
        opli_fail(err, st, "no memory for the list of files");
    return st;
}

void opli_input_files_free(opli_input_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i]);
    opli_vector_free(files);
}
