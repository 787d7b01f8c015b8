/* sum_test.c - the sums over headers, payloads and journal entries. */
#include "test.h"
#include "wire/journal_entry.h"

#define WORDS 96

static uint64_t random_word(unsigned *seed)
{
    return (uint64_t)rand_r(seed) << 42 ^ (uint64_t)rand_r(seed) << 21 ^ (uint64_t)rand_r(seed);
}

static void fill(uint64_t *words, size_t count, unsigned *seed, int sparse)
{
    for (size_t i = 0; i < count; i++)
        words[i] = sparse && rand_r(seed) % 4 ? 0 : random_word(seed);
}

TEST(sum, changes_with_every_single_bit)
{
    uint64_t words[WORDS];
    unsigned seed = 1;
    for (size_t count = 1; count <= WORDS; count++) {
        fill(words, count, &seed, count % 2);
        uint64_t sum = opli_wire_sum(words, count * 8);
        for (size_t bit = 0; bit < count * 64; bit++) {
            words[bit / 64] ^= UINT64_C(1) << bit % 64;
            CHECK(opli_wire_sum(words, count * 8) != sum);
            words[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
    }
}

TEST(sum, changes_when_words_change_places_or_go_missing)
{
    uint64_t words[WORDS];
    unsigned seed = 2;
    fill(words, WORDS, &seed, 0);
    uint64_t sum = opli_wire_sum(words, sizeof words);
    for (size_t i = 0; i + 1 < WORDS; i++) {
        uint64_t kept[2] = {words[i], words[i + 1]};
        words[i] = kept[1], words[i + 1] = kept[0];
        CHECK(opli_wire_sum(words, sizeof words) != sum);
        words[i] = kept[0], words[i + 1] = kept[1];
        CHECK(opli_wire_sum(words, 8 * i) != sum);
    }
    words[WORDS - 1] = 0;
    CHECK(opli_wire_sum(words, sizeof words) != opli_wire_sum(words, sizeof words - 8));
}

TEST(sum, of_an_entry_changes_with_every_single_bit_of_it)
{
    uint64_t body[32];
    unsigned seed = 3;
    for (uint32_t count = 0; count <= 16; count++) {
        fill(body, 32, &seed, count % 2);
        uint64_t first = opli_entry_first((uint16_t)(1 + count % 8), 16 + 8 * count);
        uint32_t sum = opli_entry_sum(first, 8 * count, body);
        for (unsigned bit = 0; bit < 64; bit++)
            CHECK(opli_entry_sum(first ^ UINT64_C(1) << bit, 8 * count, body) != sum);
        for (unsigned bit = 3; bit < 8; bit++)
            CHECK(opli_entry_sum(first, (8 * count ^ 1u << bit) & 0xff, body) != sum);
        for (size_t bit = 0; bit < count * 64; bit++) {
            body[bit / 64] ^= UINT64_C(1) << bit % 64;
            CHECK(opli_entry_sum(first, 8 * count, body) != sum);
            body[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
    }
}
