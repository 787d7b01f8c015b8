/* duckdb_library_test.c - DuckDB found, missing, or of a version we do not know. */
#include "query/duckdb_library.h"
#include "test.h"

TEST(duckdb_library, knows_the_versions_whose_functions_we_know)
{
    static const char *const known[] = {"v1.4.0", "v1.5.6", "v1.12.0-dev7"};
    static const char *const unknown[] = {"v1.3.2", "v0.10.3", "v2.0.0", "v", "", "1.5.6", "unknown"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(opli_duckdb_knows(known[i]));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK(!opli_duckdb_knows(unknown[i]));
    CHECK(!opli_duckdb_knows(NULL));
}

/* These two come in this order: what was opened once stays open. */
TEST(duckdb_library, that_is_named_and_missing_is_said_so)
{
    const opli_duckdb *duckdb;
    opl_error err;
    setenv("OPLENS_DUCKDB", "/nowhere/libduckdb.so", 1);
    CHECK_EQ(opli_duckdb_get(&duckdb, &err), OPL_UNSUPPORTED);
    CHECK(!duckdb);
    CHECK(strstr(err.message, "OPLENS_DUCKDB=/nowhere/libduckdb.so"));
}

TEST(duckdb_library, that_is_another_one_is_refused)
{
    const opli_duckdb *duckdb;
    opl_error err;
    setenv("OPLENS_DUCKDB", "libc.so.6", 1);
    CHECK_EQ(opli_duckdb_get(&duckdb, &err), OPL_UNSUPPORTED);
    CHECK(strstr(err.message, "tools/setup query"));
}

TEST(duckdb_library, is_opened_once)
{
    const opli_duckdb *duckdb, *again;
    opl_error err;
    unsetenv("OPLENS_DUCKDB");
    if (opli_duckdb_get(&duckdb, &err) != OPL_OK)
        SKIP(err.message);
    CHECK_EQ(opli_duckdb_get(&again, &err), OPL_OK);
    CHECK(duckdb == again);
    CHECK(opli_duckdb_knows(duckdb->library_version()));
}
