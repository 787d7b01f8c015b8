/* query_text.c - a text as DuckDB holds it in a vector. */
#include "query/query_text.h"

#include <string.h>

#include "base/utf8.h"

opli_query_text opli_query_text_of(const char *bytes, size_t length)
{
    opli_query_text text = {.length = (uint32_t)length};
    if (length <= OPLI_QUERY_TEXT_INSIDE) {
        if (length) /* an empty text may be nowhere */
            memcpy(text.bytes.inside, bytes, length);
        return text;
    }
    memcpy(text.bytes.outside.first, bytes, sizeof text.bytes.outside.first);
    memcpy(text.bytes.outside.pointer, &bytes, sizeof bytes);
    return text;
}

const char *opli_query_text_bytes(const opli_query_text *text)
{
    const char *bytes = text->bytes.inside;
    if (text->length > OPLI_QUERY_TEXT_INSIDE)
        memcpy(&bytes, text->bytes.outside.pointer, sizeof bytes);
    return bytes;
}

bool opli_query_text_is_utf8(const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t step = opli_utf8_length(bytes + at, length - at);
        if (!step)
            return false;
        at += step;
    }
    return true;
}

void opli_query_text_mend(const char *bytes, size_t length, opli_text *out)
{
    for (size_t at = 0; at < length;) {
        size_t step = opli_utf8_length(bytes + at, length - at);
        if (step)
            opli_text_add(out, bytes + at, step);
        else
            opli_text_add(out, "\xef\xbf\xbd", 3);
        at += step ? step : 1;
    }
}
