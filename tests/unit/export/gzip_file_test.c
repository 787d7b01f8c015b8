/* gzip_file_test.c - what is packed unpacks to the same bytes. */
#include "export/gzip_file.h"

#include "gzip_cases.h"
