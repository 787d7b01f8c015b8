/* utf8.h - tell UTF-8 from other bytes, and how wide it is on a terminal. */
#ifndef OPLI_BASE_UTF8_H
#define OPLI_BASE_UTF8_H

#include <stddef.h>

/* The bytes of the character that `bytes` begins with, 0 if that is no UTF-8. */
size_t opli_utf8_length(const char *bytes, size_t available);

/* How many columns the text takes, one per character. */
size_t opli_utf8_width(const char *bytes, size_t length);

#endif
