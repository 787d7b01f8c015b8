/* answer.c - what DuckDB answers, as a table of ours. */
#include "query/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "query/query_text.h"

/* A column of a chunk. */
typedef struct column {
    int type;
    const void *values;
    const uint64_t *validity; /* NULL: all rows have a value */
} column;

bool opli_answer_reads(int type)
{
    return (type >= OPLI_DUCK_BOOLEAN && type <= OPLI_DUCK_DOUBLE) || type == OPLI_DUCK_HUGEINT ||
           type == OPLI_DUCK_VARCHAR || type == OPLI_DUCK_UHUGEINT;
}

static enum opli_column_type type_of(int type)
{
    return type == OPLI_DUCK_VARCHAR || type == OPLI_DUCK_BOOLEAN ? OPLI_COLUMN_TEXT
           : type == OPLI_DUCK_FLOAT || type == OPLI_DUCK_DOUBLE  ? OPLI_COLUMN_REAL
                                                                  : OPLI_COLUMN_ID;
}

/* ---- whole numbers ---- */

/* Of any size that SQL has. */
typedef struct whole {
    __int128 number;
    bool is_unsigned; /* then `number` is to be read as such */
} whole;

static whole whole_at(const column *from, size_t row)
{
    const void *v = from->values;
    switch (from->type) {
    case OPLI_DUCK_TINYINT: return (whole){((const int8_t *)v)[row], false};
    case OPLI_DUCK_SMALLINT: return (whole){((const int16_t *)v)[row], false};
    case OPLI_DUCK_INTEGER: return (whole){((const int32_t *)v)[row], false};
    case OPLI_DUCK_BIGINT: return (whole){((const int64_t *)v)[row], false};
    case OPLI_DUCK_UTINYINT: return (whole){((const uint8_t *)v)[row], false};
    case OPLI_DUCK_USMALLINT: return (whole){((const uint16_t *)v)[row], false};
    case OPLI_DUCK_UINTEGER: return (whole){((const uint32_t *)v)[row], false};
    case OPLI_DUCK_UBIGINT: return (whole){((const uint64_t *)v)[row], false};
    default: break;
    }
    whole huge = {0, from->type == OPLI_DUCK_UHUGEINT}; /* the low half comes first, as in memory */
    memcpy(&huge.number, (const char *)v + row * sizeof huge.number, sizeof huge.number);
    return huge;
}

/* Digits of any whole number, from the end of the buffer; where they begin. */
static const char *write_digits(whole w, char buffer[48])
{
    bool negative = !w.is_unsigned && w.number < 0;
    unsigned __int128 rest = negative ? -(unsigned __int128)w.number : (unsigned __int128)w.number;
    char *at = buffer + 47;
    *at = '\0';
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (negative)
        *--at = '-';
    return at;
}

/* A number that is too large turns its whole column into exact digits. */
static bool turn_into_text(opli_answer *answer, size_t c)
{
    char buffer[48];
    opli_table *table = &answer->table;
    answer->columns[c].type = OPLI_COLUMN_TEXT;
    for (size_t i = c; i < table->cells.count; i += table->column_count) {
        opli_cell *cell = &table->cells.items[i];
        if (cell->empty)
            continue;
        cell->text = strdup(write_digits((whole){cell->number, false}, buffer));
        if (!cell->text)
            return false;
        cell->length = strlen(cell->text);
    }
    return true;
}

static bool add_whole(opli_answer *answer, size_t c, whole w)
{
    char buffer[48];
    bool fits = w.number <= INT64_MAX && w.number >= (w.is_unsigned ? 0 : INT64_MIN);
    if (!fits && answer->columns[c].type != OPLI_COLUMN_TEXT && !turn_into_text(answer, c))
        return false;
    if (answer->columns[c].type != OPLI_COLUMN_TEXT)
        return opli_table_add_number(&answer->table, (int64_t)w.number);
    const char *digits = write_digits(w, buffer);
    return opli_table_add_text(&answer->table, digits, strlen(digits));
}

/* ---- cells ---- */

static bool add_text(opli_answer *answer, const opli_query_text *text)
{
    return opli_table_add_text(&answer->table, opli_query_text_bytes(text), text->length);
}

static bool add_truth(opli_answer *answer, bool truth)
{
    return opli_table_add_text(&answer->table, truth ? "true" : "false", truth ? 4 : 5);
}

static bool add_cell(opli_answer *answer, const column *from, size_t c, size_t row)
{
    if (from->validity && !(from->validity[row / 64] >> row % 64 & 1))
        return opli_table_add_empty(&answer->table);
    switch (from->type) {
    case OPLI_DUCK_VARCHAR: return add_text(answer, (const opli_query_text *)from->values + row);
    case OPLI_DUCK_BOOLEAN: return add_truth(answer, ((const bool *)from->values)[row]);
    case OPLI_DUCK_FLOAT: return opli_table_add_real(&answer->table, (double)((const float *)from->values)[row]);
    case OPLI_DUCK_DOUBLE: return opli_table_add_real(&answer->table, ((const double *)from->values)[row]);
    default: return add_whole(answer, c, whole_at(from, row));
    }
}

static bool add_chunk(opli_answer *answer, const opli_duckdb *duckdb, const int *types, opli_duck chunk)
{
    size_t rows = duckdb->data_chunk_get_size(chunk), count = answer->table.column_count;
    column *columns = calloc(count + 1, sizeof *columns);
    bool ok = columns != NULL;
    for (size_t c = 0; ok && c < count; c++) {
        opli_duck vector = duckdb->data_chunk_get_vector(chunk, c);
        columns[c] = (column){types[c], duckdb->vector_get_data(vector), duckdb->vector_get_validity(vector)};
    }
    for (size_t row = 0; ok && row < rows; row++)
        for (size_t c = 0; ok && c < count; c++)
            ok = add_cell(answer, &columns[c], c, row);
    free(columns);
    return ok;
}

/* ---- the whole ---- */

static bool take_columns(opli_answer *answer, const opli_duckdb *duckdb, opli_duck_result *result, int *types)
{
    size_t count = duckdb->column_count(result);
    for (size_t c = 0; c < count; c++) {
        types[c] = duckdb->column_type(result, c);
        char *name = strdup(duckdb->column_name(result, c));
        if (!name)
            return false;
        answer->columns[c] = (opli_column){name, name, type_of(types[c])};
        answer->table.column_count++;
    }
    return true;
}

static const char *unreadable(const opli_answer *answer, const int *types)
{
    for (size_t c = 0; c < answer->table.column_count; c++)
        if (!opli_answer_reads(types[c]))
            return answer->columns[c].title;
    return NULL;
}

static bool add_chunks(opli_answer *answer, const opli_duckdb *duckdb, opli_duck_result *result, const int *types)
{
    bool ok = true;
    for (opli_duck chunk; ok && (chunk = duckdb->fetch_chunk(*result));) {
        ok = add_chunk(answer, duckdb, types, chunk);
        duckdb->destroy_data_chunk(&chunk);
    }
    return ok;
}

opl_status opli_answer_read(opli_answer *answer, const opli_duckdb *duckdb, opli_duck_result *result, opl_error *err)
{
    size_t count = duckdb->column_count(result);
    int *types = calloc(count + 1, sizeof *types);
    *answer = (opli_answer){.columns = calloc(count + 1, sizeof *answer->columns)};
    answer->table.columns = answer->columns;
    opl_status st = types && answer->columns && take_columns(answer, duckdb, result, types) ? OPL_OK : OPL_NOMEM;
    const char *name = st == OPL_OK ? unreadable(answer, types) : NULL;
    if (name)
        st = opli_fail(err, OPL_UNSUPPORTED, "the column '%s' is of a type that cannot be shown; cast it to varchar",
                       name);
    else if (st != OPL_OK || !add_chunks(answer, duckdb, result, types))
        st = opli_fail(err, OPL_NOMEM, "there is no memory for the answer; ask for fewer rows, or write Parquet");
    free(types);
    if (st != OPL_OK)
        opli_answer_free(answer);
    return st;
}

void opli_answer_free(opli_answer *answer)
{
    for (size_t c = 0; c < answer->table.column_count; c++)
        free((char *)answer->columns[c].title);
    opli_table_free(&answer->table);
    free(answer->columns);
    *answer = (opli_answer){.columns = NULL};
}
