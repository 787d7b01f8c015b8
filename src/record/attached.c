/* attached.c - records that belong to a span. */
#include "record/attached.h"

#include "record/put.h"
#include "record/span.h"
#include "record/stream.h"

#define FAR_UNITS 2u

/* The record at the end is of no use without those before it, so the hole of each covers all that follow:
 * who reads while we write either gets it with what it needs, or nothing. */
static void divide(opli_attached *a, const opl_span *span, uint64_t *space, uint32_t lead, bool near)
{
    uint32_t far = near ? 0 : FAR_UNITS;
    a->lead = lead ? space : NULL;
    a->far = near ? NULL : space + 2ull * lead;
    a->record = space + 2ull * (lead + far);
    a->back = near ? (uint32_t)((uint64_t)(a->record - span->record) / 2) : OPLI_BACK_MASK;
    if (a->lead)
        opli_put_hole(a->lead, lead + far + a->units, a->chunk);
    if (a->far)
        opli_put_hole(a->far, far + a->units, a->chunk);
    opli_put_hole(a->record, a->units, a->chunk);
}

bool opli_attached_take(const opl_span *span, uint32_t lead, uint32_t units, opli_attached *a)
{
    opli_stream *stream = opli_stream_mine();
    a->units = units;
    for (int attempt = 0; stream && attempt < 3; attempt++) {
        bool near = opl_load_(&stream->home->chunk) == span->chunk;
        uint32_t total = lead + (near ? 0 : FAR_UNITS) + units;
        uint64_t *space = opli_stream_take(total, &a->chunk);
        if (!space)
            return false;
        if (near == (a->chunk == span->chunk) && opli_span_is_of(span, a->chunk)) {
            divide(a, span, space, lead, near);
            return true;
        }
        opli_put_nothing(space, total, a->chunk); /* the chunk turned in between: once more */
        if (!opli_span_is_of(span, a->chunk))
            return false; /* or even the recording: the span's is over */
    }
    return false;
}

void opli_attached_commit(const opli_attached *a, const opl_span *span, uint32_t tag, uint32_t key)
{
    opl_store_(&a->record[1], opli_record_word(tag, key, a->back, a->chunk));
    if (!a->far)
        return;
    opl_store_(&a->far[0], span->chunk);
    opl_store_(&a->far[2], opli_span_index(span));
    opl_store_(&a->far[3], 0);
    opl_store_(&a->far[1], opli_record_word(OPLI_TAG_FAR, 0, 0, a->chunk));
}
