/* packed_hazards_test.c - compressed and very large files with something the matter. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hazard.h"
#include "inquiry.h"
#include "test.h"

#define LOST "compressed files are damaged or cut"

/* Opens a file of tests/data/hazards; a build that cannot unpack it skips the test. */
static void open_packed(opli_trace *trace, const char *name)
{
    char path[1024];
    const char *paths[] = {path};
    opl_error err = {OPL_OK, ""};
    snprintf(path, sizeof path, TEST_DATA "/hazards/%s", name);
    opl_status st = opli_trace_open(paths, 1, trace, &err);
    if (st == OPL_UNSUPPORTED)
        SKIP(err.message);
    if (st != OPL_OK)
        fail_msg("%s", err.message);
}

static void check_whole(const char *name)
{
    opli_trace trace;
    open_packed(&trace, name);
    hazard_check(&trace, 200, 0);
    hazard_span(&trace, "e199");
    opli_trace_free(&trace);
}

/* Some events are there, and the damage is said; one event may have been cut through. */
static void check_damaged(const char *name, uint64_t kept_least)
{
    opli_trace trace;
    open_packed(&trace, name);
    CHECK(trace.spans.count >= kept_least && trace.spans.count <= 200);
    CHECK_EQ(inquiry_note(&trace, LOST), 1);
    opli_trace_free(&trace);
}

TEST(packed_hazard, gzip_of_several_members_is_read_whole) { check_whole("members.json.gz"); }

TEST(packed_hazard, gzip_with_zeros_behind_it_is_read_whole) { check_whole("padded.json.gz"); }

TEST(packed_hazard, gzip_that_is_cut_is_read_as_far_as_it_goes_and_says_so) { check_damaged("cut.json.gz", 10); }

TEST(packed_hazard, gzip_with_something_else_behind_it_is_read_and_says_so) { check_damaged("garbage.json.gz", 200); }

TEST(packed_hazard, gzip_with_a_wrong_checksum_is_read_and_says_so) { check_damaged("checksum.json.gz", 200); }

TEST(packed_hazard, zstd_is_read_whole) { check_whole("whole.json.zst"); }

TEST(packed_hazard, zstd_of_several_frames_is_read_whole) { check_whole("frames.json.zst"); }

TEST(packed_hazard, zstd_that_is_cut_is_read_as_far_as_it_goes_and_says_so)
{
    char path[] = TEST_DATA "/hazards/cut.json.zst";
    const char *paths[] = {path};
    opli_trace trace;
    opl_error err = {OPL_OK, ""};
    opl_status st = opli_trace_open(paths, 1, &trace, &err);
    if (st == OPL_UNSUPPORTED)
        SKIP(err.message);
    if (st == OPL_OK) {
        CHECK_EQ(inquiry_note(&trace, LOST), 1);
        opli_trace_free(&trace);
    } else { /* all of it was in one block */
        CHECK(strstr(err.message, "damaged zstd file") != NULL);
    }
}

TEST(packed_hazard, what_grows_a_thousandfold_is_read_whole)
{
    opli_trace trace;
    open_packed(&trace, "bomb.json.gz");
    hazard_check(&trace, 1, 0);
    opli_trace_free(&trace);
}

/* ---- very large ---- */

/* A hole in the file is zeros inside the text: a gigabyte that takes no disk. */
TEST(packed_hazard, a_text_of_a_gigabyte_is_kept_whole)
{
    static const char before[] = "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"a\",\"args\":{\"text\":\"",
                      after[] = "\"}},"
                                "{\"ph\":\"X\",\"ts\":9,\"dur\":1,\"name\":\"b\"}]";
    const off_t hole = (off_t)1 << 30;
    const char *path = test_path("gigabyte.json");
    opli_trace trace;
    opl_error err = {OPL_OK, ""};
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CHECK(fd >= 0);
    CHECK_EQ(pwrite(fd, before, sizeof before - 1, 0), sizeof before - 1);
    CHECK_EQ(pwrite(fd, after, sizeof after - 1, (off_t)sizeof before - 1 + hole), sizeof after - 1);
    close(fd);
    opl_status st = opli_trace_open(&path, 1, &trace, &err);
    unlink(path);
    if (st == OPL_NOMEM)
        SKIP(err.message);
    CHECK_EQ(st, OPL_OK);
    hazard_check(&trace, 2, 0);
    uint32_t text = (uint32_t)opli_args_value(&trace.args, trace.spans.first_arg[hazard_span(&trace, "a")]);
    CHECK_EQ(opli_string_length(&trace.strings, text), (size_t)hole);
    opli_trace_free(&trace);
}
