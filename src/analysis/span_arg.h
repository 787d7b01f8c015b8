/* span_arg.h - a span's argument, under whichever of several keys its source uses. */
#ifndef OPLI_ANALYSIS_SPAN_ARG_H
#define OPLI_ANALYSIS_SPAN_ARG_H

#include "trace/trace.h"

#define OPLI_ARG_KEYS_MAX 4

/* Those of the keys that the trace has at all. */
typedef struct opli_arg_keys {
    uint32_t texts[OPLI_ARG_KEYS_MAX];
    size_t count;
} opli_arg_keys;

/* `words` are at most OPLI_ARG_KEYS_MAX, and a NULL. */
opli_arg_keys opli_arg_keys_find(const opli_trace *trace, const char *const *words);

/* False when the span has no such argument, or it is of another type. Whole numbers are real ones too. */
bool opli_span_arg_int(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, int64_t *value);
bool opli_span_arg_real(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, double *value);
bool opli_span_arg_bool(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys, bool *value);

/* A text, or a list as it was written; 0 when there is none. */
uint32_t opli_span_arg_text(const opli_trace *trace, uint32_t span, const opli_arg_keys *keys);

#endif
