/* pack_test.c - a full slot becomes a chunk, and reads the same. */
#include "record/pack.h"

#include "import/chunk_reader.h"
#include "round_trip.h"
#include "test.h"

#define CHUNK UINT64_C(0x0512345678abc)
#define BASE UINT64_C(1000000000000)

/* What packing made of a tray. */
typedef struct packed {
    opli_wire_chunk *chunk;
    size_t size;
} packed;

static packed pack(const tray *t, bool last)
{
    packed p = {aligned_alloc(64, OPL_SLOT_BYTES), 0};
    p.size = opli_chunk_pack(t->slot, t->used, last, p.chunk);
    return p;
}

static void check_round_trip(const tray *t)
{
    const char *fault = round_trip_fault(t);
    if (fault)
        fail_msg("%s", fault);
}

/* Packs, checks that it reads the same, and returns the bytes of payload. */
static uint32_t packed_bytes(const tray *t)
{
    packed p = pack(t, true);
    CHECK(p.size > 0);
    uint32_t size = p.chunk->size;
    free(p.chunk);
    check_round_trip(t);
    return size;
}

/* ---- sizes ---- */

TEST(pack, takes_8_bytes_for_a_plain_short_span)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint32_t i = 0; tray_room(&t); i++)
        tray_span(&t, 1 + i % 4000, BASE + i * 50, 20 + i);
    CHECK_EQ(packed_bytes(&t), OPLI_SLOT_RECORDS * 8);
    tray_free(&t);
}

TEST(pack, takes_4_bytes_for_a_short_span_of_the_same_site_as_the_one_before)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint32_t i = 0; i < 1001; i++)
        tray_span(&t, 0xfef, BASE + i * 8191, 8191);
    CHECK_EQ(packed_bytes(&t), 8 + 1000 * 4); /* the first one says the site */
    tray_free(&t);
}

TEST(pack, makes_pairs_only_of_what_fits_in_them)
{
    static const struct {
        uint64_t since, ticks;
        uint32_t bytes;
    } cases[] = {{0, 0, 8}, {8191, 8191, 8}, {8192, 1, 16}, {1, 8192, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int place = 0; place < 2; place++) {
            tray t = tray_new(CHUNK, 3, BASE);
            tray_span(&t, 5, BASE, 1);
            tray_span(&t, 5, BASE + (place ? 1 : cases[i].since), place ? 1 : cases[i].ticks);
            tray_span(&t, 5, BASE + 1 + cases[i].since, place ? cases[i].ticks : 1);
            CHECK_EQ(packed_bytes(&t), 8 + cases[i].bytes);
            tray_free(&t);
        }
    }
}

TEST(pack, makes_pairs_across_arguments_and_holes)
{
    tray t = tray_new(CHUNK, 3, BASE);
    tray_span(&t, 5, BASE, 1);
    tray_tagged(&t, OPLI_TAG_ARG_INT, 9, 1, 1);
    tray_hole(&t, 3);
    tray_tagged(&t, OPLI_TAG_INSTANT, 9, 0, BASE);
    tray_span(&t, 5, BASE + 10, 1);
    tray_span(&t, 5, BASE + 20, 1);
    CHECK_EQ(packed_bytes(&t), 8 + 8 + 8 + 16 + 8);
    tray_free(&t);
}

TEST(pack, takes_16_bytes_for_a_wide_span_and_24_for_a_wider_one)
{
    static const struct {
        uint32_t site;
        uint64_t start, ticks;
        uint32_t bytes;
    } cases[] = {{1, BASE, 0, 8},
                 {0xfef, BASE, (1u << 26) - 1, 8},
                 {0xff0, BASE, 1, 16},                   /* a site with more than 12 bits */
                 {0xfefff, BASE, 1, 16},                 /* the largest site */
                 {1, BASE, 1u << 26, 16},                /* longer than 26 bits of ticks */
                 {1, BASE, UINT64_C(0xffffffff), 16},    /* the longest with 32 */
                 {1, BASE, UINT64_C(0x100000000), 24},   /* longer than 32 bits of ticks */
                 {1, BASE, (UINT64_C(1) << 44) - 2, 24}, /* the longest that is recorded in place */
                 {1, BASE + (1u << 26) - 1, 1, 8},       /* the latest start that is near */
                 {1, BASE + (1u << 26), 1, 16},          /* a later one */
                 {1, UINT64_MAX - 5, 1, 16},             /* the latest there is */
                 {1, BASE, TRAY_OPEN, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tray t = tray_new(CHUNK, 3, BASE);
        tray_span(&t, cases[i].site, cases[i].start, cases[i].ticks);
        for (uint32_t other = 2; other < 4; other++) /* so that there is room to grow */
            tray_span(&t, other, cases[i].start, 1);
        CHECK_EQ(packed_bytes(&t), cases[i].bytes + 2 * 8);
        tray_free(&t);
    }
}

TEST(pack, keeps_spans_that_began_before_the_one_in_front_of_them)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint32_t i = 0; i < 100; i++)
        tray_span(&t, 5 + i, BASE + (i % 2 ? 10 : 500) + i, 7);
    CHECK_EQ(packed_bytes(&t), 8 * 50 + 16 * 50);
    tray_free(&t);
}

TEST(pack, takes_8_bytes_for_a_small_integer_or_a_text_argument_and_16_for_others)
{
    static const struct {
        uint32_t tag, key, back;
        uint64_t value;
        uint32_t bytes;
    } cases[] = {{OPLI_TAG_ARG_INT, 9, 1, 0, 8},
                 {OPLI_TAG_ARG_INT, 4095, 1, (uint64_t)INT32_MIN, 8},
                 {OPLI_TAG_ARG_INT, 9, 1, INT32_MAX, 8},
                 {OPLI_TAG_ARG_INT, 9, 1, (uint64_t)INT32_MAX + 1, 16},
                 {OPLI_TAG_ARG_INT, 9, 1, (uint64_t)INT64_MIN, 16},
                 {OPLI_TAG_ARG_INT, 4096, 1, 0, 16},
                 {OPLI_TAG_ARG_UINT, 9, 1, 0, 16},
                 {OPLI_TAG_ARG_TEXT, 9, 1, 0, 8},
                 {OPLI_TAG_ARG_TEXT, 9, 1, UINT64_C(1) << 32, 16},
                 {OPLI_TAG_ARG_REAL, 9, 1, 0, 16},
                 {OPLI_TAG_ARG_BOOL, 9, 1, 1, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tray t = tray_new(CHUNK, 3, BASE);
        tray_span(&t, 1, BASE, 1);
        tray_tagged(&t, cases[i].tag, cases[i].key, cases[i].back, cases[i].value);
        tray_span(&t, 1, BASE, 1);
        CHECK_EQ(packed_bytes(&t), cases[i].bytes + 2 * 8);
        tray_free(&t);
    }
}

TEST(pack, reaches_back_to_the_first_record_of_a_chunk)
{
    tray t = tray_new(CHUNK, 3, BASE);
    uint32_t back[] = {1, 255, 256, 4000};
    for (uint32_t i = 0; i < 4001; i++)
        tray_span(&t, 1, BASE + i, 1);
    for (size_t i = 0; i < 4; i++)
        tray_tagged(&t, OPLI_TAG_ARG_INT, 2, back[i] + (uint32_t)i, i);
    check_round_trip(&t);
    tray_free(&t);
}

/* ---- holes ---- */

TEST(pack, waits_for_a_hole_wherever_it_is)
{
    for (uint32_t where = 0; where < 40; where++) {
        tray t = tray_new(CHUNK, 3, BASE);
        for (uint32_t i = 0; i < 40; i++)
            if (i == where)
                tray_hole(&t, 1 + where % 3);
            else
                tray_span(&t, 1 + i, BASE + i, 1);
        packed waiting = pack(&t, false);
        CHECK_EQ(waiting.size, 0);
        free(waiting.chunk);
        CHECK_EQ(packed_bytes(&t), 40 * 8); /* a run of holes is one word */
        tray_free(&t);
    }
}

TEST(pack, takes_for_a_hole_whatever_was_not_written_in_this_lap)
{
    const uint64_t other_lap = CHUNK + 1;
    static const uint32_t tags[] = {OPLI_TAG_PAD, OPLI_TAG_ARG_INT, OPLI_TAG_BYTES, OPLI_TAG_MEMORY, OPLI_TAG_FAR};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        tray t = tray_new(CHUNK, 3, BASE);
        tray_span(&t, 1, BASE, 1);
        tray_words(&t, 16, opli_record_word(tags[i], 1, 1, other_lap));
        tray_span(&t, 2, BASE + 1, 1);
        packed waiting = pack(&t, false);
        CHECK_EQ(waiting.size, 0);
        free(waiting.chunk);
        CHECK_EQ(packed_bytes(&t), 3 * 8);
        tray_free(&t);
    }
}

TEST(pack, takes_a_span_that_is_older_than_its_chunk_for_a_hole)
{
    tray t = tray_new(CHUNK, 3, BASE);
    tray_span(&t, 1, BASE - 1, 5);
    tray_span(&t, 1, 0, TRAY_OPEN);
    tray_span(&t, 1, BASE, 5);
    packed waiting = pack(&t, false);
    CHECK_EQ(waiting.size, 0);
    free(waiting.chunk);
    CHECK_EQ(packed_bytes(&t), 2 * 8);
    tray_free(&t);
}

TEST(pack, does_not_wait_for_what_is_behind_a_pad)
{
    tray t = tray_new(CHUNK, 3, BASE);
    tray_span(&t, 1, BASE, 1);
    tray_tagged(&t, OPLI_TAG_PAD, 0, 0, 0);
    tray_hole(&t, 5);
    packed p = pack(&t, false);
    CHECK(p.size > 0);
    CHECK_EQ(p.chunk->records, 1);
    CHECK_EQ(p.chunk->size, 8);
    free(p.chunk);
    check_round_trip(&t);
    tray_free(&t);
}

TEST(pack, of_nothing_is_a_chunk_of_nothing)
{
    tray t = tray_new(CHUNK, 3, BASE);
    packed p = pack(&t, false);
    CHECK_EQ(p.size, sizeof(opli_wire_chunk));
    CHECK_EQ(p.chunk->records, 0);
    CHECK_EQ(p.chunk->events, 0);
    free(p.chunk);
    check_round_trip(&t);
    tray_free(&t);
}

/* ---- when packing would not pay ---- */

TEST(pack, falls_back_to_raw_records_rather_than_grow)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint64_t i = 0; tray_room(&t); i++)
        tray_span(&t, 7, BASE + i * 3, UINT64_C(1) << 33);
    packed p = pack(&t, false);
    CHECK_EQ(p.chunk->encoding, OPLI_ENCODING_RAW);
    CHECK_EQ(p.chunk->size, t.used);
    CHECK_EQ(p.size, OPL_SLOT_BYTES);
    CHECK_EQ(p.chunk->events, OPLI_SLOT_RECORDS);
    free(p.chunk);
    check_round_trip(&t);
    tray_free(&t);
}

TEST(pack, counts_events_and_patches_in_the_raw_form_too)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint64_t i = 0; i < 100; i++)
        tray_span(&t, 7, BASE + i, UINT64_C(1) << 33);
    tray_tagged(&t, OPLI_TAG_LATE_END, 0, 0, CHUNK);
    tray_tagged(&t, OPLI_TAG_FAR, 0, 0, CHUNK);
    tray_tagged(&t, OPLI_TAG_INSTANT, 4, 0, BASE);
    packed p = pack(&t, false);
    CHECK_EQ(p.chunk->encoding, OPLI_ENCODING_RAW);
    CHECK_EQ(p.chunk->events, 101);
    CHECK_EQ(p.chunk->patches, 2);
    free(p.chunk);
    check_round_trip(&t);
    tray_free(&t);
}

TEST(pack, waits_for_a_hole_behind_what_would_not_pay)
{
    tray t = tray_new(CHUNK, 3, BASE);
    for (uint64_t i = 0; i < 100; i++)
        tray_span(&t, 7, BASE + i, UINT64_C(1) << 33);
    tray_hole(&t, 2);
    packed p = pack(&t, false);
    CHECK_EQ(p.size, 0);
    free(p.chunk);
    check_round_trip(&t);
    tray_free(&t);
}

/* ---- any chunk at all ---- */

static uint64_t wide_random(unsigned *seed)
{
    return (uint64_t)rand_r(seed) << 44 ^ (uint64_t)rand_r(seed) << 22 ^ (uint64_t)rand_r(seed);
}

/* How a random chunk is made: how often each kind of record comes, in parts of 256. */
typedef struct recipe {
    unsigned plain, same_site, large_site, wide, wider, open, hole, stale, pad;
} recipe;

static void add_random_span(tray *t, const recipe *r, uint64_t *now, unsigned *seed)
{
    unsigned dice = (unsigned)rand_r(seed) % 256;
    uint32_t site = dice < r->large_site ? 0xff0 + (uint32_t)rand_r(seed) % 0xfe000 : 1 + (uint32_t)rand_r(seed) % 4079;
    uint64_t ticks = (uint64_t)rand_r(seed) % 100000;
    dice = (unsigned)rand_r(seed) % 256;
    if (dice < r->wide)
        ticks = wide_random(seed) >> 32;
    else if (dice < r->wide + r->wider)
        ticks = wide_random(seed) >> 21;
    else if (dice < r->wide + r->wider + r->open)
        ticks = TRAY_OPEN;
    if (dice < r->same_site && tray_count(t))
        site = opli_record_tag(tray_at(t, tray_count(t) - 1)[1]) % OPL_SITE_LIMIT, ticks %= 10000;
    int64_t step = rand_r(seed) % 1000 - (rand_r(seed) % 8 ? 0 : 5000); /* sometimes into the past */
    *now += (uint64_t)(rand_r(seed) % 64 ? step : step * (1 << 20));
    tray_span(t, site, *now < BASE ? BASE : *now, ticks);
}

static void add_random_tagged(tray *t, unsigned *seed)
{
    uint32_t tag = OPLI_TAG_ARG_INT + (uint32_t)rand_r(seed) % (OPLI_TAG_END - OPLI_TAG_ARG_INT);
    uint32_t key = rand_r(seed) % 4 ? (uint32_t)rand_r(seed) % 4096 : (uint32_t)rand_r(seed) % 0xff000;
    uint32_t back = rand_r(seed) % 4 ? (uint32_t)rand_r(seed) % 256 : (uint32_t)rand_r(seed) % 4096;
    uint64_t value = rand_r(seed) % 2 ? wide_random(seed) : (uint64_t)(int64_t)(rand_r(seed) - RAND_MAX / 2);
    if (tag == OPLI_TAG_BYTES)
        value = (uint64_t)rand_r(seed) % 300 | (uint64_t)(rand_r(seed) % 2) << 32;
    uint32_t units = opli_record_units(tag, value);
    if (units > tray_room(t))
        return;
    uint32_t index = tray_tagged(t, tag, key, back, value);
    for (uint32_t i = 2; i < 2 * units; i++)
        tray_at(t, index)[i] = wide_random(seed);
}

static void add_random_record(tray *t, const recipe *r, uint64_t *now, unsigned *seed)
{
    unsigned dice = (unsigned)rand_r(seed) % 256;
    if (dice < r->plain)
        add_random_span(t, r, now, seed);
    else if (dice < r->plain + r->hole && tray_room(t) > 6)
        tray_hole(t, 1 + (uint32_t)rand_r(seed) % 5);
    else if (dice < r->plain + r->hole + r->stale)
        tray_words(t, wide_random(seed) % BASE, wide_random(seed) % (UINT64_C(1) << 50));
    else if (dice < r->plain + r->hole + r->stale + r->pad)
        tray_tagged(t, OPLI_TAG_PAD, 0, 0, 0);
    else
        add_random_tagged(t, seed);
}

static void check_random_chunks(recipe r, int rounds, unsigned seed)
{
    for (int round = 0; round < rounds; round++) {
        tray t = tray_new(wide_random(&seed), (uint32_t)rand_r(&seed), BASE);
        uint64_t now = BASE;
        uint32_t wanted = (uint32_t)rand_r(&seed) % (round % 8 ? 200 : (uint32_t)OPLI_SLOT_RECORDS + 1);
        while (tray_count(&t) < wanted && tray_room(&t))
            add_random_record(&t, &r, &now, &seed);
        const char *fault = round_trip_fault(&t);
        tray_free(&t);
        if (fault)
            fail_msg("round %d: %s", round, fault);
    }
}

TEST(pack, reads_the_same_for_any_chunk_of_spans)
{
    check_random_chunks((recipe){.plain = 256, .same_site = 240, .large_site = 8}, 2000, 9);
    check_random_chunks((recipe){.plain = 256, .same_site = 128, .large_site = 8, .wide = 8, .wider = 4, .open = 8},
                        2000, 1);
    check_random_chunks((recipe){.plain = 256, .large_site = 128, .wide = 60, .wider = 90, .open = 60}, 2000, 2);
}

TEST(pack, reads_the_same_for_any_chunk_of_any_records)
{
    check_random_chunks((recipe){.plain = 128, .same_site = 200, .large_site = 8, .wide = 8, .open = 8}, 2000, 3);
    check_random_chunks((recipe){.plain = 0}, 2000, 4);
    check_random_chunks((recipe){.plain = 60, .wider = 200}, 2000, 5);
}

TEST(pack, reads_the_same_with_holes_and_stale_records_at_any_place)
{
    check_random_chunks((recipe){.plain = 180, .same_site = 200, .open = 20, .hole = 8}, 2000, 6);
    check_random_chunks((recipe){.plain = 100, .wider = 100, .hole = 30, .stale = 60, .pad = 1}, 2000, 7);
}

TEST(pack, reads_the_same_for_any_words_at_all)
{
    unsigned seed = 8;
    for (int round = 0; round < 2000; round++) {
        tray t = tray_new(wide_random(&seed) & 0xfff, 1, BASE >> (round % 41));
        uint32_t wanted = (uint32_t)rand_r(&seed) % 300;
        while (tray_count(&t) < wanted)
            tray_words(&t, wide_random(&seed) >> (1 + rand_r(&seed) % 63),
                       rand_r(&seed) % 2
                           ? wide_random(&seed)
                           : opli_record_word(0xff000 + (uint32_t)rand_r(&seed) % 32,
                                              (uint32_t)rand_r(&seed) & OPLI_SITE_MASK, 1, t.slot->chunk));
        check_round_trip(&t);
        tray_free(&t);
    }
}
