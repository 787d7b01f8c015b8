/* input_files.c - the files a user named. */
#define _GNU_SOURCE
#include "cli/input_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
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

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

static int is_recording(const struct dirent *entry) { return ends_in(entry->d_name, ".opl"); }

/* By its name alone: what is in a file decides only which importer reads it. */
static int is_trace(const struct dirent *entry)
{
    static const char *const packed[] = {".gz", ".zst"}, *const suffixes[] = {".opl", ".json", ".trace", ".prof",
                                                                              ".csv"};
    char name[sizeof entry->d_name];
    snprintf(name, sizeof name, "%s", entry->d_name);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_in(name, packed[i]))
            name[strlen(name) - strlen(packed[i])] = '\0';
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ends_in(name, suffixes[i]))
            return 1;
    return 0;
}

static opl_status add_directory(opli_input_files *files, const char *path, int (*wanted)(const struct dirent *),
                                opl_error *err)
{
    struct dirent **entries;
    int count = scandir(path, &entries, wanted, alphasort);
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
    return count == 0 ? opli_fail(err, OPL_IO, "%s: there is no %s in this directory", path,
                                  wanted == is_trace ? "trace" : ".opl file")
                      : st;
}

static opl_status add_path(opli_input_files *files, const char *path, int (*wanted)(const struct dirent *),
                           opl_error *err)
{
    struct stat info;
    opl_status st;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        st = add_directory(files, path, wanted, err);
    else
        st = add(files, strdup(path));
    if (st == OPL_NOMEM)
        opli_fail(err, st, "no memory for the list of files");
    return st;
}

opl_status opli_input_files_add(opli_input_files *files, const char *path, opl_error *err)
{
    return add_path(files, path, is_recording, err);
}

opl_status opli_input_files_add_traces(opli_input_files *files, const char *path, opl_error *err)
{
    return add_path(files, path, is_trace, err);
}

void opli_input_files_free(opli_input_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i]);
    opli_vector_free(files);
}
