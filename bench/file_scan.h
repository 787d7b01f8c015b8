/* file_scan.h - the floor of reading a file: every byte looked at once. */
#ifndef OPLI_BENCH_FILE_SCAN_H
#define OPLI_BENCH_FILE_SCAN_H

#include <stdbool.h>

/* Counts the lines of the file at `path`, as `wc -l` does: read() into a buffer, compare each byte. */
bool opli_file_scan(void *path);

#endif
