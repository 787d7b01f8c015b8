/* journal_reader_test.c - the entries of a journal, sound and unsound. */
#include "import/journal_reader.h"

#include "forge.h"
#include "playback.h"
#include "test.h"

static forge new_file(void)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 4);
    return f;
}

static playback read_and_free(forge *f)
{
    forge_seal(f);
    playback p = playback_open_bytes(f->bytes, f->size);
    return p;
}

static bool is_text(opli_span_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

/* The journal's bytes, and the n-th entry among them. */
static opli_wire_block *block_of(forge *f) { return (opli_wire_block *)(void *)(f->bytes + f->journal); }

static opli_entry *entry_of(forge *f, size_t number)
{
    uint8_t *at = (uint8_t *)(block_of(f) + 1);
    for (; number; number--)
        at += ((opli_entry *)(void *)at)->size;
    return (opli_entry *)(void *)at;
}

/* ---- what is read ---- */

TEST(journal_reader, reads_every_kind_of_entry)
{
    forge f = new_file();
    forge_site(&f, 7, OPL_CAT_KERNEL, "conv");
    forge_thread(&f, 1, 4711, "main");
    forge_device(&f, 3, "npu0", "npu", 1e9);
    forge_track(&f, 2, 3, "pe1");
    forge_clock(&f, 10, 20, 30);
    forge_anchor(&f, 3, 5, 6);
    forge_metadata(&f, "model", "resnet");
    forge_control(&f, 12, OPLI_CONTROL_PAUSE, 0);
    playback p = read_and_free(&f);
    CHECK(is_text(opli_recording_site(&p.recording, 7)->name, "conv"));
    CHECK_EQ(opli_recording_site(&p.recording, 7)->category, OPL_CAT_KERNEL);
    CHECK_EQ(opli_recording_thread(&p.recording, 1)->tid, 4711);
    CHECK(is_text(opli_recording_thread(&p.recording, 1)->name, "main"));
    CHECK(is_text(opli_recording_device(&p.recording, 3)->kind, "npu"));
    CHECK(is_text(opli_recording_track(&p.recording, 2)->name, "pe1"));
    CHECK_EQ(p.recording.clocks.items[0].monotonic_ns, 20);
    CHECK_EQ(p.recording.anchors.items[0].host_ns, 6);
    CHECK(is_text(p.recording.metadata.items[0].value, "resnet"));
    CHECK_EQ(playback_controls(&p, OPLI_CONTROL_PAUSE), 1);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, finds_no_row_where_there_is_none)
{
    forge f = new_file();
    forge_site(&f, 7, OPL_CAT_OP, "conv");
    playback p = read_and_free(&f);
    for (uint32_t id = 0; id < 20; id++)
        CHECK_EQ(opli_recording_site(&p.recording, id) != NULL, id == 7);
    CHECK(!opli_recording_site(&p.recording, UINT32_MAX));
    CHECK(!opli_recording_thread(&p.recording, 1));
    CHECK(!opli_recording_track(&p.recording, 1));
    CHECK(!opli_recording_device(&p.recording, 1));
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, sorts_rows_and_keeps_one_of_what_was_announced_twice)
{
    forge f = new_file();
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t id = 5; id > 0; id--) {
            forge_thread(&f, id, 100 + id, "t");
            forge_device(&f, id, "d", "gpu", 0);
            forge_track(&f, id, id, "q");
            forge_clock(&f, id, id, id);
        }
    forge_control(&f, 9, OPLI_CONTROL_STOP, 0);
    forge_control(&f, 3, OPLI_CONTROL_START, 0);
    playback p = read_and_free(&f);
    CHECK(p.recording.threads.count == 5 && p.recording.devices.count == 5 && p.recording.tracks.count == 5 &&
          p.recording.clocks.count == 5);
    for (uint32_t id = 1; id <= 5; id++) {
        CHECK_EQ(p.recording.threads.items[id - 1].ordinal, id);
        CHECK_EQ(opli_recording_track(&p.recording, id)->device, id);
        CHECK_EQ(p.recording.clocks.items[id - 1].tick, id);
    }
    CHECK_EQ(p.recording.controls.items[0].what, OPLI_CONTROL_START);
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, keeps_the_last_value_of_a_key_in_the_place_of_the_first)
{
    static const char *const pairs[][2] = {{"b", "1"}, {"a", "2"}, {"", "3"}, {"b", "4"},
                                           {"c", "5"}, {"a", ""},  {"b", "6"}};
    static const char *const settled[][2] = {{"b", "6"}, {"a", ""}, {"", "3"}, {"c", "5"}};
    forge f = new_file();
    for (size_t i = 0; i < 7; i++)
        forge_metadata(&f, pairs[i][0], pairs[i][1]);
    playback p = read_and_free(&f);
    CHECK_EQ(p.recording.metadata.count, 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK(is_text(p.recording.metadata.items[i].key, settled[i][0]));
        CHECK(is_text(p.recording.metadata.items[i].value, settled[i][1]));
    }
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, reads_all_journals_of_a_file)
{
    forge f = new_file();
    forge_site(&f, 2, OPL_CAT_OP, "first");
    forge_journal(&f, 1);
    forge_site(&f, 3, OPL_CAT_OP, "second");
    forge_journal(&f, 1); /* of a thread that lost a race: empty */
    playback p = read_and_free(&f);
    CHECK(opli_recording_site(&p.recording, 2) && opli_recording_site(&p.recording, 3));
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

/* ---- gaps ---- */

TEST(journal_reader, passes_over_what_was_reserved_and_never_written)
{
    forge f = new_file();
    forge_site(&f, 2, OPL_CAT_OP, "before");
    block_of(&f)->used += 4096; /* a thread died here */
    forge_site(&f, 3, OPL_CAT_OP, "after");
    playback p = read_and_free(&f);
    CHECK(opli_recording_site(&p.recording, 2) && opli_recording_site(&p.recording, 3));
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, does_not_rely_on_how_much_is_said_to_be_used)
{
    static const uint64_t used[] = {0, 8, 64, 1000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        forge f = new_file();
        forge_site(&f, 2, OPL_CAT_OP, "there");
        forge_site(&f, 3, OPL_CAT_OP, "too");
        block_of(&f)->used = used[i];
        playback p = read_and_free(&f);
        CHECK(opli_recording_site(&p.recording, 2) && opli_recording_site(&p.recording, 3));
        CHECK_EQ(p.recording.damage_count, 0);
        playback_close(&p);
        forge_free(&f);
    }
}

TEST(journal_reader, reads_an_entry_that_ends_with_the_journal)
{
    forge f = new_file();
    opli_entry_control control = {1, OPLI_CONTROL_START, 0};
    while (block_of(&f)->used + 40 <= block_of(&f)->size - sizeof(opli_wire_block))
        forge_entry(&f, OPLI_ENTRY_CONTROL, &control, sizeof control, NULL, 0);
    size_t rest = block_of(&f)->size - sizeof(opli_wire_block) - block_of(&f)->used;
    playback p = read_and_free(&f);
    CHECK_EQ(p.recording.controls.count, (block_of(&f)->size - sizeof(opli_wire_block) - rest) / 40);
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

/* ---- damage ---- */

/* A file of three sites, the second of which is spoiled; the others must be read. */
static void check_notes_damage(void (*spoil)(opli_entry *), const char *words)
{
    forge f = new_file();
    for (uint32_t id = 2; id < 5; id++)
        forge_site(&f, id, OPL_CAT_OP, "a name of some length");
    spoil(entry_of(&f, 1));
    playback p = read_and_free(&f);
    CHECK(opli_recording_site(&p.recording, 2) && opli_recording_site(&p.recording, 4));
    CHECK(!opli_recording_site(&p.recording, 3));
    CHECK_EQ(p.recording.damage_count, 1);
    if (!strstr(p.recording.damage, words))
        fail_msg("'%s' does not say '%s'", p.recording.damage, words);
    playback_close(&p);
    forge_free(&f);
}

static void spoil_magic(opli_entry *entry) { entry->magic ^= 1; }
static void spoil_kind(opli_entry *entry) { entry->kind = OPLI_ENTRY_METADATA; }
static void spoil_sum(opli_entry *entry) { entry->sum ^= 1; }
static void spoil_body(opli_entry *entry) { ((uint8_t *)(entry + 1))[20] ^= 1; }
static void spoil_size(opli_entry *entry) { entry->size = 16; }
static void spoil_size_upwards(opli_entry *entry) { entry->size += 8; }
static void spoil_size_beyond_all(opli_entry *entry) { entry->size = UINT32_MAX - 7; }
static void spoil_fixed(opli_entry *entry) { entry->fixed = 0; }

TEST(journal_reader, notes_an_unsound_entry_once_and_reads_on_behind_it)
{
    check_notes_damage(spoil_magic, "the journal is damaged at byte");
    check_notes_damage(spoil_kind, "the journal is damaged at byte");
    check_notes_damage(spoil_sum, "the journal is damaged at byte");
    check_notes_damage(spoil_body, "the journal is damaged at byte");
    check_notes_damage(spoil_size, "the journal is damaged at byte");
    check_notes_damage(spoil_size_upwards, "the journal is damaged at byte");
    check_notes_damage(spoil_size_beyond_all, "the journal is damaged at byte");
    check_notes_damage(spoil_fixed, "the journal is damaged at byte");
}

TEST(journal_reader, notes_entries_whose_texts_do_not_fit_in_them)
{
    const struct {
        uint16_t kind;
        uint8_t body[32];
    } entries[] = {{OPLI_ENTRY_SITE, {[0] = 9, [12] = 0xff, [13] = 0xff}},
                   {OPLI_ENTRY_DEVICE, {[0] = 9, [4] = 0xff}},
                   {OPLI_ENTRY_TRACK, {[0] = 9, [15] = 0x80}},
                   {OPLI_ENTRY_METADATA, {[0] = 40}},
                   {OPLI_ENTRY_METADATA, {[4] = 255, [7] = 255}}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        forge f = new_file();
        forge_entry(&f, entries[i].kind, entries[i].body, 32, NULL, 0);
        playback p = read_and_free(&f);
        CHECK_EQ(p.recording.damage_count, 1);
        CHECK(strstr(p.recording.damage, "a journal entry is too short at byte"));
        CHECK(!opli_recording_site(&p.recording, 9));
        playback_close(&p);
        forge_free(&f);
    }
}

TEST(journal_reader, notes_entries_that_are_shorter_than_their_kind)
{
    for (uint16_t kind = OPLI_ENTRY_SITE; kind <= OPLI_ENTRY_CONTROL; kind++) {
        forge f = new_file();
        forge_entry(&f, kind, "", 0, "", 0);
        if (kind == OPLI_ENTRY_THREAD) { /* whose sum never covers all of it */
            entry_of(&f, 0)->fixed = 0;
            forge_mend(f.bytes, f.size);
        }
        playback p = read_and_free(&f);
        CHECK_EQ(p.recording.damage_count, 1);
        playback_close(&p);
        forge_free(&f);
    }
}

TEST(journal_reader, leaves_kinds_of_a_later_version_alone)
{
    forge f = new_file();
    forge_entry(&f, 999, "from the future", 15, NULL, 0);
    forge_site(&f, 2, OPL_CAT_OP, "from now");
    playback p = read_and_free(&f);
    CHECK(opli_recording_site(&p.recording, 2));
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, takes_no_site_with_an_id_that_cannot_be)
{
    forge f = new_file();
    forge_site(&f, 0, OPL_CAT_OP, "nothing");
    forge_site(&f, OPL_SITE_LIMIT, OPL_CAT_OP, "a tag");
    forge_site(&f, UINT32_MAX, OPL_CAT_OP, "far beyond");
    forge_site(&f, OPL_SITE_LIMIT - 1, OPL_CAT_OP, "the last");
    playback p = read_and_free(&f);
    CHECK_EQ(p.recording.sites.count, OPL_SITE_LIMIT);
    CHECK(is_text(opli_recording_site(&p.recording, OPL_SITE_LIMIT - 1)->name, "the last"));
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, does_not_call_it_damage_in_a_file_that_was_cut_short)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_RECORDING);
    forge_journal(&f, 1);
    forge_site(&f, 2, OPL_CAT_OP, "whole");
    forge_site(&f, 3, OPL_CAT_OP, "half");
    entry_of(&f, 1)->magic = 0; /* stored last, and the process died before */
    playback p = read_and_free(&f);
    CHECK(opli_recording_site(&p.recording, 2) && !opli_recording_site(&p.recording, 3));
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
    forge_free(&f);
}

/* Something that looks like a huge entry at every word would make every word cost a huge sum. */
TEST(journal_reader, loses_patience_with_a_journal_made_to_waste_its_time)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 2048);
    size_t capacity = block_of(&f)->size - sizeof(opli_wire_block);
    block_of(&f)->used = capacity;
    uint64_t *words = (uint64_t *)(void *)(block_of(&f) + 1);
    for (size_t at = 0; at + 32 <= capacity; at += 8) {
        uint32_t size = (uint32_t)(capacity - at) / 8 * 8;
        words[at / 8] = at % 16 ? size - 16 : opli_entry_first(OPLI_ENTRY_METADATA, size);
    }
    playback p = read_and_free(&f);
    CHECK(p.recording.damage_count > 0);
    playback_close(&p);
    forge_free(&f);
}

TEST(journal_reader, settles_many_keys_in_reasonable_time)
{
    forge f = {0};
    forge_header(&f, OPLI_FILE_CLOSED);
    forge_journal(&f, 2048);
    for (uint32_t i = 0; i < 150000; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i % 140000);
        forge_metadata(&f, key, i < 140000 ? "old" : "new");
    }
    playback p = read_and_free(&f);
    CHECK_EQ(p.recording.metadata.count, 140000);
    CHECK(is_text(p.recording.metadata.items[9999].value, "new"));
    CHECK(is_text(p.recording.metadata.items[10000].key, "10000"));
    CHECK(is_text(p.recording.metadata.items[10000].value, "old"));
    playback_close(&p);
    forge_free(&f);
}
