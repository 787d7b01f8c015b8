/* categories.c - the words for categories. */
#include <stdbool.h>
#include <string.h>

#include <oplens/record.h>

#include "base/failure.h"

#define WORD(id, word, level) word,
static const char *const words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD
#define ALL ((1u << OPL_CAT_COUNT) - 1)

static uint32_t bits_of(const char *word, size_t length)
{
    if (length == 3 && strncmp(word, "all", 3) == 0)
        return ALL;
    for (unsigned i = 0; i < OPL_CAT_COUNT; i++)
        if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0)
            return OPL_CATEGORY_BIT(i);
    return 0;
}

static opl_status refuse(const char *word, size_t length, opl_error *err)
{
    char list[256] = "all";
    for (unsigned i = 0; i < OPL_CAT_COUNT; i++) {
        strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, words[i], sizeof list - strlen(list) - 1);
    }
    return opli_fail(err, OPL_INVALID, "'%.*s' is not a category; there are %s", (int)length, word, list);
}

opl_status opl_categories_parse(const char *text, uint32_t *categories, opl_error *err)
{
    uint32_t result = *text == '-' ? ALL : 0;
    for (const char *word = text; *word;) {
        bool minus = *word == '-';
        word += minus;
        size_t length = strcspn(word, ", ");
        uint32_t bits = bits_of(word, length);
        if (length && !bits)
            return refuse(word, length, err);
        result = minus ? result & ~bits : result | bits;
        word += length;
        word += strspn(word, ", ");
    }
    if (!result)
        return opli_fail(err, OPL_INVALID, "'%s' leaves no category to record", text);
    *categories = result;
    return OPL_OK;
}
