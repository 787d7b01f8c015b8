/* chunk_finder_test.c - what a file is made of, also after a sudden death in the middle of it. */
#include "import/chunk_finder.h"

#include "forge.h"
#include "playback.h"
#include "test.h"

#define CHUNK(number) (UINT64_C(1) << 56 | UINT64_C(1) << 36 | (number))

static forge new_file(uint32_t state)
{
    forge f = {0};
    forge_header(&f, state);
    forge_journal(&f, 1);
    forge_thread(&f, 1, 100, "main");
    forge_site(&f, 2, OPL_CAT_OP, "span");
    return f;
}

static tray new_tray(uint64_t number, uint32_t spans)
{
    tray t = tray_new(CHUNK(number), 1, 1000);
    for (uint32_t i = 0; i < spans; i++)
        tray_span(&t, 2, 1000 + i, 1);
    return t;
}

static void add_chunk(forge *f, uint64_t number, uint32_t spans)
{
    tray t = new_tray(number, spans);
    forge_chunk(f, &t);
    tray_free(&t);
}

/* Reads the file, checks how many events there are and what is damaged, and lets go of it. */
static void check_file(forge *f, size_t events, uint64_t damages, const char *words)
{
    forge_seal(f);
    playback p = playback_open_bytes(f->bytes, f->size);
    CHECK_EQ(p.events.count, events);
    CHECK_EQ(p.recording.damage_count, damages);
    if (!strstr(p.recording.damage, words))
        fail_msg("'%s' does not say '%s'", p.recording.damage, words);
    playback_close(&p);
    forge_free(f);
}

/* ---- chunks ---- */

TEST(chunk_finder, finds_every_chunk_and_skips_the_zeros_between)
{
    forge f = new_file(OPLI_FILE_CLOSED);
    for (uint64_t number = 1; number <= 5; number++) {
        add_chunk(&f, number, (uint32_t)number * 10);
        forge_zeros(&f, 64 * number);
    }
    check_file(&f, 150, 0, "");
}

TEST(chunk_finder, notes_a_chunk_whose_payload_changed_and_says_where)
{
    char words[64];
    forge f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    size_t second = f.size;
    add_chunk(&f, 2, 10);
    f.bytes[second + 64 + 3] ^= 0x10;
    snprintf(words, sizeof words, "the chunk at byte %zu is damaged", second);
    check_file(&f, 10, 1, words);
}

TEST(chunk_finder, notes_a_chunk_whose_header_changed_and_finds_the_next)
{
    char words[64];
    forge f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    size_t second = f.size;
    add_chunk(&f, 2, 500);
    add_chunk(&f, 3, 10);
    f.bytes[second + 9] ^= 1;
    snprintf(words, sizeof words, "there is no valid chunk or block at byte %zu", second);
    check_file(&f, 20, 2, words); /* and chunk 2 is missing */
}

TEST(chunk_finder, notes_what_is_left_of_a_chunk_whose_header_was_wiped_out)
{
    forge f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    size_t second = f.size;
    add_chunk(&f, 2, 500);
    memset(f.bytes + second, 0, 64);
    check_file(&f, 10, 1, "there is no valid chunk or block");
}

TEST(chunk_finder, notes_a_chunk_that_is_not_there)
{
    forge f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    add_chunk(&f, 3, 10);
    check_file(&f, 20, 1, "chunk 2 of thread 100 is missing");
    f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 2, 10);
    check_file(&f, 10, 1, "chunk 1 of thread 100 is missing");
}

TEST(chunk_finder, accepts_gaps_where_events_were_dropped_and_counted)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 1);
    opli_entry_thread thread = {.ordinal = 1, .tid = 100, .dropped = {[OPLI_DROP_DISK] = 1}};
    forge_entry(&f, OPLI_ENTRY_THREAD, &thread, sizeof thread, NULL, 0);
    add_chunk(&f, 1, 10);
    add_chunk(&f, 3, 10);
    check_file(&f, 20, 0, "");
}

TEST(chunk_finder, keeps_one_of_two_copies)
{
    forge f = new_file(OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    add_chunk(&f, 1, 10);
    check_file(&f, 10, 0, "");
}

TEST(chunk_finder, reads_chunks_of_a_thread_nobody_announced)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    add_chunk(&f, 1, 10);
    check_file(&f, 10, 0, "");
}

/* ---- after a sudden death ---- */

TEST(chunk_finder, prefers_the_slot_to_a_copy_that_was_being_written)
{
    forge f = new_file(OPLI_FILE_RECORDING);
    tray t = new_tray(1, 100);
    t.slot->state = OPLI_SLOT_TAKEN;
    forge_stream(&f, &t, 1);
    size_t copy = f.size;
    forge_chunk(&f, &t);
    memset(f.bytes + copy + 64 + 100, 0, f.size - copy - 64 - 100); /* this much had not been written */
    tray_free(&t);
    check_file(&f, 100, 0, "");
}

TEST(chunk_finder, takes_from_an_open_slot_what_is_below_the_cursor)
{
    forge f = new_file(OPLI_FILE_RECORDING);
    tray t = new_tray(1, 100);
    t.slot->state = OPLI_SLOT_OPEN;
    t.slot->used = 0;
    forge_stream(&f, &t, 1);
    check_file(&f, 100, 0, "");

    f = new_file(OPLI_FILE_RECORDING);
    t.used = 60 * OPL_RECORD_BYTES;
    forge_stream(&f, &t, 1);
    tray_free(&t);
    check_file(&f, 60, 0, "");
}

TEST(chunk_finder, takes_nothing_from_free_and_senseless_slots)
{
    static const uint32_t states[] = {OPLI_SLOT_FREE, OPLI_SLOT_TAKEN + 1, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        forge f = new_file(OPLI_FILE_RECORDING);
        tray t = new_tray(1, 100);
        t.slot->state = states[i];
        forge_stream(&f, &t, 1);
        tray_free(&t);
        check_file(&f, 0, 0, "");
    }
}

TEST(chunk_finder, reads_no_more_of_a_slot_than_it_has)
{
    static const uint32_t used[] = {UINT32_MAX, 65536, 65472, 7};
    static const size_t events[] = {100, 100, 100, 0};
    for (size_t i = 0; i < 4; i++) {
        forge f = new_file(OPLI_FILE_RECORDING);
        tray t = new_tray(1, 100);
        t.slot->used = used[i];
        forge_stream(&f, &t, 1);
        tray_free(&t);
        check_file(&f, events[i], 0, "");
    }
}

TEST(chunk_finder, does_not_mind_what_a_sudden_death_left_half_written)
{
    forge f = new_file(OPLI_FILE_RECORDING);
    add_chunk(&f, 1, 10);
    forge_raw(&f, "half a header", 13);
    forge_zeros(&f, 64 - 13 + 4096);
    add_chunk(&f, 2, 10);
    check_file(&f, 20, 0, "");
}

/* ---- blocks ---- */

static void add_block(forge *f, uint32_t kind, uint64_t size, uint64_t owner)
{
    opli_wire_block block = {.magic = OPLI_BLOCK_MAGIC, .kind = kind, .size = size, .owner = owner};
    block.sum = opli_wire_sum(&block, offsetof(opli_wire_block, sum));
    forge_zeros(f, (OPLI_PAGE_BYTES - f->size % OPLI_PAGE_BYTES) % OPLI_PAGE_BYTES);
    forge_raw(f, &block, sizeof block);
    forge_zeros(f, OPLI_PAGE_BYTES - sizeof block + OPL_SLOT_BYTES);
}

TEST(chunk_finder, goes_nowhere_for_the_owner_of_slots_that_is_nowhere)
{
    static const uint64_t owners[] = {0, 1, 4096, 1 << 30, UINT64_MAX, UINT64_MAX - 4095, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        forge f = new_file(OPLI_FILE_RECORDING);
        add_block(&f, OPLI_BLOCK_SLOTS, OPLI_PAGE_BYTES + OPL_SLOT_BYTES, owners[i]);
        add_chunk(&f, 1, 10);
        check_file(&f, 10, 0, "");
    }
}

TEST(chunk_finder, notes_a_block_that_goes_on_behind_the_end_of_the_file)
{
    static const uint64_t sizes[] = {1 << 20, UINT64_C(1) << 63, UINT64_MAX - 4095};
    for (size_t i = 0; i < 3; i++) {
        forge f = new_file(OPLI_FILE_CLOSED);
        add_chunk(&f, 1, 10);
        add_block(&f, OPLI_BLOCK_STREAM, sizes[i], 0);
        check_file(&f, 10, 1, "inside a block of");
    }
}

TEST(chunk_finder, leaves_blocks_of_a_later_version_alone)
{
    forge f = new_file(OPLI_FILE_CLOSED);
    add_block(&f, 99, OPLI_PAGE_BYTES + OPL_SLOT_BYTES, 0);
    add_chunk(&f, 1, 10);
    check_file(&f, 10, 0, "");
}

TEST(chunk_finder, reads_the_cells_of_a_ring_and_notes_a_broken_one)
{
    for (int broken = 0; broken < 2; broken++) {
        forge f = new_file(OPLI_FILE_CLOSED);
        add_block(&f, OPLI_BLOCK_RING, OPLI_PAGE_BYTES + OPL_SLOT_BYTES, 0);
        forge cell = {0};
        add_chunk(&cell, 1, 10);
        memcpy(f.bytes + f.size - OPL_SLOT_BYTES, cell.bytes, cell.size);
        f.bytes[f.size - OPL_SLOT_BYTES + 20] ^= (uint8_t)broken;
        forge_free(&cell);
        check_file(&f, broken ? 0 : 10, (uint64_t)broken, broken ? "there is no valid chunk at byte" : "");
    }
}
