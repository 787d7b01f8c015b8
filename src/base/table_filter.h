/* table_filter.h - keep the rows of a table that an expression is true of.
 *
 *     name ~ "aten::" and (count > 10 or total >= 5ms) and not name ~ /^aten::_/i
 *
 * A comparison is a column's key, an operator, a value. Operators are = != < <= > >=, and ~ for
 * "contains": a text, or a regular expression between slashes (POSIX extended; i behind it ignores
 * case). A text with spaces or parentheses is quoted, and then \" and \\ mean " and \. Numbers may
 * carry a unit of their column: 10us, 1.5ms, 2MB. A missing value only ever satisfies !=. */
#ifndef OPLI_BASE_TABLE_FILTER_H
#define OPLI_BASE_TABLE_FILTER_H

#include <oplens/error.h>

#include "base/table.h"

/* OPL_INVALID with a sentence that points at the place, OPL_NOMEM; the table then stays as it was. */
opl_status opli_table_filter(opli_table *table, const char *expression, opl_error *err);

#endif
