/* gzip_cases.h - the tests of a FILE that packs, for both ways it is built. */
#include "import/source.h"
#include "test.h"

static void pack_into(const char *path, const char *bytes, size_t length, size_t step)
{
    FILE *file = opli_gzip_file_open(fopen(path, "wb"));
    CHECK(file != NULL);
    for (size_t at = 0; at < length; at += step)
        fwrite(bytes + at, 1, length - at < step ? length - at : step, file);
    CHECK_EQ(fclose(file), 0);
}

static void check_survives(const char *bytes, size_t length, size_t step)
{
    opli_source source;
    opl_error err = {OPL_OK, ""};
    const char *path = test_path("packed.gz");
    pack_into(path, bytes, length, step);
    opl_status st = opli_source_open(&source, path, &err);
    if (st == OPL_UNSUPPORTED)
        SKIP("this build cannot unpack gzip");
    CHECK_EQ(st, OPL_OK);
    CHECK_EQ(source.size, length);
    CHECK(memcmp(source.bytes, bytes, length) == 0);
    opli_source_close(&source);
}

#define LARGE (1u << 20)

static char *noise(void)
{
    char *bytes = malloc(LARGE);
    uint32_t random = 1;
    for (size_t i = 0; i < LARGE; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (char)(random >> 24);
    }
    return bytes;
}

TEST(gzip_file, gives_back_small_things) { check_survives("hello", 5, 1); }

TEST(gzip_file, gives_back_a_megabyte_of_noise_written_in_any_steps)
{
    char *bytes = noise();
    check_survives(bytes, LARGE, LARGE);
    check_survives(bytes, LARGE, 65536);
    check_survives(bytes, LARGE, 1000);
    free(bytes);
}

TEST(gzip_file, gives_back_a_megabyte_of_the_same)
{
    char *bytes = calloc(1, LARGE);
    check_survives(bytes, LARGE, 12345);
    free(bytes);
}

static size_t read_whole(const char *path, char *to, size_t most)
{
    FILE *file = fopen(path, "rb");
    size_t length = fread(to, 1, most, file);
    fclose(file);
    return length;
}

TEST(gzip_file, writes_the_same_bytes_twice)
{
    char first[200], second[200];
    pack_into(test_path("first.gz"), "the same", 8, 8);
    pack_into(test_path("second.gz"), "the same", 8, 8);
    size_t length = read_whole(test_path("first.gz"), first, sizeof first);
    CHECK_EQ(read_whole(test_path("second.gz"), second, sizeof second), length);
    CHECK(memcmp(first, second, length) == 0);
}

TEST(gzip_file, says_on_closing_that_the_disk_was_full)
{
    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        SKIP("there is no /dev/full");
    FILE *file = opli_gzip_file_open(full);
    fputs("lost", file);
    CHECK(fclose(file) != 0);
}
