/* option_words.c - words that several commands' options may have. */
#include "cli/option_words.h"

#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/table_format.h"
#include "cli/sql_table.h"
#include "export/exporter.h"

void opli_words_add(opli_text *words, const char *word)
{
    opli_text_addf(words, "%s%s", words->length ? " " : "", word);
}

void opli_words_add_tables(opli_text *words)
{
#define ADDRESS(name) &opli_analysis_##name,
    static const opli_analysis *const analyses[] = {OPLI_ANALYSES(ADDRESS) NULL};
#undef ADDRESS
    for (size_t i = 0; analyses[i]; i++)
        opli_words_add(words, analyses[i]->name);
}

void opli_words_add_stored_tables(opli_text *words)
{
    opli_text names = {0};
    opli_sql_table_add_names(&names);
    for (char *rest = NULL, *name = names.bytes ? strtok_r(names.bytes, ", ", &rest) : NULL; name;
         name = strtok_r(NULL, ", ", &rest))
        opli_words_add(words, name);
    opli_text_free(&names);
}

/* Their names are a sentence: what is no format in it is grammar. */
void opli_words_add_table_formats(opli_text *words)
{
    for (const char *at = opli_table_format_names(); *at;) {
        char word[32];
        size_t length = strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length && opli_table_format_find(word))
            opli_words_add(words, word);
        at += length + strspn(at + length, ", ");
    }
}

void opli_words_add_trace_formats(opli_text *words)
{
    for (size_t i = 0; opli_exporters[i]; i++)
        opli_words_add(words, opli_exporters[i]->name);
    opli_words_add(words, "parquet");
}

void opli_words_add_kinds(opli_text *words)
{
#define WORD(id, word, level) word,
    static const char *const kinds[] = {OPL_CATEGORY_LIST(WORD) NULL};
#undef WORD
    for (size_t i = 0; kinds[i]; i++)
        opli_words_add(words, kinds[i]);
}
