/* gzip_file.h - a FILE that packs what is written to it. */
#ifndef OPLI_EXPORT_GZIP_FILE_H
#define OPLI_EXPORT_GZIP_FILE_H

#include <stdio.h>

/* Takes `under` over: closing the result finishes and closes it, and fails if anything could not be
 * written. The same bytes in give the same bytes out: no time and no name are stored. NULL, with
 * `under` closed, when there is no memory. */
FILE *opli_gzip_file_open(FILE *under);

#endif
