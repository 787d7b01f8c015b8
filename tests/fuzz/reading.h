/* reading.h - bytes read by an importer, and all that must be true of what comes out. */
#ifndef OPLI_TESTS_READING_H
#define OPLI_TESTS_READING_H

#include "import/importer.h"

/* Reads the bytes if the importer takes them for its own; aborts when something is wrong. */
void reading_check(const opli_importer *importer, const uint8_t *bytes, size_t size);

/* What must be true of any finished trace: rows lie within their tables, children within their parents,
 * every table is valid JSON and the same when asked twice. Aborts. */
void reading_check_trace(const opli_trace *trace);

#endif
