/* error.h - how a call says that it failed, and why.
 * Threads: an opl_error belongs to whoever declared it.
 * Lifetime: plain memory, nothing to free; a zeroed opl_error is an empty one. */
#ifndef OPLENS_ERROR_H
#define OPLENS_ERROR_H

#include <oplens/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Every status, each beside the sentence a person reads when nothing better is known. */
#define OPL_STATUS_LIST(X)                                          \
    X(OPL_OK, "all is well")                                        \
    X(OPL_INVALID, "an argument makes no sense")                    \
    X(OPL_IO, "a file could not be read or written")                \
    X(OPL_FORMAT, "the file is damaged or is not an oplens trace")  \
    X(OPL_VERSION, "the file was written by a newer oplens")        \
    X(OPL_NOMEM, "there is not enough memory")                      \
    X(OPL_STATE, "the recorder is not in a state that allows this") \
    X(OPL_UNSUPPORTED, "this machine cannot do that")

#define OPL_STATUS_ENUM(name, sentence) name,
typedef enum opl_status { OPL_STATUS_LIST(OPL_STATUS_ENUM) OPL_STATUS_COUNT } opl_status;
#undef OPL_STATUS_ENUM

/** The reason of a failure: what we were doing, to what, and what would help. */
typedef struct opl_error {
    opl_status status;
    char message[504];
} opl_error;

/** The general sentence for `status`; never NULL. */
OPL_API const char *opl_status_sentence(opl_status status);

#ifdef __cplusplus
}
#endif
#endif
