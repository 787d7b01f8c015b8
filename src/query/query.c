/* query.c - ask a trace in SQL. */
#define _GNU_SOURCE
#include "query/query.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/failure.h"
#include "query/analysis_table.h"
#include "query/complaint.h"
#include "query/statement.h"
#include "query/store_tables.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS) NULL};
#undef ADDRESS
#define ANALYSIS_COUNT (sizeof analyses / sizeof *analyses - 1)

struct opli_query {
    const opli_duckdb *duckdb;
    opli_duck database, connection;
    opli_query_store store;
    opli_table_function store_tables[OPLI_STORE_TABLE_COUNT];
    opli_analysis_table analysis_tables[ANALYSIS_COUNT + 1];
    char *tables;  /* their names, for complaints */
    char *partial; /* where Parquet is written until it is complete; NULL: nothing may be written */
    char *complete;
};

/* ---- settings ---- */

/* Runs SQL of our own. */
static opl_status command(opli_query *query, const char *sql, opl_error *err)
{
    opli_duck_result result = {.inside = NULL};
    opl_status st = OPL_OK;
    if (query->duckdb->query(query->connection, sql, &result) != OPLI_DUCK_OK)
        st = opli_complaint(query->duckdb->result_error(&result), query->tables, err);
    query->duckdb->destroy_result(&result);
    return st;
}

static opl_status open_database(opli_query *query, const opli_query_options *options, opl_error *err)
{
    const opli_duckdb *duckdb = query->duckdb;
    opli_duck config = NULL;
    char threads[16], *error = NULL;
    snprintf(threads, sizeof threads, "%u", options->threads ? options->threads : 1);
    bool ok = duckdb->create_config(&config) == OPLI_DUCK_OK &&
              duckdb->set_config(config, "threads", threads) == OPLI_DUCK_OK &&
              duckdb->set_config(config, "temp_directory", "") == OPLI_DUCK_OK &&
              duckdb->set_config(config, "autoinstall_known_extensions", "false") == OPLI_DUCK_OK &&
              duckdb->set_config(config, "autoload_known_extensions", "false") == OPLI_DUCK_OK &&
              duckdb->open_ext(NULL, &query->database, config, &error) == OPLI_DUCK_OK &&
              duckdb->connect(query->database, &query->connection) == OPLI_DUCK_OK;
    duckdb->destroy_config(&config);
    if (!ok)
        opli_fail(err, OPL_UNSUPPORTED, "DuckDB cannot be started: %s", error ? error : "it does not say why");
    duckdb->free(error);
    return ok ? OPL_OK : OPL_UNSUPPORTED;
}

/* From here on SQL reaches only what we say, and cannot change that. */
static opl_status close_doors(opli_query *query, bool allow_files, opl_error *err)
{
    opli_text sql = {0};
    if (query->partial && !allow_files) {
        opli_text_addf(&sql, "set allowed_paths = [");
        opli_statement_add_quoted(&sql, '\'', query->partial);
        opli_text_addf(&sql, "]; ");
    }
    opli_text_addf(&sql, "%sset lock_configuration = true", allow_files ? "" : "set enable_external_access = false; ");
    opl_status st =
        sql.cut ? opli_fail(err, OPL_NOMEM, "there is no memory for a path") : command(query, sql.bytes, err);
    opli_text_free(&sql);
    return st;
}

/* ---- tables ---- */

/* The store's tables are views, so that `show tables` and `describe` know them. */
static opl_status add_store_tables(opli_query *query, opl_error *err)
{
    opli_query_table tables[OPLI_STORE_TABLE_COUNT] = {{.name = NULL}};
    opl_status st = opli_store_tables_make(query->store.trace, tables);
    if (st != OPL_OK)
        opli_fail(err, st, "there is no memory for the list of tables");
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++) {
        char sql[128];
        query->store_tables[i] = (opli_table_function){.store = &query->store, .table = tables[i]};
        if (st == OPL_OK)
            st = opli_table_function_register(&query->store_tables[i], query->connection, err);
        snprintf(sql, sizeof sql, "create view %s as from " OPLI_TABLE_FUNCTION_PREFIX "%s()", tables[i].name,
                 tables[i].name);
        if (st == OPL_OK)
            st = command(query, sql, err);
    }
    return st;
}

static bool is_store_table(const opli_query *query, const char *name)
{
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++)
        if (query->store_tables[i].table.name && strcasecmp(query->store_tables[i].table.name, name) == 0)
            return true;
    return false;
}

/* A table that no view is of: an analysis, which is asked only now. */
static void find_analysis(opli_duck info, const char *name, void *data)
{
    opli_query *query = data;
    for (size_t i = 0; i < ANALYSIS_COUNT; i++) {
        char function[80];
        if (strcasecmp(query->analysis_tables[i].name, name) != 0)
            continue;
        snprintf(function, sizeof function, OPLI_TABLE_FUNCTION_PREFIX "%s", query->analysis_tables[i].name);
        query->duckdb->replacement_scan_set_function_name(info, function);
    }
}

static opl_status add_analyses(opli_query *query, opl_error *err)
{
    opl_status st = OPL_OK;
    for (size_t i = 0; i < ANALYSIS_COUNT; i++) {
        opli_analysis_table_init(&query->analysis_tables[i], analyses[i], &query->store);
        if (st == OPL_OK && !is_store_table(query, query->analysis_tables[i].name))
            st = opli_table_function_register(&query->analysis_tables[i].function, query->connection, err);
    }
    query->duckdb->add_replacement_scan(query->database, find_analysis, query, NULL);
    return st;
}

void opli_query_add_tables(const opli_query *query, opli_text *out)
{
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++)
        opli_text_addf(out, "%s%s", i ? ", " : "", query->store_tables[i].table.name);
    for (size_t i = 0; i < ANALYSIS_COUNT; i++)
        if (!is_store_table(query, query->analysis_tables[i].name))
            opli_text_addf(out, ", %s", query->analysis_tables[i].name);
}

/* ---- opening and closing ---- */

static opl_status note_paths(opli_query *query, const char *writes, opl_error *err)
{
    opli_text partial = {0};
    if (!writes)
        return OPL_OK;
    opli_text_addf(&partial, "%s%s.part", strchr(writes, '/') ? "" : "./", writes);
    query->partial = partial.bytes;
    query->complete = strdup(writes);
    return partial.cut || !query->complete ? opli_fail(err, OPL_NOMEM, "there is no memory for a path") : OPL_OK;
}

static opl_status open_query(opli_query *query, const opli_query_options *options, opl_error *err)
{
    opli_text tables = {0};
    opl_status st = opli_duckdb_get(&query->duckdb, err);
    if (st == OPL_OK)
        st = note_paths(query, options->writes, err);
    if (st == OPL_OK)
        st = open_database(query, options, err);
    if (st == OPL_OK)
        st = add_store_tables(query, err);
    if (st == OPL_OK)
        st = add_analyses(query, err);
    if (st != OPL_OK)
        return st;
    opli_query_add_tables(query, &tables);
    query->tables = tables.bytes;
    return close_doors(query, options->allow_files, err);
}

opl_status opli_query_open(const opli_trace *trace, const opli_query_options *options, opli_query **out, opl_error *err)
{
    opli_query *query = calloc(1, sizeof *query);
    *out = NULL;
    if (!query)
        return opli_fail(err, OPL_NOMEM, "there is no memory to ask in SQL");
    opli_query_store_init(&query->store, trace);
    opl_status st = open_query(query, options, err);
    if (st == OPL_OK)
        *out = query;
    else
        opli_query_close(query);
    return st;
}

void opli_query_close(opli_query *query)
{
    if (!query)
        return;
    if (query->connection)
        query->duckdb->disconnect(&query->connection);
    if (query->database)
        query->duckdb->close(&query->database);
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++)
        free(query->store_tables[i].table.columns);
    for (size_t i = 0; i < ANALYSIS_COUNT; i++)
        opli_analysis_table_fini(&query->analysis_tables[i]);
    opli_query_store_fini(&query->store);
    free(query->tables);
    free(query->partial);
    free(query->complete);
    free(query);
}

/* ---- complaining ---- */

static bool is_named(const char *sql, const char *table)
{
    size_t length = strlen(table);
    for (const char *at = sql; (at = strcasestr(at, table)); at++) {
        bool begins = at == sql || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return false;
}

/* " The columns of NAME are ...", for each table the SQL names. */
static void add_columns_of(const opli_query_table *table, const char *sql, opli_text *out)
{
    if (!table->columns || !is_named(sql, table->name))
        return;
    opli_text_addf(out, " The columns of %s are ", table->name);
    for (size_t i = 0; i < table->column_count; i++)
        opli_text_addf(out, "%s%s", i ? ", " : "", table->columns[i].name);
    opli_text_addf(out, ".");
}

static opl_status complain(const opli_query *query, const char *sql, const char *message, opl_error *err)
{
    opli_text columns = {0};
    if (!message || !opli_complaint_is_of_column(message))
        return opli_complaint(message ? message : "", query->tables, err);
    for (size_t i = 0; i < OPLI_STORE_TABLE_COUNT; i++)
        add_columns_of(&query->store_tables[i].table, sql, &columns);
    for (size_t i = 0; i < ANALYSIS_COUNT; i++)
        add_columns_of(&query->analysis_tables[i].function.table, sql, &columns);
    opl_status st = opli_complaint_of_column(message, columns.bytes ? columns.bytes : "", err);
    opli_text_free(&columns);
    return st;
}

/* ---- preparing ---- */

static opl_status prepare(opli_query *query, const char *sql, opli_duck *statement, opl_error *err)
{
    if (query->duckdb->prepare(query->connection, sql, statement) == OPLI_DUCK_OK)
        return OPL_OK;
    opl_status st = complain(query, sql, query->duckdb->prepare_error(*statement), err);
    query->duckdb->destroy_prepare(statement);
    return st;
}

static const char *find_param(const opli_query_param *params, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(params[i].name, name) == 0)
            return params[i].value;
    return NULL;
}

/* As a number where it looks like one, unless a text is expected. */
static bool bind_value(const opli_query *query, opli_duck statement, uint64_t number, const char *value)
{
    const opli_duckdb *duckdb = query->duckdb;
    char *end;
    bool is_text = !*value || duckdb->param_type(statement, number) == OPLI_DUCK_VARCHAR;
    errno = 0;
    long long whole = strtoll(value, &end, 10);
    if (!is_text && !*end && !errno)
        return duckdb->bind_int64(statement, number, whole) == OPLI_DUCK_OK;
    double real = strtod(value, &end);
    if (!is_text && !*end)
        return duckdb->bind_double(statement, number, real) == OPLI_DUCK_OK;
    return duckdb->bind_varchar(statement, number, value) == OPLI_DUCK_OK;
}

static opl_status bind_params(const opli_query *query, opli_duck statement, const opli_query_param *params,
                              size_t count, opl_error *err)
{
    uint64_t wanted = query->duckdb->nparams(statement);
    opl_status st = OPL_OK;
    for (uint64_t number = 1; st == OPL_OK && number <= wanted; number++) {
        const char *name = query->duckdb->parameter_name(statement, number);
        const char *value = name ? find_param(params, count, name) : NULL;
        if (!value)
            st = opli_fail(err, OPL_INVALID, "the query needs a value for $%s: --param %s=VALUE", name, name);
        else if (!bind_value(query, statement, number, value))
            st = opli_fail(err, OPL_INVALID, "'%s' cannot be the value of $%s", value, name);
        query->duckdb->free((void *)name);
    }
    return st;
}

/* ---- casting ---- */

/* Dates, lists, decimals ... are read as text or as real numbers: DuckDB casts them for us, in a
 * statement around the one that was asked. */
typedef struct casting {
    opli_text columns; /* what the outer statement selects */
    opli_text names;   /* what it calls the inner one's columns */
    size_t count, cast_count;
} casting;

static void add_column(casting *to, const char *name, int type)
{
    bool reads = opli_answer_reads(type);
    opli_text_addf(&to->names, "%sc%zu", to->count ? ", " : "", to->count);
    opli_text_addf(&to->columns, reads ? "%sc%zu as " : "%scast(c%zu as ", to->count ? ", " : "", to->count);
    if (!reads)
        opli_text_addf(&to->columns, "%s) as ", type == OPLI_DUCK_DECIMAL ? "double" : "varchar");
    opli_statement_add_quoted(&to->columns, '"', name ? name : "");
    to->count++;
    to->cast_count += !reads;
}

/* False when types depend on parameters, and are known only from an answer. */
static bool add_prepared_columns(casting *to, const opli_duckdb *duckdb, opli_duck statement)
{
    size_t count = duckdb->prepared_statement_column_count(statement);
    for (size_t c = 0; c < count; c++) {
        int type = duckdb->prepared_statement_column_type(statement, c);
        const char *name = duckdb->prepared_statement_column_name(statement, c);
        if (type != OPLI_DUCK_INVALID)
            add_column(to, name, type);
        duckdb->free((void *)name);
        if (type == OPLI_DUCK_INVALID)
            return false;
    }
    return true;
}

static void add_answered_columns(casting *to, const opli_duckdb *duckdb, opli_duck_result *result)
{
    for (size_t c = 0; c < duckdb->column_count(result); c++)
        add_column(to, duckdb->column_name(result, c), duckdb->column_type(result, c));
}

static void add_cast_statement(const casting *from, const char *sql, opli_text *out)
{
    opli_text_addf(out, "select %s from (\n%s\n) as q(%s)", from->columns.bytes, sql, from->names.bytes);
}

static void casting_free(casting *c)
{
    opli_text_free(&c->columns);
    opli_text_free(&c->names);
}

/* ---- running ---- */

/* What was asked, and with what. */
typedef struct question {
    const char *sql;
    const opli_query_param *params;
    size_t param_count;
} question;

static opl_status execute(opli_query *query, const question *asked, const char *sql, opli_duck_result *result,
                          opl_error *err)
{
    opli_duck statement = NULL;
    opl_status st = prepare(query, sql, &statement, err);
    if (st == OPL_OK)
        st = bind_params(query, statement, asked->params, asked->param_count, err);
    if (st == OPL_OK && query->duckdb->execute_prepared(statement, result) != OPLI_DUCK_OK)
        st = complain(query, sql, query->duckdb->result_error(result), err);
    if (statement)
        query->duckdb->destroy_prepare(&statement);
    return st;
}

static bool is_sound(opli_query *query, const char *sql)
{
    opli_duck statement = NULL;
    bool ok = prepare(query, sql, &statement, NULL) == OPL_OK;
    if (statement)
        query->duckdb->destroy_prepare(&statement);
    return ok;
}

/* The statement to run: the one that was asked, or one around it that casts. Not all can stand
 * inside another, such as `insert ... returning`. */
static opl_status choose_statement(opli_query *query, const question *asked, opli_text *sql, opl_error *err)
{
    opli_duck statement = NULL;
    casting casts = {.count = 0};
    opl_status st = prepare(query, asked->sql, &statement, err);
    if (st != OPL_OK)
        return st;
    if (add_prepared_columns(&casts, query->duckdb, statement) && casts.cast_count)
        add_cast_statement(&casts, asked->sql, sql);
    if (!sql->length || !is_sound(query, sql->bytes)) {
        opli_text_reset(sql);
        opli_text_addf(sql, "%s", asked->sql);
    }
    casting_free(&casts);
    query->duckdb->destroy_prepare(&statement);
    return sql->cut ? opli_fail(err, OPL_NOMEM, "there is no memory for the query") : OPL_OK;
}

/* Asks again with casts, where only the answer showed that they are needed. */
static opl_status cast_answer(opli_query *query, const question *asked, opli_duck_result *result, opl_error *err)
{
    casting casts = {.count = 0};
    opli_text sql = {0};
    opl_status st = OPL_OK;
    add_answered_columns(&casts, query->duckdb, result);
    if (casts.cast_count) {
        add_cast_statement(&casts, asked->sql, &sql);
        query->duckdb->destroy_result(result);
        *result = (opli_duck_result){.inside = NULL};
        st = execute(query, asked, sql.bytes, result, err);
    }
    opli_text_free(&sql);
    casting_free(&casts);
    return st;
}

opl_status opli_query_run(opli_query *query, const char *sql, const opli_query_param *params, size_t param_count,
                          opli_answer *answer, opl_error *err)
{
    opli_duck_result result = {.inside = NULL};
    question asked = {sql, params, param_count};
    opli_text chosen = {0};
    *answer = (opli_answer){.columns = NULL};
    opl_status st = choose_statement(query, &asked, &chosen, err);
    if (st == OPL_OK)
        st = execute(query, &asked, chosen.bytes, &result, err);
    if (st == OPL_OK && param_count)
        st = cast_answer(query, &asked, &result, err);
    if (st == OPL_OK)
        st = opli_answer_read(answer, query->duckdb, &result, err);
    query->duckdb->destroy_result(&result);
    opli_text_free(&chosen);
    return st;
}

/* ---- writing ---- */

static opl_status copy_out(opli_query *query, const char *sql, const opli_query_param *params, size_t param_count,
                           opl_error *err)
{
    opli_text copy = {0};
    opli_answer answer;
    opli_text_addf(&copy, "copy (\n%s\n) to ", sql);
    opli_statement_add_quoted(&copy, '\'', query->partial);
    opli_text_addf(&copy, " (format parquet, use_tmp_file false)");
    opl_status st = opli_query_run(query, copy.bytes, params, param_count, &answer, err);
    opli_answer_free(&answer);
    opli_text_free(&copy);
    return st;
}

opl_status opli_query_write(opli_query *query, const char *sql, const opli_query_param *params, size_t param_count,
                            opl_error *err)
{
    opl_status st = copy_out(query, sql, params, param_count, err);
    if (st == OPL_OK && rename(query->partial, query->complete) != 0)
        st = opli_fail(err, OPL_IO, "%s: cannot be written: %s", query->complete, strerror(errno));
    if (st != OPL_OK)
        unlink(query->partial);
    return st;
}
