/* inquiry.h - read bytes as a trace, ask an analysis, look at the answer.
 *
 * What is asked for and is not there fails the test. */
#ifndef OPLI_TESTS_INQUIRY_H
#define OPLI_TESTS_INQUIRY_H

#include "analysis/analysis.h"
#include "import/importer.h"

/* Reads bytes, or a file of tests/data, with that importer; the trace is the caller's to free also on failure. */
opl_status inquiry_read(opli_trace *trace, const opli_importer *importer, const char *bytes, size_t size);
void inquiry_open(opli_trace *trace, const char *path);

/* All bytes of a file, to be freed. */
char *inquiry_load(const char *path, size_t *size);

/* How often a note that begins so is counted. */
uint64_t inquiry_note(const opli_trace *trace, const char *begins);

/* The answer, sorted as the analysis says; it is asked twice, and must be the same byte for byte. */
opli_table inquiry_ask(const opli_trace *trace, const opli_analysis *analysis);

const opli_cell *inquiry_cell(const opli_table *table, size_t row, const char *key);
const char *inquiry_text(const opli_table *table, size_t row, const char *key);
int64_t inquiry_number(const opli_table *table, size_t row, const char *key);

/* The row whose cell says so. */
size_t inquiry_row(const opli_table *table, const char *key, const char *text);

/* Reads the bytes cut short everywhere, and changed at random, and asks every analysis: nothing may crash. */
void inquiry_torture(const opli_importer *importer, const char *bytes, size_t size);

#endif
