/* asked_table.c - the table a user asked for. */
#include "cli/asked_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/table_filter.h"
#include "base/table_order.h"
#include "cli/progress_bar.h"

#define ADDRESS(name) &opli_analysis_##name,
static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS) NULL};
#undef ADDRESS

const opli_analysis *opli_asked_analysis(const opli_given *given, const char *name)
{
    opli_text names = {0};
    for (size_t i = 0; analyses[i]; i++) {
        if (strcmp(analyses[i]->name, name) == 0) {
            opli_text_free(&names);
            return analyses[i];
        }
        opli_text_addf(&names, "%s%s", i ? ", " : "", analyses[i]->name);
    }
    opli_complain(given, "there is no table '%s'; there are %s", name, names.bytes ? names.bytes : "none");
    opli_text_free(&names);
    return NULL;
}

bool opli_asked_list(opli_table *table)
{
    static const opli_column columns[] = {{"table", "table", OPLI_COLUMN_TEXT},
                                          {"what it shows", "summary", OPLI_COLUMN_TEXT}};
    bool ok = true;
    *table = (opli_table){.columns = columns, .column_count = 2};
    for (size_t i = 0; ok && analyses[i]; i++)
        ok = opli_table_add_text(table, analyses[i]->name, strlen(analyses[i]->name)) &&
             opli_table_add_text(table, analyses[i]->summary, strlen(analyses[i]->summary));
    return ok;
}

static opl_status read_limit(const opli_given *given, size_t *most, opl_error *err)
{
    const char *limit = opli_given_value(given, "limit");
    char *end;
    *most = SIZE_MAX;
    if (!limit)
        return OPL_OK;
    errno = 0;
    unsigned long long number = strtoull(limit, &end, 10);
    if (*end || end == limit || *limit == '-' || errno)
        return opli_fail(err, OPL_INVALID, "--limit takes a number of rows, not '%s'", limit);
    *most = (size_t)number;
    return OPL_OK;
}

static opl_status sort(const opli_analysis *analysis, const char *keys, opli_table *table, opl_error *err)
{
    opli_text own_keys = {0};
    opli_sort_words_replace(analysis->sort_words, keys, &own_keys);
    opl_status st = own_keys.cut ? OPL_NOMEM : opli_table_sort(table, own_keys.bytes ? own_keys.bytes : "", err);
    opli_text_free(&own_keys);
    return st;
}

/* Filter first: what is not kept need not be sorted. */
static opl_status arrange(const opli_given *given, const opli_analysis *analysis, opli_table *table, size_t *left_out,
                          opl_error *err)
{
    const char *filter = opli_given_value(given, "filter"), *keys = opli_given_value(given, "sort");
    size_t most;
    opl_status st = read_limit(given, &most, err);
    if (!keys)
        keys = analysis->sorted_by;
    if (st == OPL_OK && filter)
        st = opli_table_filter(table, filter, err);
    if (st == OPL_OK && keys)
        st = sort(analysis, keys, table, err);
    if (st == OPL_OK)
        *left_out = opli_table_cut(table, most);
    return st;
}

int opli_asked_table(const opli_given *given, const opli_analysis *analysis, const opli_trace *trace, opli_table *table,
                     size_t *left_out)
{
    opli_question question = {.group_by = opli_given_value(given, "group-by"),
                              .top_level = opli_given_value(given, "top-level") != NULL};
    opl_error err = {OPL_OK, ""};
    *table = (opli_table){.column_count = 0};
    *left_out = 0;
    opli_progress_bar bar;
    opli_progress_bar_begin(&bar, "making the table", 0);
    opl_status st = analysis->run(trace, &question, table, &err);
    if (st == OPL_OK)
        st = arrange(given, analysis, table, left_out, &err);
    opli_progress_bar_end(&bar);
    if (st != OPL_OK) {
        opli_complain(given, "%s", err.message[0] ? err.message : opl_status_sentence(st));
        opli_table_free(table);
    }
    return st == OPL_OK ? OPLI_EXIT_OK : st == OPL_INVALID ? OPLI_EXIT_USAGE : OPLI_EXIT_FAILED;
}
