/* chrome_text.c - texts of a Chrome trace as texts of the store. */
#include "import/chrome_text.h"

#include <stdlib.h>

uint32_t opli_chrome_text(opli_chrome_texts *texts, const opli_json_value *value)
{
    if (!value->escaped || value->kind != OPLI_JSON_STRING)
        return opli_builder_text(texts->builder, value->text ? value->text : "", value->length);
    if (value->length > texts->scratch_bytes) {
        char *larger = realloc(texts->scratch, value->length);
        if (!larger)
            return 0;
        texts->scratch = larger;
        texts->scratch_bytes = value->length;
    }
    return opli_builder_text(texts->builder, texts->scratch, opli_json_unescape(value, texts->scratch));
}

int64_t opli_chrome_number(opli_chrome_texts *texts, const opli_json_value *value)
{
    int64_t number;
    if (value->kind == OPLI_JSON_END)
        return 0;
    return opli_json_int(value, &number) ? number : -1000000000 - (int64_t)opli_chrome_text(texts, value);
}

void opli_chrome_texts_free(opli_chrome_texts *texts)
{
    free(texts->scratch);
    texts->scratch = NULL;
    texts->scratch_bytes = 0;
}
