/* table_filter.c - keep the rows of a table that an expression is true of.
 *
 * The expression becomes a tree of nodes, in one vector, by recursive descent; then the tree is
 * asked about every row. */
#include "base/table_filter.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/quantity.h"
#include "base/table_order.h"
#include "base/utf8.h"

#define DEPTH_MAX 100 /* parentheses and nots within one another */

enum node_kind { NODE_COMPARE, NODE_AND, NODE_OR, NODE_NOT };
enum operator_kind { OP_EQUAL, OP_UNEQUAL, OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST, OP_CONTAINS };

typedef struct node {
    enum node_kind kind;
    size_t left, right; /* of and, or, not */
    size_t column;      /* and the rest: of a comparison */
    enum operator_kind op;
    long double number;
    char *text; /* owned */
    size_t length;
    regex_t *regex; /* owned; NULL when it is a plain text */
} node;

typedef struct filter {
    const opli_table *table;
    const char *expression, *at;
    OPLI_VECTOR(node) nodes;
    unsigned depth;
    opl_error *err;
} filter;

/* ---- saying what is wrong, and where ---- */

/* The sentence, then the expression with a mark below the place. */
__attribute__((format(printf, 3, 4))) static opl_status refuse(filter *f, const char *place, const char *format, ...)
{
    opli_text said = {0};
    char sentence[300];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    size_t column = opli_utf8_width(f->expression, (size_t)(place - f->expression));
    opli_text_addf(&said, "the filter makes no sense at character %zu: %s", column + 1, sentence);
    if (strlen(f->expression) < 100)
        opli_text_addf(&said, "\n  %s\n  %*s^", f->expression, (int)column, "");
    opli_fail(f->err, OPL_INVALID, "%s", said.bytes ? said.bytes : sentence);
    opli_text_free(&said);
    return OPL_INVALID;
}

static opl_status no_memory(filter *f)
{
    opli_fail(f->err, OPL_NOMEM, "no memory to filter the table");
    return OPL_NOMEM;
}

/* ---- words ---- */

static void skip_space(filter *f) { f->at += strspn(f->at, " \t\r\n"); }

/* Keys, bare values and the words and, or, not end at space, a parenthesis, a quote or an operator. */
static size_t word_length(const char *at) { return strcspn(at, " \t\r\n()\"'=!<>~"); }

static bool take_word(filter *f, const char *word)
{
    skip_space(f);
    size_t length = strlen(word);
    if (word_length(f->at) != length || memcmp(f->at, word, length) != 0)
        return false;
    f->at += length;
    return true;
}

/* What stands at a place, for a sentence. */
static opl_status refuse_found(filter *f, const char *expected)
{
    skip_space(f);
    size_t length = word_length(f->at);
    if (!*f->at)
        return refuse(f, f->at, "%s is missing", expected);
    return refuse(f, f->at, "%s should stand here, not '%.*s'", expected,
                  length > 40 ? 40
                  : length    ? (int)length
                              : 1,
                  f->at);
}

/* ---- nodes ---- */

static opl_status add_node(filter *f, node made, size_t *out)
{
    node *added = opli_vector_add(&f->nodes);
    if (!added)
        return no_memory(f);
    *added = made;
    *out = f->nodes.count - 1;
    return OPL_OK;
}

static opl_status read_operator(filter *f, enum operator_kind *op)
{
    static const struct {
        const char *sign;
        enum operator_kind op;
    } signs[] = {{"<=", OP_AT_MOST}, {">=", OP_AT_LEAST}, {"!=", OP_UNEQUAL}, {"==", OP_EQUAL},
                 {"=", OP_EQUAL},    {"<", OP_LESS},      {">", OP_MORE},     {"~", OP_CONTAINS}};
    skip_space(f);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strncmp(f->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            *op = signs[i].op;
            f->at += strlen(signs[i].sign);
            return OPL_OK;
        }
    }
    return refuse_found(f, "one of = != < <= > >= ~");
}

/* From an opening quote or slash to the closing one; a backslash before it keeps it. */
static opl_status read_quoted(filter *f, node *to)
{
    const char *opening = f->at, quote = *opening;
    bool slashes = quote == '/';
    char *out = to->text = malloc(strlen(opening) + 1);
    if (!out)
        return no_memory(f);
    for (f->at++; *f->at && *f->at != quote; f->at++) {
        bool escapes = *f->at == '\\' && (f->at[1] == quote || (f->at[1] == '\\' && !slashes));
        f->at += escapes;
        if (*f->at == '\\' && slashes && f->at[1]) /* any other escape is the expression's own */
            *out++ = *f->at++;
        *out++ = *f->at;
    }
    *out = '\0';
    to->length = (size_t)(out - to->text);
    if (!*f->at)
        return refuse(f, opening, "the %s that opens here is never closed", slashes ? "slash" : "quote");
    f->at++;
    return OPL_OK;
}

static opl_status read_regex(filter *f, node *to)
{
    const char *opening = f->at;
    opl_status st = read_quoted(f, to);
    if (st != OPL_OK)
        return st;
    bool any_case = *f->at == 'i';
    f->at += any_case;
    regex_t *regex = calloc(1, sizeof *regex);
    if (!regex)
        return no_memory(f);
    int wrong = regcomp(regex, to->text, REG_EXTENDED | REG_NOSUB | (any_case ? REG_ICASE : 0));
    if (wrong) {
        char reason[100];
        regerror(wrong, regex, reason, sizeof reason);
        free(regex);
        return refuse(f, opening, "the regular expression is wrong: %s", reason);
    }
    to->regex = regex;
    return OPL_OK;
}

static opl_status read_text(filter *f, node *to)
{
    skip_space(f);
    if (*f->at == '/' && to->op == OP_CONTAINS)
        return read_regex(f, to);
    if (*f->at == '"' || *f->at == '\'')
        return read_quoted(f, to);
    size_t length = word_length(f->at);
    if (!length)
        return refuse_found(f, "a text");
    to->text = strndup(f->at, length);
    to->length = length;
    f->at += length;
    return to->text ? OPL_OK : no_memory(f);
}

static enum opli_quantity_kind quantity_of(enum opli_column_type type)
{
    return type == OPLI_COLUMN_NS      ? OPLI_QUANTITY_TIME
           : type == OPLI_COLUMN_BYTES ? OPLI_QUANTITY_SIZE
                                       : OPLI_QUANTITY_PLAIN;
}

static opl_status read_number(filter *f, node *to)
{
    enum opli_quantity_kind kind = quantity_of(f->table->columns[to->column].type);
    const char *key = f->table->columns[to->column].key, *units = opli_quantity_units(kind);
    skip_space(f);
    size_t length = word_length(f->at);
    if (!length)
        return refuse_found(f, "a number");
    if (!opli_quantity_read(f->at, length, kind, &to->number))
        return refuse(f, f->at, "'%.*s' is not a number that '%s' can be compared with%s%s",
                      length < 40 ? (int)length : 40, f->at, key, *units ? "; its units are " : ", and it has no unit",
                      units);
    size_t gap = strspn(f->at + length, " "), unit = word_length(f->at + length + gap); /* 1.5 ms */
    long double with_unit;
    if (gap && unit && opli_quantity_read(f->at, length + gap + unit, kind, &with_unit)) {
        to->number = with_unit;
        length += gap + unit;
    }
    f->at += length;
    return OPL_OK;
}

static opl_status read_value(filter *f, node *to, const char *sign)
{
    const opli_column *column = &f->table->columns[to->column];
    if (column->type == OPLI_COLUMN_TEXT)
        return read_text(f, to);
    if (to->op == OP_CONTAINS)
        return refuse(f, sign, "~ looks into texts, and '%s' is a number", column->key);
    return read_number(f, to);
}

static void free_node(node *n)
{
    free(n->text);
    if (n->regex)
        regfree(n->regex);
    free(n->regex);
}

static opl_status read_comparison(filter *f, size_t *out)
{
    node made = {.kind = NODE_COMPARE};
    skip_space(f);
    const char *key = f->at;
    size_t length = word_length(key);
    if (!length)
        return refuse_found(f, "a column's key");
    made.column = opli_table_column(f->table, key, length);
    if (made.column == f->table->column_count) {
        opl_error unknown;
        opli_table_no_column(f->table, key, length, &unknown);
        return refuse(f, key, "%s", unknown.message);
    }
    f->at += length;
    skip_space(f);
    const char *sign = f->at;
    opl_status st = read_operator(f, &made.op);
    if (st == OPL_OK)
        st = read_value(f, &made, sign);
    if (st == OPL_OK)
        st = add_node(f, made, out);
    if (st != OPL_OK)
        free_node(&made);
    return st;
}

/* ---- and, or, not ---- */

static opl_status read_or(filter *f, size_t *out);

static opl_status read_not(filter *f, size_t *out)
{
    *out = 0;
    skip_space(f);
    const char *place = f->at;
    bool negated = take_word(f, "not");
    if (!negated && *f->at != '(')
        return read_comparison(f, out);
    if (f->depth == DEPTH_MAX)
        return refuse(f, place, "more than %d parentheses or nots stand within one another", DEPTH_MAX);
    f->depth++;
    opl_status st;
    if (negated) {
        size_t inner;
        st = read_not(f, &inner);
        st = st == OPL_OK ? add_node(f, (node){.kind = NODE_NOT, .left = inner}, out) : st;
    } else {
        f->at++;
        st = read_or(f, out);
        skip_space(f);
        if (st == OPL_OK && *f->at != ')')
            st = *f->at ? refuse_found(f, "'and', 'or' or ')'")
                        : refuse(f, place, "the parenthesis that opens here is never closed");
        f->at += st == OPL_OK;
    }
    f->depth--;
    return st;
}

static opl_status read_and(filter *f, size_t *out)
{
    opl_status st = read_not(f, out);
    while (st == OPL_OK && take_word(f, "and")) {
        size_t left = *out, right;
        st = read_not(f, &right);
        if (st == OPL_OK)
            st = add_node(f, (node){.kind = NODE_AND, .left = left, .right = right}, out);
    }
    return st;
}

static opl_status read_or(filter *f, size_t *out)
{
    opl_status st = read_and(f, out);
    while (st == OPL_OK && take_word(f, "or")) {
        size_t left = *out, right;
        st = read_and(f, &right);
        if (st == OPL_OK)
            st = add_node(f, (node){.kind = NODE_OR, .left = left, .right = right}, out);
    }
    return st;
}

static opl_status read_all(filter *f, size_t *out)
{
    opl_status st = read_or(f, out);
    skip_space(f);
    return st == OPL_OK && *f->at ? refuse_found(f, "'and' or 'or'") : st;
}

/* ---- asking a row ---- */

static bool order_satisfies(enum operator_kind op, int order)
{
    switch (op) {
    case OP_EQUAL: return order == 0;
    case OP_UNEQUAL: return order != 0;
    case OP_LESS: return order < 0;
    case OP_AT_MOST: return order <= 0;
    case OP_MORE: return order > 0;
    case OP_AT_LEAST: return order >= 0;
    default: return false;
    }
}

static bool contains(const opli_cell *cell, const node *n)
{
    if (n->regex)
        return regexec(n->regex, cell->text, 0, NULL, 0) == 0;
    for (size_t at = 0; at + n->length <= cell->length; at++)
        if (memcmp(cell->text + at, n->text, n->length) == 0)
            return true;
    return false;
}

static int text_order(const opli_cell *cell, const node *n)
{
    size_t shorter = cell->length < n->length ? cell->length : n->length;
    int order = memcmp(cell->text, n->text, shorter);
    return order ? order : (cell->length > n->length) - (cell->length < n->length);
}

static bool compare(const opli_column *column, const opli_cell *cell, const node *n)
{
    if (cell->empty || (column->type == OPLI_COLUMN_REAL && isnan(cell->real)))
        return n->op == OP_UNEQUAL;
    if (n->op == OP_CONTAINS)
        return contains(cell, n);
    if (column->type == OPLI_COLUMN_TEXT)
        return order_satisfies(n->op, text_order(cell, n));
    long double value = column->type == OPLI_COLUMN_REAL ? (long double)cell->real : (long double)cell->number;
    return order_satisfies(n->op, (value > n->number) - (value < n->number));
}

static bool is_true(const filter *f, size_t at, const opli_cell *row)
{
    const node *n = &f->nodes.items[at];
    switch (n->kind) {
    case NODE_AND: return is_true(f, n->left, row) && is_true(f, n->right, row);
    case NODE_OR: return is_true(f, n->left, row) || is_true(f, n->right, row);
    case NODE_NOT: return !is_true(f, n->left, row);
    default: return compare(&f->table->columns[n->column], &row[n->column], n);
    }
}

static void keep_matching(opli_table *table, const filter *f, size_t root)
{
    size_t kept = 0, width = table->column_count, rows = opli_table_rows(table);
    for (size_t i = 0; i < rows; i++) {
        opli_cell *row = &table->cells.items[i * width];
        if (is_true(f, root, row)) {
            if (kept != i)
                memcpy(&table->cells.items[kept * width], row, width * sizeof *row);
            kept++;
            continue;
        }
        for (size_t c = 0; c < width; c++)
            free(row[c].text);
    }
    table->cells.count = kept * width;
}

opl_status opli_table_filter(opli_table *table, const char *expression, opl_error *err)
{
    filter f = {.table = table, .expression = expression, .at = expression, .err = err};
    size_t root;
    opl_status st = read_all(&f, &root);
    if (st == OPL_OK)
        keep_matching(table, &f, root);
    for (size_t i = 0; i < f.nodes.count; i++)
        free_node(&f.nodes.items[i]);
    opli_vector_free(&f.nodes);
    return st;
}
