/* utf8.c - tell UTF-8 from other bytes. */
#include "base/utf8.h"

#include <stdint.h>

size_t opli_utf8_length(const char *bytes, size_t available)
{
    const uint8_t *b = (const uint8_t *)bytes;
    if (!available)
        return 0;
    size_t length = b[0] < 0x80                   ? 1
                    : b[0] >= 0xc2 && b[0] < 0xe0 ? 2
                    : b[0] >= 0xe0 && b[0] < 0xf0 ? 3
                    : b[0] >= 0xf0 && b[0] < 0xf5 ? 4
                                                  : 0;
    if (length > available)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    if ((b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] >= 0xa0) || (b[0] == 0xf0 && b[1] < 0x90) ||
        (b[0] == 0xf4 && b[1] >= 0x90))
        return 0; /* too long a form, a surrogate, or beyond Unicode */
    return length;
}

size_t opli_utf8_width(const char *bytes, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length; width++) {
        size_t step = opli_utf8_length(bytes + at, length - at);
        at += step ? step : 1;
    }
    return width;
}
