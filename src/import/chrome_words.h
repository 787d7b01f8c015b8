/* chrome_words.h - what the words of the writers of Chrome traces mean to us. */
#ifndef OPLI_IMPORT_CHROME_WORDS_H
#define OPLI_IMPORT_CHROME_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a category's spans belong. */
typedef struct opli_chrome_word {
    const char *category;
    uint8_t kind;   /* opl_category */
    bool on_device; /* its pid is a device and its tid a queue */
} opli_chrome_word;

/* The meaning of a category; a span of no known category is a function of the program. */
opli_chrome_word opli_chrome_word_find(const char *category, size_t length);

/* Some kinds are told by the name: a profiler's steps, an engine's runs. */
uint8_t opli_chrome_kind_refine(uint8_t kind, const char *category, const char *name, size_t name_length);

#endif
