/* categories_test.c - reading words into categories. */
#include <oplens/record.h>

#include "test.h"

#define ALL ((1u << OPL_CAT_COUNT) - 1)
#define BIT(id) OPL_CATEGORY_BIT(OPL_CAT_##id)

TEST(categories, know_every_word){
#define CHECK_WORD(id, word, level)                                \
    {                                                              \
        uint32_t bits = 0;                                         \
        CHECK_EQ(opl_categories_parse(word, &bits, NULL), OPL_OK); \
        CHECK_EQ(bits, BIT(id));                                   \
    }
    OPL_CATEGORY_LIST(CHECK_WORD)
#undef CHECK_WORD
}

TEST(categories, add_up_and_take_away_in_the_order_they_are_written)
{
    static const struct {
        const char *text;
        uint32_t bits;
    } cases[] = {{"all", ALL},
                 {"op,kernel", BIT(OP) | BIT(KERNEL)},
                 {"op kernel", BIT(OP) | BIT(KERNEL)},
                 {" op,, kernel ,", BIT(OP) | BIT(KERNEL)},
                 {"op,op", BIT(OP)},
                 {"all,-memory", ALL & ~BIT(MEMORY)},
                 {"all,-memory,-counter", ALL & ~BIT(MEMORY) & ~BIT(COUNTER)},
                 {"-memory", ALL & ~BIT(MEMORY)},
                 {"-memory,memory", ALL},
                 {"op,-op,vm", BIT(VM)},
                 {"-all,vm", BIT(VM)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t bits = 0;
        CHECK_EQ(opl_categories_parse(cases[i].text, &bits, NULL), OPL_OK);
        CHECK_EQ(bits, cases[i].bits);
    }
}

TEST(categories, refuse_unknown_words_and_list_the_right_ones)
{
    static const char *const wrong[] = {"ops", "o", "OP", "op;kernel", "op,kernels", "--op", "al", "alll"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t bits = 77;
        opl_error err = {OPL_OK, ""};
        CHECK_EQ(opl_categories_parse(wrong[i], &bits, &err), OPL_INVALID);
        CHECK_EQ(err.status, OPL_INVALID);
        CHECK_EQ(bits, 77);
#define CHECK_LISTED(id, word, level) CHECK(strstr(err.message, word));
        OPL_CATEGORY_LIST(CHECK_LISTED)
#undef CHECK_LISTED
    }
}

TEST(categories, refuse_to_leave_nothing)
{
    static const char *const nothing[] = {"", ",", "op,-op", "-all", "all,-all"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        opl_error err = {OPL_OK, ""};
        uint32_t bits = 77;
        CHECK_EQ(opl_categories_parse(nothing[i], &bits, &err), OPL_INVALID);
        CHECK(strstr(err.message, "no category"));
        CHECK_EQ(bits, 77);
    }
}
