/* output_file.c - where a command writes. */
#include "cli/output_file.h"

#include <errno.h>
#include <string.h>

#include "export/gzip_file.h"

static bool is_stdout(const char *path) { return !path || strcmp(path, "-") == 0; }

static bool is_packed(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

FILE *opli_output_open(const opli_given *given, const char *path)
{
    if (is_stdout(path))
        return stdout;
    FILE *file = fopen(path, "wb");
    if (file && is_packed(path))
        file = opli_gzip_file_open(file);
    if (!file)
        opli_complain(given, "%s: cannot be written: %s", path, strerror(errno));
    return file;
}

int opli_output_close(const opli_given *given, const char *path, FILE *file)
{
    if (is_stdout(path))
        return OPLI_EXIT_OK; /* main() looks after stdout */
    bool bad = ferror(file);
    errno = 0;
    if (fclose(file) == 0 && !bad)
        return OPLI_EXIT_OK;
    opli_complain(given, "%s: could not be written to the end%s%s", path, errno ? ": " : "",
                  errno ? strerror(errno) : "");
    return OPLI_EXIT_FAILED;
}
