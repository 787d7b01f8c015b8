/* json_check.c - whether a text is JSON, as RFC 8259 has it. */
#include "base/json_check.h"

#include <string.h>

#include "base/utf8.h"

#define DEPTH_MAX 128

typedef struct check {
    const char *at, *end;
    unsigned depth;
} check;

static bool value(check *c);

static void skip_space(check *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

static bool take(check *c, char wanted)
{
    bool there = c->at < c->end && *c->at == wanted;
    c->at += there;
    return there;
}

static bool word(check *c, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0)
        return false;
    c->at += length;
    return true;
}

static size_t digits(check *c)
{
    const char *first = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
        c->at++;
    return (size_t)(c->at - first);
}

static bool number(check *c)
{
    take(c, '-');
    bool zero = c->at < c->end && *c->at == '0';
    size_t whole = digits(c);
    if (!whole || (zero && whole > 1))
        return false;
    if (take(c, '.') && !digits(c))
        return false;
    if (!take(c, 'e') && !take(c, 'E'))
        return true;
    if (!take(c, '+'))
        take(c, '-');
    return digits(c) > 0;
}

static bool escape(check *c)
{
    if (c->at == c->end)
        return false;
    char kind = *c->at++;
    if (kind != 'u')
        return kind && strchr("\"\\/bfnrt", kind);
    for (int i = 0; i < 4; i++, c->at++)
        if (c->at == c->end || !*c->at || !strchr("0123456789abcdefABCDEF", *c->at))
            return false;
    return true;
}

static bool string(check *c)
{
    if (!take(c, '"'))
        return false;
    while (c->at < c->end && *c->at != '"') {
        size_t step = opli_utf8_length(c->at, (size_t)(c->end - c->at));
        if (!step || (unsigned char)*c->at < 0x20)
            return false;
        bool escapes = *c->at == '\\';
        c->at += step;
        if (escapes && !escape(c))
            return false;
    }
    return take(c, '"');
}

static bool member(check *c)
{
    skip_space(c);
    if (!string(c))
        return false;
    skip_space(c);
    return take(c, ':') && value(c);
}

/* What stands between brackets or braces. */
static bool list(check *c, char closing, bool (*item)(check *))
{
    c->at++;
    skip_space(c);
    if (take(c, closing))
        return true;
    if (c->depth == DEPTH_MAX)
        return false;
    c->depth++;
    do {
        if (!item(c))
            return false;
        skip_space(c);
    } while (take(c, ','));
    c->depth--;
    return take(c, closing);
}

static bool value(check *c)
{
    skip_space(c);
    if (c->at == c->end)
        return false;
    switch (*c->at) {
    case '{': return list(c, '}', member);
    case '[': return list(c, ']', value);
    case '"': return string(c);
    case 't': return word(c, "true");
    case 'f': return word(c, "false");
    case 'n': return word(c, "null");
    default: return number(c);
    }
}

bool opli_json_is_valid(const char *text, size_t length)
{
    check c = {text, text + length, 0};
    if (!value(&c))
        return false;
    skip_space(&c);
    return c.at == c.end;
}
