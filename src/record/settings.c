/* settings.c - what the environment asks for. */
#define _GNU_SOURCE
#include "record/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/failure.h"

#define DEFAULT_RING_BYTES (64u << 20)

bool opli_settings_is_on(const char *value)
{
    static const char *const off[] = {"", "0", "off", "no", "false"};
    for (size_t i = 0; value && i < sizeof off / sizeof *off; i++)
        if (strcasecmp(value, off[i]) == 0)
            return false;
    return value != NULL;
}

opl_status opli_settings_bytes(const char *variable, const char *text, uint64_t *bytes, opl_error *err)
{
    static const char units[] = "KMGT";
    char *end;
    double number = strtod(text, &end);
    char letter = (char)(*end & ~0x20);
    const char *unit = end != text && letter ? strchr(units, letter) : NULL;
    if (unit) {
        for (const char *u = units; u <= unit; u++)
            number *= 1024;
        end++;
        if ((*end & ~0x20) == 'B')
            end++;
    }
    if (end == text || *end || !(number >= 0 && number < 9e18))
        return opli_fail(err, OPL_INVALID, "%s=%s is not a size; write it like 65536, 64M or 1.5G", variable, text);
    *bytes = (uint64_t)number;
    return OPL_OK;
}

static opl_status read_level(int *level, opl_error *err)
{
    const char *text = secure_getenv("OPLENS_LEVEL");
    if (!text || !*text)
        return OPL_OK;
    if (strcmp(text, "1") != 0 && strcmp(text, "2") != 0)
        return opli_fail(err, OPL_INVALID, "OPLENS_LEVEL=%s is not a level; it is 1 or 2", text);
    *level = *text - '0';
    return OPL_OK;
}

static opl_status read_size(const char *variable, uint64_t default_bytes, uint64_t *bytes, opl_error *err)
{
    const char *text = secure_getenv(variable);
    if (!text || !opli_settings_is_on(text))
        return OPL_OK;
    if (default_bytes && (strcasecmp(text, "on") == 0 || strcmp(text, "1") == 0)) {
        *bytes = default_bytes;
        return OPL_OK;
    }
    return opli_settings_bytes(variable, text, bytes, err);
}

static opl_status read_categories(uint32_t *categories, opl_error *err)
{
    const char *text = secure_getenv("OPLENS_CATEGORIES");
    return text && *text ? opl_categories_parse(text, categories, err) : OPL_OK;
}

opl_status opli_settings_read(opl_recorder_options *options, opl_error *err)
{
    options->path = secure_getenv("OPLENS_OUTPUT");
    opl_status st = read_level(&options->level, err);
    if (st == OPL_OK)
        st = read_categories(&options->categories, err);
    if (st == OPL_OK)
        st = read_size("OPLENS_LIMIT", 0, &options->limit_bytes, err);
    if (st == OPL_OK)
        st = read_size("OPLENS_RING", DEFAULT_RING_BYTES, &options->ring_bytes, err);
    return st;
}
