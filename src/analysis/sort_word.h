/* sort_word.h - other tools' words for the columns of a table, so that what users know by heart works here. */
#ifndef OPLI_ANALYSIS_SORT_WORD_H
#define OPLI_ANALYSIS_SORT_WORD_H

#include <stdbool.h>

#include "base/text.h"

typedef struct opli_sort_word {
    const char *word; /* "cpu_time_total"; NULL ends a list */
    const char *key;  /* "-cpu_total_ns": with the minus where the other tool puts the largest first */
} opli_sort_word;

/* Adds `keys` with each such word replaced; a minus before one changes nothing. `words` may be NULL. */
void opli_sort_words_replace(const opli_sort_word *words, const char *keys, opli_text *out);

#endif
