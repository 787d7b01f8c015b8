/* bad_file_test.c - files that were cut, changed, or never ours: each is refused or read as far as it
 * goes, with a sentence, and none does harm. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/contents.h"
#include "export/event_line.h"
#include "forge.h"
#include "playback.h"
#include "test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

/* Sanitizers are slow: there, only every so many bits are tried. */
#ifdef HAS_SHADOW
#define STRIDE 5
#else
#define STRIDE 1
#endif

/* ---- a recording of everything ---- */

typedef struct file {
    uint8_t *bytes; /* aligned to 64 */
    size_t size;
} file;

static void record_everything(void)
{
    static const int64_t dims[] = {1, -1, 3};
    uint32_t npu = opl_device_declare("npu0", "npu", 1e9), pe = opl_track_declare(npu, "pe0", 0);
    opl_metadata_set("model", "resnet18");
    opl_device_anchor(npu, 100, opl_clock_ns());
    opl_span late = OPL_SPAN_BEGIN("late", OPL_CAT_INFERENCE);
    for (int i = 0; i < 4; i++)
        OPL_SPAN ("conv", OPL_CAT_OP) {
            OPL_INT("int", i);
            OPL_REAL("real", 0.5);
            OPL_TEXT("text", "some text");
            OPL_INTS("ints", dims, 3);
            OPL_TENSORS("inputs", &((opl_tensor){"x", OPL_DTYPE_F32, 3, dims}), 1);
            opl_flow_begin(&opl_this_span, 7);
        }
    opl_span_timed(OPL_SITE("kernel", OPL_CAT_KERNEL, 1), pe, 200, 50);
    OPL_COUNTER("loss", 0.25);
    opl_memory_alloc(&(opl_memory){.address = 0x1000, .size_bytes = 64, .used_bytes = 64, .allocated_bytes = -1});
    OPL_INSTANT("spark", OPL_CAT_OP);
    opl_span_end(&late);
    (void)OPL_SPAN_BEGIN("open", OPL_CAT_OP);
}

static file read_whole(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && fstat(fd, &info) == 0);
    file f = {aligned_alloc(64, ((size_t)info.st_size + 63) / 64 * 64), (size_t)info.st_size};
    CHECK(read(fd, f.bytes, f.size) == (ssize_t)f.size);
    close(fd);
    return f;
}

/* The file as it is after a stop, and as a sudden death would leave it. */
static file recorded(bool closed)
{
    file f = {NULL, 0};
    playback_record("everything.opl");
    record_everything();
    if (!closed)
        f = read_whole(test_path("everything.opl"));
    opl_recorder_stop();
    if (closed)
        f = read_whole(test_path("everything.opl"));
    remove(test_path("everything.opl"));
    return f;
}

/* ---- reading all there is to read ---- */

static bool dump(void *context, const opli_event *event)
{
    static opli_text line;
    opli_text_reset(&line);
    opli_event_line(context, event, &line);
    opli_event_line_json(context, event, &line);
    return line.length > 0;
}

typedef struct verdict {
    opl_status status;
    uint64_t damages;
    char sentence[504];
} verdict;

static verdict judge(const uint8_t *bytes, size_t size)
{
    opli_recording recording;
    opli_contents contents;
    opl_error err = {OPL_OK, ""};
    verdict v = {.status = opli_recording_open_bytes(&recording, bytes, size, "bad.opl", &err)};
    snprintf(v.sentence, sizeof v.sentence, "%s", err.message);
    if (v.status != OPL_OK)
        return v;
    CHECK_EQ(opli_contents_read(&recording, &contents), OPL_OK);
    CHECK_EQ(opli_events_visit(&recording, dump, &recording), OPL_OK);
    v.damages = recording.damage_count;
    snprintf(v.sentence, sizeof v.sentence, "%s", recording.damage);
    opli_contents_free(&contents);
    opli_recording_close(&recording);
    return v;
}

static bool is_noticed(const verdict *v) { return (v->status != OPL_OK || v->damages) && strlen(v->sentence) > 10; }

TEST(bad_file, is_not_what_was_recorded_and_left_alone)
{
    for (int closed = 0; closed < 2; closed++) {
        file f = recorded(closed);
        verdict v = judge(f.bytes, f.size);
        CHECK_EQ(v.status, OPL_OK);
        CHECK_EQ(v.damages, 0);
        free(f.bytes);
    }
}

/* ---- flipped ---- */

/* Flips each bit of a range in turn; all must be noticed, or none need be. */
static void flip_each(file *f, size_t first, size_t end, bool must_notice)
{
    for (size_t bit = first * 8; bit < end * 8; bit += STRIDE) {
        f->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        verdict v = judge(f->bytes, f->size);
        f->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (must_notice && !is_noticed(&v))
            fail_msg("bit %zu of byte %zu was flipped and nobody noticed", bit % 8, bit / 8);
    }
}

static size_t end_of_journal(const file *f)
{
    const opli_wire_block *block = (const opli_wire_block *)(const void *)(f->bytes + OPLI_PAGE_BYTES);
    return OPLI_PAGE_BYTES + sizeof *block + block->used;
}

TEST(bad_file, is_noticed_for_every_bit_of_the_header_that_was_flipped)
{
    file f = recorded(true);
    flip_each(&f, 0, offsetof(opli_wire_header, tail), true);
    flip_each(&f, offsetof(opli_wire_header, tail), OPLI_PAGE_BYTES, false); /* what changed while recording */
    free(f.bytes);
}

TEST(bad_file, is_noticed_for_every_bit_of_the_journal_that_was_flipped)
{
    file f = recorded(true);
    size_t entries = OPLI_PAGE_BYTES + sizeof(opli_wire_block), end = end_of_journal(&f);
    CHECK(end > 2 * OPLI_PAGE_BYTES - 3000);
    flip_each(&f, OPLI_PAGE_BYTES, OPLI_PAGE_BYTES + offsetof(opli_wire_block, used), true);
    flip_each(&f, OPLI_PAGE_BYTES + offsetof(opli_wire_block, used), entries, false);
    flip_each(&f, entries, end, true);
    if (end < 2 * OPLI_PAGE_BYTES)
        flip_each(&f, end, 2 * OPLI_PAGE_BYTES, false);
    free(f.bytes);
}

TEST(bad_file, is_noticed_for_every_bit_of_a_chunk_that_was_flipped)
{
    file f = recorded(true);
    size_t chunks = 0;
    for (size_t at = 2 * OPLI_PAGE_BYTES; at + 64 <= f.size; at += 64) {
        const opli_wire_chunk *chunk = (const opli_wire_chunk *)(const void *)(f.bytes + at);
        if (chunk->magic != OPLI_CHUNK_MAGIC)
            continue;
        chunks++;
        flip_each(&f, at, at + sizeof *chunk + chunk->size, true);
        flip_each(&f, at + sizeof *chunk + chunk->size, f.size, false);
    }
    CHECK_EQ(chunks, 1);
    free(f.bytes);
}

TEST(bad_file, does_no_harm_when_a_file_that_was_cut_short_is_changed_too)
{
    file f = recorded(false);
    unsigned seed = 1;
    flip_each(&f, offsetof(opli_wire_header, tail), sizeof(opli_wire_header), false);
    for (int round = 0; round < 600; round++) {
        size_t byte = OPLI_PAGE_BYTES + (size_t)rand_r(&seed) % (f.size - OPLI_PAGE_BYTES);
        flip_each(&f, byte, byte + 1, false);
    }
    free(f.bytes);
}

/* ---- changed at random ---- */

static size_t any_place(const file *f, unsigned *seed)
{
    size_t place = (size_t)rand_r(seed) % f->size;
    switch (rand_r(seed) % 4) {
    case 0: return OPLI_PAGE_BYTES + place % (end_of_journal(f) - OPLI_PAGE_BYTES);
    case 1: return f->size - 1 - place % (f->size < 4096 ? f->size : 4096);
    case 2: return f->size < 200000 ? place : 70000 + place % 6000; /* a stream's page and its first slot */
    default: return place;
    }
}

static void change_at_random(uint8_t *bytes, const file *f, unsigned *seed)
{
    size_t at = any_place(f, seed), length = 1 + (size_t)rand_r(seed) % (rand_r(seed) % 8 ? 8 : 4096);
    int how = rand_r(seed) % 4;
    for (size_t i = at; i < f->size && i < at + length; i++)
        bytes[i] = how == 0   ? 0
                   : how == 1 ? 0xff
                   : how == 2 ? (uint8_t)rand_r(seed)
                              : bytes[(size_t)rand_r(seed) % f->size];
}

static void check_survives_changes(bool closed, bool mend, int rounds, unsigned seed)
{
    file f = recorded(closed);
    uint8_t *changed = aligned_alloc(64, (f.size + 63) / 64 * 64);
    for (int round = 0; round < rounds; round += STRIDE) {
        memcpy(changed, f.bytes, f.size);
        for (int i = rand_r(&seed) % 8; i >= 0; i--)
            change_at_random(changed, &f, &seed);
        if (mend) /* so that the change is behind the sums */
            forge_mend(changed, f.size);
        verdict v = judge(changed, f.size);
        CHECK(v.status == OPL_OK || strlen(v.sentence) > 10);
        CHECK(!v.damages || strlen(v.sentence) > 10);
    }
    free(changed);
    free(f.bytes);
}

TEST(bad_file, survives_any_change_to_a_closed_file) { check_survives_changes(true, false, 4000, 2); }
TEST(bad_file, survives_any_change_to_a_file_that_was_cut_short) { check_survives_changes(false, false, 1500, 3); }
TEST(bad_file, survives_any_change_whose_sums_are_right) { check_survives_changes(true, true, 4000, 4); }
TEST(bad_file, survives_any_change_to_a_cut_file_whose_sums_are_right) { check_survives_changes(false, true, 1500, 5); }

/* ---- cut ---- */

static verdict judge_cut(const file *f, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1); /* so that one byte too far is noticed */
    memcpy(exact, f->bytes, size);
    verdict v = judge(exact, size);
    free(exact);
    return v;
}

TEST(bad_file, is_noticed_wherever_a_closed_file_was_cut_off)
{
    file f = recorded(true);
    for (size_t size = 0; size < f.size; size += size < 4200 ? 1 : size + 5000 > f.size ? 3 : 61) {
        verdict v = judge_cut(&f, size);
        if (!is_noticed(&v) || (size && !strstr(v.sentence, "was it cut off?")))
            fail_msg("cut after %zu bytes it says: '%s'", size, v.sentence);
    }
    free(f.bytes);
}

TEST(bad_file, does_no_harm_wherever_an_unclosed_file_was_cut_off)
{
    file f = recorded(false);
    for (size_t size = 0; size < f.size; size += size < 4200 ? 7 : 509) {
        verdict v = judge_cut(&f, size);
        CHECK(size >= OPLI_PAGE_BYTES || is_noticed(&v));
    }
    free(f.bytes);
}

/* ---- not ours ---- */

static void check_refused(const char *path, opl_status status, const char *words)
{
    opli_recording recording;
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_recording_open(&recording, path, &err), status);
    if (strncmp(err.message, path, strlen(path)) != 0 || !strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    opli_recording_close(&recording);
}

static const char *foreign_file(const char *name, const void *bytes, size_t size)
{
    FILE *out = fopen(test_path(name), "w");
    CHECK(out && fwrite(bytes, 1, size, out) == size);
    fclose(out);
    return test_path(name);
}

TEST(bad_file, is_refused_when_it_is_of_another_kind)
{
    static const char *const not_ours = "is not an oplens recording; is it the right file?";
    check_refused(foreign_file("a.txt", "hello\n", 6), OPL_FORMAT, not_ours);
    check_refused(foreign_file("a.gz", "\x1f\x8b\x08\0\0\0\0\0\0\3", 10), OPL_FORMAT, not_ours);
    check_refused(foreign_file("a.json", "{\"traceEvents\": []}", 19), OPL_FORMAT, not_ours);
    check_refused("/proc/self/exe", OPL_FORMAT, not_ours);
    check_refused(foreign_file("almost", "oplens\n\n", 8), OPL_FORMAT, not_ours); /* as a text mode makes of it */
    check_refused(foreign_file("begins", "oplens\r\n", 8), OPL_FORMAT, "inside the header; was it cut off?");
    check_refused(foreign_file("empty", "", 0), OPL_FORMAT, "is empty; nothing was recorded");
}

TEST(bad_file, is_refused_when_it_is_no_file)
{
    CHECK_EQ(mkfifo(test_path("fifo"), 0666), 0);
    check_refused(test_path("fifo"), OPL_IO, "is not a regular file");
    check_refused(test_directory(), OPL_IO, "is a directory");
    check_refused("/dev/zero", OPL_IO, "is not a regular file");
    check_refused(test_path("nowhere.opl"), OPL_IO, "cannot be opened: No such file or directory");
    check_refused(test_path("empty/a.opl"), OPL_IO, "cannot be opened: Not a directory");
}

/* Root may read everything, so somebody else has to try. */
static int try_as_nobody(const char *path)
{
    opli_recording recording;
    opl_error err = {OPL_OK, ""};
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 2;
    return opli_recording_open(&recording, path, &err) == OPL_IO && strstr(err.message, "Permission denied") ? 0 : 1;
}

TEST(bad_file, is_refused_without_permission)
{
    int status = -1;
    CHECK_EQ(chmod(foreign_file("secret.opl", "oplens\r\n", 8), 0), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(try_as_nobody(test_path("secret.opl")));
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 1);
}

/* ---- the cost ---- */

/* Last: all of the above, together. The largest id a site may have takes a table of some 60 MB. */
TEST(bad_file, never_takes_much_memory)
{
    struct rusage usage;
    CHECK_EQ(getrusage(RUSAGE_SELF, &usage), 0);
#ifndef HAS_SHADOW
    CHECK(usage.ru_maxrss < 300 * 1024);
#endif
}
