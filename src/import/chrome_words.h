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

/* What a span without a category is, by the name of its row; a function when that says nothing either. */
uint8_t opli_chrome_kind_on_row(const char *row, const char *name, size_t name_length);

/* A device that is named as TensorFlow does, "/device:GPU:0"; false for any other name. */
typedef struct opli_chrome_device {
    char kind[16]; /* "gpu" */
    int64_t id;
} opli_chrome_device;
bool opli_chrome_device_named(const char *name, opli_chrome_device *device);

#endif
