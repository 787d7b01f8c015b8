/* csv.c - rows of comma-separated fields. */
#include "import/csv.h"

#include <stdlib.h>
#include <string.h>

static void end_field(opli_csv_row *row)
{
    size_t *end = opli_vector_add(&row->ends);
    if (end)
        *end = row->bytes.length;
    row->out_of_memory |= !end || row->bytes.cut;
}

/* What lies between the quotes; two quotes stand for one. Ends after the closing quote. */
static const char *read_quoted(opli_csv_row *row, const char *at, const char *end)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *stop = quote ? quote : end;
        bool doubled = quote && end - quote > 1 && quote[1] == '"';
        opli_text_add(&row->bytes, at, (size_t)(stop - at) + doubled);
        row->unclosed |= !quote;
        if (!doubled)
            return quote ? quote + 1 : end;
        at = quote + 2;
    }
    return at;
}

static const char *read_plain(opli_csv_row *row, const char *at, const char *end)
{
    const char *stop = at;
    while (stop < end && *stop != ',' && *stop != '\n' && *stop != '\r')
        stop++;
    opli_text_add(&row->bytes, at, (size_t)(stop - at));
    return stop;
}

bool opli_csv_next(opli_csv_row *row, const char **at, const char *end)
{
    const char *next = *at;
    opli_text_reset(&row->bytes);
    row->ends.count = 0;
    while (next < end && (*next == '\n' || *next == '\r'))
        next++;
    if (next == end)
        return *at = next, false;
    for (bool more = true; more && !row->out_of_memory; next += more) {
        if (next < end && *next == '"')
            next = read_quoted(row, next + 1, end);
        next = read_plain(row, next, end);
        end_field(row);
        more = next < end && *next == ',';
    }
    *at = next;
    return !row->out_of_memory;
}

const char *opli_csv_field(const opli_csv_row *row, size_t index, size_t *length)
{
    *length = 0;
    if (index >= row->ends.count || !row->bytes.bytes)
        return "";
    size_t first = index ? row->ends.items[index - 1] : 0;
    *length = row->ends.items[index] - first;
    return row->bytes.bytes + first;
}

void opli_csv_row_free(opli_csv_row *row)
{
    opli_text_free(&row->bytes);
    opli_vector_free(&row->ends);
}
