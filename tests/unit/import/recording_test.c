/* recording_test.c - opening a file, and what is said of how it ended. */
#include "import/recording.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "forge.h"
#include "test.h"

static forge small_file(uint32_t state)
{
    forge f = {0};
    forge_header(&f, state);
    forge_journal(&f, 1);
    forge_thread(&f, 1, 100, "main");
    forge_seal(&f);
    return f;
}

static void check_refused(const forge *f, size_t size, opl_status status, const char *words)
{
    opli_recording recording;
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_recording_open_bytes(&recording, f->bytes, size, "a.opl", &err), status);
    CHECK_EQ(err.status, status);
    if (strncmp(err.message, "a.opl: ", 7) != 0 || !strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    CHECK(!recording.sites.items && !recording.chunks.items); /* empty, and may be closed again */
    opli_recording_close(&recording);
}

TEST(recording, opens_what_is_sound)
{
    forge f = small_file(OPLI_FILE_CLOSED);
    opli_recording recording;
    CHECK_EQ(opli_recording_open_bytes(&recording, f.bytes, f.size, "a.opl", NULL), OPL_OK);
    CHECK_TEXT(recording.header.host, "anvil");
    CHECK_EQ(recording.damage_count, 0);
    CHECK_TEXT(recording.damage, "");
    CHECK_TEXT(recording.cut, "");
    opli_recording_close(&recording);
    opli_recording_close(&recording);
    forge_free(&f);
}

TEST(recording, says_how_it_ended_when_nobody_closed_it)
{
    forge f = small_file(OPLI_FILE_RECORDING);
    opli_recording recording;
    CHECK_EQ(opli_recording_open_bytes(&recording, f.bytes, f.size, "a.opl", NULL), OPL_OK);
    CHECK_TEXT(recording.cut, "process 42 ended without closing the file; all it had recorded is here");
    CHECK_EQ(recording.damage_count, 0);
    opli_recording_close(&recording);
    forge_free(&f);
}

TEST(recording, says_that_somebody_is_still_recording)
{
    forge f = small_file(OPLI_FILE_RECORDING);
    opli_recording recording;
    int fd = open(test_path("held.opl"), O_RDWR | O_CREAT, 0666);
    CHECK(write(fd, f.bytes, f.size) == (ssize_t)f.size);
    CHECK_EQ(flock(fd, LOCK_EX), 0);
    CHECK_EQ(opli_recording_open(&recording, test_path("held.opl"), NULL), OPL_OK);
    CHECK_TEXT(recording.cut, "process 42 is still recording");
    opli_recording_close(&recording);
    close(fd);
    forge_free(&f);
}

TEST(recording, notes_a_closed_file_that_was_cut_off)
{
    forge f = small_file(OPLI_FILE_CLOSED);
    opli_recording recording;
    CHECK_EQ(opli_recording_open_bytes(&recording, f.bytes, f.size - 64, "a.opl", NULL), OPL_OK);
    CHECK_TEXT(recording.damage, "the file ends at byte 8128 of 8192; was it cut off?");
    opli_recording_close(&recording);
    forge_free(&f);
}

TEST(recording, notes_a_state_that_does_not_exist)
{
    forge f = small_file(77);
    opli_recording recording;
    CHECK_EQ(opli_recording_open_bytes(&recording, f.bytes, f.size, "a.opl", NULL), OPL_OK);
    CHECK(strstr(recording.damage, "state is 77"));
    opli_recording_close(&recording);
    forge_free(&f);
}

TEST(recording, refuses_a_header_that_is_not_ours_or_not_whole)
{
    forge f = small_file(OPLI_FILE_CLOSED);
    check_refused(&f, 0, OPL_FORMAT, "is empty; nothing was recorded");
    check_refused(&f, 1, OPL_FORMAT, "ends at byte 1, inside the header; was it cut off?");
    check_refused(&f, 4095, OPL_FORMAT, "ends at byte 4095, inside the header");
    f.bytes[100] ^= 1;
    check_refused(&f, f.size, OPL_FORMAT, "the header is damaged; was it copied whole?");
    f.bytes[0] ^= 1;
    check_refused(&f, f.size, OPL_FORMAT, "is not an oplens recording; is it the right file?");
    check_refused(&f, 3, OPL_FORMAT, "is not an oplens recording");
    forge_free(&f);
}

TEST(recording, refuses_newer_versions_and_says_which)
{
    forge f = small_file(OPLI_FILE_CLOSED);
    forge_header_get(&f)->version = 2;
    forge_seal(&f);
    check_refused(&f, f.size, OPL_VERSION, "has format version 2 and this oplens reads up to 1; use a newer one");
    forge_header_get(&f)->version = 0;
    forge_seal(&f);
    check_refused(&f, f.size, OPL_FORMAT, "the header is damaged");
    forge_free(&f);
}

TEST(recording, knows_a_file_in_which_recording_had_not_begun)
{
    forge f = small_file(0);
    forge_header_get(&f)->checksum = 0;
    check_refused(&f, f.size, OPL_FORMAT, "the program ended before the recording had begun");
    forge_free(&f);
}

TEST(recording, ends_texts_that_have_no_end)
{
    forge f = small_file(OPLI_FILE_CLOSED);
    opli_wire_header *header = forge_header_get(&f);
    opli_recording recording;
    memset(header->host, 'h', sizeof header->host);
    memset(header->recorder, 'r', sizeof header->recorder);
    memset(header->program, 'p', sizeof header->program);
    memset(header->command, 'c', sizeof header->command);
    forge_seal(&f);
    CHECK_EQ(opli_recording_open_bytes(&recording, f.bytes, f.size, "a.opl", NULL), OPL_OK);
    CHECK_EQ(strlen(recording.header.host), sizeof header->host - 1);
    CHECK_EQ(strlen(recording.header.command), sizeof header->command - 1);
    opli_recording_close(&recording);
    forge_free(&f);
}

TEST(recording, has_a_word_for_everything)
{
    CHECK_TEXT(opli_category_word(OPL_CAT_OP), "op");
    CHECK_TEXT(opli_category_word(OPL_SITE_KEY), "key");
    CHECK_TEXT(opli_category_word(99), "unknown");
    CHECK_TEXT(opli_control_word(OPLI_CONTROL_REST), "rest");
    CHECK_TEXT(opli_control_word(UINT64_MAX), "unknown");
    CHECK_TEXT(opli_drop_word(OPLI_DROP_RING), "ring");
    CHECK_TEXT(opli_drop_word(99), "unknown");
    CHECK(strlen(opli_drop_sentence(OPLI_DROP_DISK)) > 10 && strlen(opli_drop_sentence(99)) > 10);
}
