/* chrome_text.h - texts of a Chrome trace, with their escapes undone, as texts of the store. */
#ifndef OPLI_IMPORT_CHROME_TEXT_H
#define OPLI_IMPORT_CHROME_TEXT_H

#include "import/json_scan.h"
#include "trace/builder.h"

/* Zeroed but for the builder, it is ready. */
typedef struct opli_chrome_texts {
    opli_builder *builder;
    char *scratch; /* for escapes */
    size_t scratch_bytes;
} opli_chrome_texts;

/* The id of a value's text: a string as it is meant, anything else as it stands. */
uint32_t opli_chrome_text(opli_chrome_texts *texts, const opli_json_value *value);

/* A pid, tid or id: a number, or a word that becomes a number below all others; 0 when it is not given. */
int64_t opli_chrome_number(opli_chrome_texts *texts, const opli_json_value *value);

void opli_chrome_texts_free(opli_chrome_texts *texts);

#endif
