/* seed_writer.c - writes a fuzz target's seeds into a directory: seed_writer DIRECTORY */
#include <stdio.h>

#include "fuzz.h"

static void write_seed(void *directory, const char *name, const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", (const char *)directory, name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, size, out) != size)
        fprintf(stderr, "%s: cannot be written\n", path);
    if (out)
        fclose(out);
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "Usage: seed_writer DIRECTORY\n");
        return 2;
    }
    fuzz_seeds(write_seed, words[1]);
    return 0;
}
