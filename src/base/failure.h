/* failure.h - fill an opl_error and hand back its status, in one expression. */
#ifndef OPLI_BASE_FAILURE_H
#define OPLI_BASE_FAILURE_H

#include <oplens/error.h>

/* Writes the sentence into `err`, which may be NULL, and returns `status`. */
__attribute__((format(printf, 3, 4))) opl_status opli_fail(opl_error *err, opl_status status, const char *format, ...);

#endif
