/* csv.h - rows of comma-separated fields, quoted as RFC 4180 says; forgiving where files are not.
 * A zeroed row is an empty one. Lifetime: fields are good until the next row is read. */
#ifndef OPLI_IMPORT_CSV_H
#define OPLI_IMPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/vector.h"

typedef struct opli_csv_row {
    opli_text bytes;          /* the fields, one after the other, without quotes */
    OPLI_VECTOR(size_t) ends; /* where in the bytes each field ends */
    bool unclosed;            /* a quote was opened and the file ended: what follows it is in that field */
    bool out_of_memory;
} opli_csv_row;

/* Reads the row that begins at `*at`, and moves on; false at the end. Lines end in LF, CR LF or CR; a quote inside an
 * unquoted field, or after a quoted one, is taken as it stands. Empty lines are skipped. */
bool opli_csv_next(opli_csv_row *row, const char **at, const char *end);

/* The field's bytes, which are not ended by a zero; "" and 0 where the row is shorter. */
const char *opli_csv_field(const opli_csv_row *row, size_t index, size_t *length);

void opli_csv_row_free(opli_csv_row *row);

#endif
