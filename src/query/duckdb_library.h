/* duckdb_library.h - the few functions of DuckDB's C API that we call, found when they are needed.
 *
 * DuckDB is a guest: nothing is linked and no header of it is needed. The library is opened the
 * first time somebody asks, its version is checked, and every function below must be there.
 * Threads: an opened library never changes. Lifetime: it stays open until the process ends. */
#ifndef OPLI_QUERY_DUCKDB_LIBRARY_H
#define OPLI_QUERY_DUCKDB_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <oplens/error.h>

/* Databases, connections, vectors ... are DuckDB's own and reach us as pointers. */
typedef void *opli_duck;

/* An answer: what it points to is the last word; the others are kept for old programs. It is
 * handed over by value, so its size is part of the contract. */
typedef struct opli_duck_result {
    uint64_t old[3];
    void *old_pointers[2];
    void *inside;
} opli_duck_result;

/* The types we speak, by DuckDB's numbers. */
enum opli_duck_type {
    OPLI_DUCK_INVALID = 0,
    OPLI_DUCK_BOOLEAN = 1,
    OPLI_DUCK_TINYINT = 2,
    OPLI_DUCK_SMALLINT = 3,
    OPLI_DUCK_INTEGER = 4,
    OPLI_DUCK_BIGINT = 5,
    OPLI_DUCK_UTINYINT = 6,
    OPLI_DUCK_USMALLINT = 7,
    OPLI_DUCK_UINTEGER = 8,
    OPLI_DUCK_UBIGINT = 9,
    OPLI_DUCK_FLOAT = 10,
    OPLI_DUCK_DOUBLE = 11,
    OPLI_DUCK_HUGEINT = 16,
    OPLI_DUCK_VARCHAR = 17,
    OPLI_DUCK_DECIMAL = 19,
    OPLI_DUCK_ENUM = 23,
    OPLI_DUCK_UHUGEINT = 32,
};

enum { OPLI_DUCK_OK = 0 }; /* what calls that can fail return when they did not */

typedef void (*opli_duck_bind)(opli_duck info);
typedef void (*opli_duck_init)(opli_duck info);
typedef void (*opli_duck_fill)(opli_duck info, opli_duck chunk);
typedef void (*opli_duck_replace)(opli_duck info, const char *table, void *data);
typedef void (*opli_duck_free)(void *data);

/* X(what it returns, its name after duckdb_, what it takes). */
#define OPLI_DUCKDB_FUNCTIONS(X)                                                                                    \
    X(const char *, library_version, (void))                                                                        \
    X(uint64_t, vector_size, (void))                                                                                \
    X(void, free, (void *memory))                                                                                   \
    /* databases */                                                                                                 \
    X(int, create_config, (opli_duck * config))                                                                     \
    X(int, set_config, (opli_duck config, const char *name, const char *value))                                     \
    X(void, destroy_config, (opli_duck * config))                                                                   \
    X(int, open_ext, (const char *path, opli_duck *database, opli_duck config, char **error))                       \
    X(void, close, (opli_duck * database))                                                                          \
    X(int, connect, (opli_duck database, opli_duck * connection))                                                   \
    X(void, disconnect, (opli_duck * connection))                                                                   \
    /* statements */                                                                                                \
    X(int, query, (opli_duck connection, const char *sql, opli_duck_result *result))                                \
    X(int, prepare, (opli_duck connection, const char *sql, opli_duck *statement))                                  \
    X(const char *, prepare_error, (opli_duck statement))                                                           \
    X(void, destroy_prepare, (opli_duck * statement))                                                               \
    X(uint64_t, prepared_statement_column_count, (opli_duck statement))                                             \
    X(int, prepared_statement_column_type, (opli_duck statement, uint64_t column))                                  \
    X(const char *, prepared_statement_column_name, (opli_duck statement, uint64_t column))                         \
    X(uint64_t, nparams, (opli_duck statement))                                                                     \
    X(const char *, parameter_name, (opli_duck statement, uint64_t number))                                         \
    X(int, param_type, (opli_duck statement, uint64_t number))                                                      \
    X(int, bind_int64, (opli_duck statement, uint64_t number, int64_t value))                                       \
    X(int, bind_double, (opli_duck statement, uint64_t number, double value))                                       \
    X(int, bind_varchar, (opli_duck statement, uint64_t number, const char *value))                                 \
    X(int, execute_prepared, (opli_duck statement, opli_duck_result * result))                                      \
    /* answers */                                                                                                   \
    X(const char *, result_error, (opli_duck_result * result))                                                      \
    X(void, destroy_result, (opli_duck_result * result))                                                            \
    X(uint64_t, column_count, (opli_duck_result * result))                                                          \
    X(const char *, column_name, (opli_duck_result * result, uint64_t column))                                      \
    X(int, column_type, (opli_duck_result * result, uint64_t column))                                               \
    X(opli_duck, fetch_chunk, (opli_duck_result result))                                                            \
    /* chunks and vectors */                                                                                        \
    X(void, destroy_data_chunk, (opli_duck * chunk))                                                                \
    X(uint64_t, data_chunk_get_size, (opli_duck chunk))                                                             \
    X(void, data_chunk_set_size, (opli_duck chunk, uint64_t rows))                                                  \
    X(opli_duck, data_chunk_get_vector, (opli_duck chunk, uint64_t column))                                         \
    X(void *, vector_get_data, (opli_duck vector))                                                                  \
    X(uint64_t *, vector_get_validity, (opli_duck vector))                                                          \
    X(void, vector_ensure_validity_writable, (opli_duck vector))                                                    \
    X(void, vector_assign_string_element_len, (opli_duck vector, uint64_t row, const char *text, uint64_t length))  \
    X(opli_duck, create_enum_type, (const char **words, uint64_t count))                                            \
    X(opli_duck, create_logical_type, (int type))                                                                   \
    X(void, destroy_logical_type, (opli_duck * type))                                                               \
    /* table functions */                                                                                           \
    X(opli_duck, create_table_function, (void))                                                                     \
    X(void, destroy_table_function, (opli_duck * function))                                                         \
    X(void, table_function_set_name, (opli_duck function, const char *name))                                        \
    X(void, table_function_set_extra_info, (opli_duck function, void *info, opli_duck_free free))                   \
    X(void, table_function_set_bind, (opli_duck function, opli_duck_bind bind))                                     \
    X(void, table_function_set_init, (opli_duck function, opli_duck_init init))                                     \
    X(void, table_function_set_function, (opli_duck function, opli_duck_fill fill))                                 \
    X(void, table_function_supports_projection_pushdown, (opli_duck function, bool pushdown))                       \
    X(int, register_table_function, (opli_duck connection, opli_duck function))                                     \
    X(void *, bind_get_extra_info, (opli_duck info))                                                                \
    X(void, bind_add_result_column, (opli_duck info, const char *name, opli_duck type))                             \
    X(void, bind_set_cardinality, (opli_duck info, uint64_t rows, bool is_exact))                                   \
    X(void, bind_set_error, (opli_duck info, const char *error))                                                    \
    X(void *, init_get_extra_info, (opli_duck info))                                                                \
    X(void, init_set_init_data, (opli_duck info, void *data, opli_duck_free free))                                  \
    X(uint64_t, init_get_column_count, (opli_duck info))                                                            \
    X(uint64_t, init_get_column_index, (opli_duck info, uint64_t column))                                           \
    X(void, init_set_max_threads, (opli_duck info, uint64_t threads))                                               \
    X(void, init_set_error, (opli_duck info, const char *error))                                                    \
    X(void *, function_get_init_data, (opli_duck info))                                                             \
    X(void, add_replacement_scan, (opli_duck database, opli_duck_replace replace, void *data, opli_duck_free free)) \
    X(void, replacement_scan_set_function_name, (opli_duck info, const char *name))

#define OPLI_DUCKDB_MEMBER(returns, name, takes) returns(*name) takes;
typedef struct opli_duckdb {
    OPLI_DUCKDB_FUNCTIONS(OPLI_DUCKDB_MEMBER)
} opli_duckdb;
#undef OPLI_DUCKDB_MEMBER

/* DuckDB, opened on first use; OPL_UNSUPPORTED with how to get it when it is not installed or is
 * of a version whose functions may differ. It is looked for at $OPLENS_DUCKDB, then where
 * `tools/setup query` puts it, then where the system keeps libraries. */
opl_status opli_duckdb_get(const opli_duckdb **out, opl_error *err);

/* Whether we speak the C API of that version, as in "v1.5.6". */
bool opli_duckdb_knows(const char *version);

#endif
