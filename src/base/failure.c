/* failure.c - statuses and their sentences. */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

const char *opl_status_sentence(opl_status status)
{
#define SENTENCE(name, sentence) [name] = (sentence),
    static const char *const sentences[] = {OPL_STATUS_LIST(SENTENCE)};
#undef SENTENCE
    return (unsigned)status < OPL_STATUS_COUNT ? sentences[status] : "an unknown status";
}

opl_status opli_fail(opl_error *err, opl_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}
