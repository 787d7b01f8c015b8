/* span_case.c - the kinds of span whose cost is measured. The loops have the shape of the floor's. */
#include "span_case.h"

#include <oplens/annotate.h>

#define LOOP static __attribute__((noinline)) void
#define TEXTS 256
#define TEXT_BYTES 16

LOOP plain_spans(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        OPL_SPAN ("attention1", OPL_CAT_OP) {
        }
    }
}

LOOP spans_with_integer(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        OPL_SPAN ("attention1", OPL_CAT_OP) {
            OPL_INT("batch", (int64_t)i);
        }
    }
}

/* "text 000 of many" and so on: as long as each other, and different in the middle. */
static void write_texts(char texts[TEXTS][TEXT_BYTES])
{
    for (int i = 0; i < TEXTS; i++) {
        memcpy(texts[i], "text 000 of many", TEXT_BYTES);
        texts[i][5] = (char)('0' + i / 100);
        texts[i][6] = (char)('0' + i / 10 % 10);
        texts[i][7] = (char)('0' + i % 10);
    }
}

LOOP spans_with_text(uint64_t count)
{
    char texts[TEXTS][TEXT_BYTES];
    write_texts(texts);
    for (uint64_t i = 0; i < count; i++) {
        OPL_SPAN ("attention1", OPL_CAT_OP) {
            opl_arg_text_n(&opl_this_span, OPL_KEY("shape"), texts[i % TEXTS], TEXT_BYTES);
        }
    }
}

LOOP chained_spans(uint64_t count)
{
    opl_span span = OPL_SPAN_BEGIN("attention1", OPL_CAT_OP);
    for (uint64_t i = 1; i < count; i++)
        OPL_SPAN_NEXT(&span, "attention1", OPL_CAT_OP);
    opl_span_end(&span);
}

const opli_span_case opli_span_cases[OPLI_SPAN_CASES] = {
    {.name = "plain span",
     .loop = plain_spans,
     .thread_floors = 1.15,
     .all_floors = 1.30,
     .stream_bytes = 16,
     .file_bytes = 8},
    {.name = "with an integer", .loop = spans_with_integer, .all_floors = 1.60},
    {.name = "with a text", .loop = spans_with_text},
    {.name = "chained", .loop = chained_spans, .thread_floors = 0.65, .stream_bytes = 16, .file_bytes = 8},
    {.name = "disabled", .loop = plain_spans, .disabled = true, .thread_ns = 1},
};
