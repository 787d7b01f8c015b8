/* sort_word.c - other tools' words for the columns of a table. */
#include "analysis/sort_word.h"

#include <string.h>

static const char *key_of(const opli_sort_word *words, const char *word, size_t length)
{
    for (; words && words->word; words++)
        if (strlen(words->word) == length && memcmp(words->word, word, length) == 0)
            return words->key;
    return NULL;
}

void opli_sort_words_replace(const opli_sort_word *words, const char *keys, opli_text *out)
{
    for (;;) {
        size_t length = strcspn(keys, ","), minus = *keys == '-';
        const char *key = key_of(words, keys + minus, length - minus);
        opli_text_add(out, key ? key : keys, key ? strlen(key) : length);
        keys += length;
        if (!*keys++)
            return;
        opli_text_add(out, ",", 1);
    }
}
