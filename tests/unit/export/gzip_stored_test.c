/* gzip_stored_test.c - the same promises hold in a build without ISA-L, whose code is taken in here. */
#define OPLI_HAVE_ISAL 0
#include "export/gzip_file.c" /* NOLINT: the only way to have both builds in one */

#include "gzip_cases.h"
