/* json_check.h - whether a text is JSON, strictly: what we pass on as it was written must not spoil what we write. */
#ifndef OPLI_BASE_JSON_CHECK_H
#define OPLI_BASE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* One value with nothing but space around it; deeper than 128 levels is taken for no JSON. */
bool opli_json_is_valid(const char *text, size_t length);

#endif
