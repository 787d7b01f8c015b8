/* replay_test.c - a fuzz target's seeds, and what fuzzing found before, in any build. */
#include <dirent.h>

#include "fuzz.h"
#include "test.h"

static void run_seed(void *count, const char *name, const uint8_t *bytes, size_t size)
{
    CHECK(strlen(name) > 0);
    LLVMFuzzerTestOneInput(bytes, size);
    ++*(int *)count;
}

TEST(replay, of_the_seeds_does_no_harm)
{
    int count = 0;
    fuzz_seeds(run_seed, &count);
    CHECK(count > 0);
}

/* Each seed with a word changed here and there; not much of a fuzzer, and there in every build. */
static void run_changed(void *seed, const char *name, const uint8_t *bytes, size_t size)
{
    uint8_t *changed = malloc(size ? size : 1);
    (void)name;
    for (int round = 0; size && round < 300; round++) {
        memcpy(changed, bytes, size);
        for (int i = 0; i < 4; i++)
            changed[(size_t)rand_r(seed) % (i % 2 && size > 9000 ? 9000 : size)] = (uint8_t)rand_r(seed);
        LLVMFuzzerTestOneInput(changed, size - (size_t)rand_r(seed) % (round % 4 ? 1 : size));
    }
    free(changed);
}

TEST(replay, of_seeds_that_were_changed_does_no_harm)
{
    unsigned seed = 1;
    fuzz_seeds(run_changed, &seed);
}

static void run_file(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *in = fopen(path, "rb");
    CHECK(in);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    LLVMFuzzerTestOneInput(bytes, size);
}

/* A find is kept in corpus/TARGET-WORDS, and no longer does what it did. */
TEST(replay, of_what_was_found_before_does_no_harm)
{
    const char *target = FUZZ_TARGET;
    char path[1024];
    DIR *corpus = opendir(FUZZ_CORPUS);
    CHECK(corpus);
    for (struct dirent *entry; (entry = readdir(corpus));) {
        if (strncmp(entry->d_name, target, strlen(target)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", FUZZ_CORPUS, entry->d_name);
        run_file(path);
    }
    closedir(corpus);
}
