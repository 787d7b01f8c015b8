/* chunk_reader_test.c - packed chunks that make no sense, whatever their sums say. */
#include "import/chunk_reader.h"

#include "test.h"

/* A packed chunk with these words in it, and what is read of them. */
typedef struct reading {
    opli_wire_chunk *chunk;
    opli_chunk_row row;
    opli_chunk_records *records;
    bool sound;
} reading;

static reading read_words(const uint64_t *words, uint32_t count, uint32_t encoding)
{
    reading r = {.chunk = aligned_alloc(64, OPL_SLOT_BYTES), .records = malloc(sizeof *r.records)};
    memset(r.chunk, 0, OPL_SLOT_BYTES);
    *r.chunk = (opli_wire_chunk){.encoding = encoding, .chunk = 5, .base_tick = 1000, .size = 8 * count};
    if (count)
        memcpy(r.chunk + 1, words, 8ull * count);
    r.row = (opli_chunk_row){.id = 5, .base_tick = 1000, .packed = r.chunk};
    r.sound = opli_chunk_read(&r.row, r.records);
    return r;
}

static void free_reading(reading *r)
{
    free(r->chunk);
    free(r->records);
}

static uint64_t head(uint32_t code, uint64_t rest) { return (uint64_t)code << 52 | rest; }

TEST(chunk_reader, refuses_words_that_end_too_early)
{
    const uint64_t cut[] = {head(OPLI_PACK_WIDE, 1), head(OPLI_PACK_WIDER, 1), head(OPLI_PACK_OPEN, 1),
                            head(OPLI_PACK_TAGGED, 2ull << 32)};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        reading r = read_words(&cut[i], 1, OPLI_ENCODING_PACKED);
        CHECK(!r.sound);
        CHECK_EQ(r.records->count, 0);
        free_reading(&r);
    }
    const uint64_t wider[] = {head(OPLI_PACK_WIDER, 1), 2000};
    reading r = read_words(wider, 2, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    free_reading(&r);
}

TEST(chunk_reader, refuses_codes_it_does_not_know)
{
    for (uint32_t code = OPLI_PACK_PAIR + 1; code <= 0xfff; code++) {
        uint64_t word = head(code, 1);
        reading r = read_words(&word, 1, OPLI_ENCODING_PACKED);
        CHECK(!r.sound);
        free_reading(&r);
    }
    uint64_t unknown_tag[] = {head(OPLI_PACK_TAGGED, 0xffull << 32), 0};
    reading r = read_words(unknown_tag, 2, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    free_reading(&r);
}

TEST(chunk_reader, refuses_encodings_it_does_not_know)
{
    uint64_t word = 0;
    reading r = read_words(&word, 1, 7);
    CHECK(!r.sound);
    CHECK_EQ(r.records->count, 0);
    free_reading(&r);
}

TEST(chunk_reader, refuses_more_records_than_a_chunk_holds)
{
    uint64_t words[OPLI_SLOT_RECORDS] = {head(OPLI_PACK_HOLES, 0xffffffff)};
    reading r = read_words(words, 1, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    free_reading(&r);
    for (size_t i = 0; i < OPLI_SLOT_RECORDS; i++)
        words[i] = head(OPLI_PACK_HOLES, 2);
    r = read_words(words, OPLI_SLOT_RECORDS, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    CHECK(r.records->count <= OPLI_SLOT_RECORDS);
    free_reading(&r);
    for (size_t i = 0; i < OPLI_SLOT_RECORDS; i++)
        words[i] = head(OPLI_PACK_PAIR, 0);
    r = read_words(words, OPLI_SLOT_RECORDS, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    CHECK(r.records->count <= OPLI_SLOT_RECORDS);
    free_reading(&r);
}

TEST(chunk_reader, refuses_bytes_that_are_longer_than_the_chunk)
{
    const uint64_t lengths[] = {17, 65536, 0xffffffff, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        const uint64_t words[] = {head(OPLI_PACK_TAGGED, (uint64_t)(OPLI_TAG_BYTES - OPL_SITE_LIMIT) << 32), lengths[i],
                                  1, 2};
        reading r = read_words(words, 4, OPLI_ENCODING_PACKED);
        CHECK(!r.sound);
        free_reading(&r);
    }
}

TEST(chunk_reader, keeps_the_records_before_the_ones_that_make_no_sense)
{
    const uint64_t words[] = {7ull << 52 | 3ull << 26 | 10, 7ull << 52 | 4ull << 26 | 20, head(0xfff, 0)};
    reading r = read_words(words, 3, OPLI_ENCODING_PACKED);
    CHECK(!r.sound);
    CHECK_EQ(r.records->count, 2);
    CHECK_EQ(r.records->words[0], 1010);
    CHECK_EQ(r.records->words[1], 7 | 4ull << 20);
    CHECK_EQ(r.records->words[2], 1030);
    free_reading(&r);
}

TEST(chunk_reader, survives_any_words)
{
    unsigned seed = 11;
    for (int round = 0; round < 3000; round++) {
        uint64_t words[100];
        uint32_t count = (uint32_t)rand_r(&seed) % 100, at = 0;
        for (uint32_t i = 0; i < count; i++) {
            words[i] = (uint64_t)rand_r(&seed) << 42 ^ (uint64_t)rand_r(&seed) << 21 ^ (uint64_t)rand_r(&seed);
            if (rand_r(&seed) % 2)
                words[i] = head(0xff0 + (uint32_t)rand_r(&seed) % 9, words[i] >> (12 + rand_r(&seed) % 52));
        }
        reading r = read_words(words, count, (uint32_t)(round % 8 != 0));
        opli_record record;
        while (opli_record_next(&r.row, r.records, &at, &record))
            CHECK(record.units > 0 && record.index + record.units <= r.records->count);
        free_reading(&r);
    }
}
