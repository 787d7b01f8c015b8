/* settings_test.c - what the environment asks for. */
#include "record/settings.h"

#include "test.h"

TEST(settings, take_words_for_off_and_everything_else_for_on)
{
    static const char *const off[] = {"", "0", "off", "OFF", "Off", "no", "No", "false", "FALSE"};
    static const char *const on[] = {"1", "on", "yes", "true", "run.opl", "00", "offline", "nothing", " "};
    CHECK(!opli_settings_is_on(NULL));
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        CHECK(!opli_settings_is_on(off[i]));
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        CHECK(opli_settings_is_on(on[i]));
}

TEST(settings, read_sizes_with_and_without_units)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"0", 0},
                 {"65536", 65536},
                 {"64k", 64 << 10},
                 {"64K", 64 << 10},
                 {"64kb", 64 << 10},
                 {"64M", 64 << 20},
                 {"64mB", 64 << 20},
                 {"1.5G", UINT64_C(3) << 29},
                 {"2g", UINT64_C(2) << 30},
                 {"1T", UINT64_C(1) << 40},
                 {"0.5K", 512},
                 {"1e6", 1000000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t bytes = 99;
        CHECK_EQ(opli_settings_bytes("OPLENS_LIMIT", sizes[i].text, &bytes, NULL), OPL_OK);
        CHECK_EQ(bytes, sizes[i].bytes);
    }
}

TEST(settings, refuse_wrong_sizes_with_the_variable_the_value_and_what_is_right)
{
    static const char *const wrong[] = {"",    "M",   "lots", "-1",    "64X",   "64MM", "64 M", "64 ", "64M ",
                                        "nan", "inf", "1e30", "9999P", "12.M.", "0x",   "64\t", "--5", "64@"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t bytes = 99;
        opl_error err = {OPL_OK, ""};
        if (opli_settings_bytes("OPLENS_LIMIT", wrong[i], &bytes, &err) != OPL_INVALID)
            fail_msg("'%s' was taken for %llu bytes", wrong[i], (unsigned long long)bytes);
        CHECK_EQ(bytes, 99);
        CHECK(strstr(err.message, "OPLENS_LIMIT=") && strstr(err.message, wrong[i]) && strstr(err.message, "64M"));
    }
}

/* ---- the environment as a whole ---- */

static const char *const variables[] = {"OPLENS_OUTPUT", "OPLENS_LEVEL", "OPLENS_CATEGORIES", "OPLENS_LIMIT",
                                        "OPLENS_RING"};

static opl_status read_with(const char *output, const char *level, const char *categories, const char *limit,
                            const char *ring, opl_recorder_options *options, opl_error *err)
{
    const char *const values[] = {output, level, categories, limit, ring};
    for (size_t i = 0; i < 5; i++) {
        if (values[i])
            setenv(variables[i], values[i], 1);
        else
            unsetenv(variables[i]);
    }
    *options = (opl_recorder_options){0};
    opl_status st = opli_settings_read(options, err);
    for (size_t i = 1; i < 5; i++)
        unsetenv(variables[i]);
    return st;
}

TEST(settings, read_every_variable)
{
    opl_recorder_options options;
    CHECK_EQ(read_with("run.opl", "2", "op,kernel", "1G", "2M", &options, NULL), OPL_OK);
    CHECK_TEXT(options.path, "run.opl");
    CHECK_EQ(options.level, 2);
    CHECK_EQ(options.categories, OPL_CATEGORY_BIT(OPL_CAT_OP) | OPL_CATEGORY_BIT(OPL_CAT_KERNEL));
    CHECK_EQ(options.limit_bytes, 1 << 30);
    CHECK_EQ(options.ring_bytes, 2 << 20);
}

TEST(settings, leave_alone_what_is_unset_empty_or_off)
{
    opl_recorder_options options;
    CHECK_EQ(read_with("run.opl", NULL, NULL, NULL, NULL, &options, NULL), OPL_OK);
    CHECK(!options.level && !options.categories && !options.limit_bytes && !options.ring_bytes);
    CHECK_EQ(read_with("run.opl", "", "", "", "", &options, NULL), OPL_OK);
    CHECK(!options.level && !options.categories && !options.limit_bytes && !options.ring_bytes);
    CHECK_EQ(read_with("run.opl", "1", "all", "off", "no", &options, NULL), OPL_OK);
    CHECK(options.level == 1 && options.categories == 0xffff && !options.limit_bytes && !options.ring_bytes);
}

TEST(settings, have_a_default_size_for_a_ring_that_is_just_on)
{
    opl_recorder_options options;
    CHECK_EQ(read_with("run.opl", NULL, NULL, NULL, "on", &options, NULL), OPL_OK);
    CHECK_EQ(options.ring_bytes, 64 << 20);
    CHECK_EQ(read_with("run.opl", NULL, NULL, NULL, "1", &options, NULL), OPL_OK);
    CHECK_EQ(options.ring_bytes, 64 << 20);
}

TEST(settings, refuse_wrong_values_with_a_sentence_that_names_them)
{
    opl_recorder_options options;
    opl_error err;
    CHECK_EQ(read_with("run.opl", "3", NULL, NULL, NULL, &options, &err), OPL_INVALID);
    CHECK_TEXT(err.message, "OPLENS_LEVEL=3 is not a level; it is 1 or 2");
    CHECK_EQ(read_with("run.opl", "1x", NULL, NULL, NULL, &options, &err), OPL_INVALID);
    CHECK_EQ(read_with("run.opl", NULL, "ops", NULL, NULL, &options, &err), OPL_INVALID);
    CHECK(strstr(err.message, "'ops'") && strstr(err.message, "kernel"));
    CHECK_EQ(read_with("run.opl", NULL, NULL, "much", NULL, &options, &err), OPL_INVALID);
    CHECK(strstr(err.message, "OPLENS_LIMIT=much"));
    CHECK_EQ(read_with("run.opl", NULL, NULL, NULL, "-3", &options, &err), OPL_INVALID);
    CHECK(strstr(err.message, "OPLENS_RING=-3"));
}
