/* pack_fuzz.c - any records, packed and unpacked, read the same.
 *
 * Bytes are a little language: each record begins with a byte that says what it is, so that most
 * inputs are chunks a recorder could have written. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "round_trip.h"

#define BASE UINT64_C(1000000)

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* The next so many bytes as a number; zeros when there are no more. */
static uint64_t take(input *in, size_t size)
{
    uint64_t value = 0;
    size_t there = size < in->left ? size : in->left;
    if (there)
        memcpy(&value, in->at, there);
    in->at += there;
    in->left -= there;
    return value;
}

static void add_span(tray *t, input *in, uint64_t *now, unsigned form)
{
    uint32_t site = form == 0 ? (uint32_t)take(in, 1) : (uint32_t)take(in, 3) % OPL_SITE_LIMIT;
    *now = (*now + (form == 0 ? take(in, 2) : (uint64_t)(int64_t)(int32_t)take(in, 4))) & INT64_MAX;
    uint64_t ticks = form == 0 ? take(in, 2) : form == 1 ? take(in, 6) % ((UINT64_C(1) << 44) - 1) : TRAY_OPEN;
    tray_span(t, site, *now, ticks);
}

static void add_tagged(tray *t, input *in)
{
    uint32_t tag = OPL_SITE_LIMIT + (uint32_t)take(in, 1) % (OPLI_TAG_END - OPL_SITE_LIMIT);
    uint32_t key = (uint32_t)take(in, 2), back = (uint32_t)take(in, 2) & OPLI_BACK_MASK;
    uint64_t value = tag == OPLI_TAG_BYTES ? take(in, 1) : take(in, 8);
    uint32_t units = opli_record_units(tag, value);
    if (!units || units > tray_room(t))
        return;
    uint32_t index = tray_tagged(t, tag, key, back, value);
    for (uint32_t i = 2; i < 2 * units; i++)
        tray_at(t, index)[i] = take(in, 8);
}

static void add_record(tray *t, input *in, uint64_t *now)
{
    switch (take(in, 1) % 8) {
    case 0:
    case 1: add_span(t, in, now, 0); break;
    case 2: add_span(t, in, now, 1); break;
    case 3: add_span(t, in, now, 2); break;
    case 4: tray_tagged(t, OPLI_TAG_ARG_INT, (uint32_t)take(in, 2), (uint32_t)take(in, 1), take(in, 4)); break;
    case 5: add_tagged(t, in); break;
    case 6: tray_hole(t, 1); break;
    default: {
        uint64_t first = take(in, 8) >> 1; /* no clock comes near to wrapping round */
        tray_words(t, first, take(in, 8));
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, size};
    tray t = tray_new(take(&in, 8), 1, BASE);
    uint64_t now = BASE;
    while (in.left && tray_room(&t))
        add_record(&t, &in, &now);
    if (round_trip_fault(&t))
        abort();
    tray_free(&t);
    return 0;
}

void fuzz_seeds(fuzz_seed_taker take_seed, void *context)
{
    static const uint8_t spans[] = "12345678\0\1\2\3\4\5\1\1\2\3\4\5\2\1\2\3\4\5\6\7\1\2\3\4\5\6\3\1\2\3\4\5\6\7";
    static const uint8_t others[] = "12345678\4\1\2\3\4\5\6\7\5\11\1\2\3\4\20somethingandmore\6\7abcdefghabcdefgh";
    take_seed(context, "empty", (const uint8_t *)"", 0);
    take_seed(context, "spans", spans, sizeof spans);
    take_seed(context, "others", others, sizeof others);
}
