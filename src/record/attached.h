/* attached.h - records that belong to a span: arguments and flows.
 *
 * In its span's chunk such a record says how many records back the span is. When that chunk was
 * left behind, a FAR record in front names the span's chunk and place. */
#ifndef OPLI_RECORD_ATTACHED_H
#define OPLI_RECORD_ATTACHED_H

#include <stdbool.h>
#include <stdint.h>

#include <oplens/annotate.h>

/* Space that was taken; all of it reads as holes until it is committed. */
typedef struct opli_attached {
    uint64_t *lead;   /* what the caller asked for in front, or NULL */
    uint64_t *far;    /* NULL when the span is near */
    uint64_t *record; /* word 0 and the words from 2 on are the caller's */
    uint64_t chunk;
    uint32_t units;
    uint32_t back;
} opli_attached;

/* Takes `units` for the record and `lead` more in front of it, all in one chunk. False, and a drop
 * counted, when there is no space. */
bool opli_attached_take(const opl_span *span, uint32_t lead, uint32_t units, opli_attached *attached);

/* Makes the record valid. A lead is the caller's to commit. */
void opli_attached_commit(const opli_attached *attached, const opl_span *span, uint32_t tag, uint32_t key);

#endif
