/* duckdb_library.c - the few functions of DuckDB's C API that we call. */
#include "query/duckdb_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/failure.h"

/* The room never calls without having checked the version: 1.4 is where the last function we use
 * came in, and a next major version may change any of them. */
#define MAJOR 1
#define LEAST_MINOR 4

#define HOW_TO_GET "run 'tools/setup query', or set OPLENS_DUCKDB to the path of libduckdb.so"

/* Whoever opens holds the lock, fills in the functions and publishes them by `opened`. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static opli_duckdb duckdb;
static _Atomic bool opened;

bool opli_duckdb_knows(const char *version)
{
    int major = 0, minor = 0;
    return version && sscanf(version, "v%d.%d", &major, &minor) == 2 && major == MAJOR && minor >= LEAST_MINOR;
}

static void *open_library(opl_error *err)
{
    const char *named = getenv("OPLENS_DUCKDB");
    const char *const places[] = {OPLI_DUCKDB_HOME "/libduckdb.so", "libduckdb.so"};
    void *library = NULL;
    if (named && named[0]) {
        library = dlopen(named, RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            opli_fail(err, OPL_UNSUPPORTED, "OPLENS_DUCKDB=%s cannot be loaded: %s", named, dlerror());
        return library;
    }
    for (size_t i = 0; !library && i < sizeof places / sizeof *places; i++)
        library = dlopen(places[i], RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        opli_fail(err, OPL_UNSUPPORTED, "SQL needs DuckDB, which is not installed: " HOW_TO_GET);
    return library;
}

/* The name of a function that is not there, or NULL when all are. */
static const char *find_functions(void *library)
{
    const char *missing = NULL;
#define FIND(returns, name, takes)                            \
    *(void **)&duckdb.name = dlsym(library, "duckdb_" #name); \
    if (!duckdb.name)                                         \
        missing = "duckdb_" #name;
    OPLI_DUCKDB_FUNCTIONS(FIND)
#undef FIND
    return missing;
}

static opl_status open_once(opl_error *err)
{
    void *library = open_library(err);
    if (!library)
        return OPL_UNSUPPORTED;
    const char *missing = find_functions(library);
    const char *version = duckdb.library_version ? duckdb.library_version() : "unknown";
    if (!opli_duckdb_knows(version))
        return opli_fail(err, OPL_UNSUPPORTED, "DuckDB %s is not a version we know, which is %d.%d or a later %d: %s",
                         version, MAJOR, LEAST_MINOR, MAJOR, HOW_TO_GET);
    if (missing)
        return opli_fail(err, OPL_UNSUPPORTED, "DuckDB %s lacks %s: " HOW_TO_GET, version, missing);
    atomic_store_explicit(&opened, true, memory_order_release);
    return OPL_OK;
}

opl_status opli_duckdb_get(const opli_duckdb **out, opl_error *err)
{
    opl_status st = OPL_OK;
    if (!atomic_load_explicit(&opened, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        st = atomic_load_explicit(&opened, memory_order_relaxed) ? OPL_OK : open_once(err);
        pthread_mutex_unlock(&lock);
    }
    *out = st == OPL_OK ? &duckdb : NULL;
    return st;
}
