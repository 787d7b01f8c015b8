/* lane.c - numbered spans. */
#include "lane.h"

#include <stdio.h>
#include <string.h>

#define LANE(number) OPL_SITE_INIT("lane " #number, OPL_CAT_OP, 1)
opl_site lane_sites[LANES_MAX] = {LANE(0), LANE(1), LANE(2), LANE(3), LANE(4), LANE(5), LANE(6), LANE(7)};
opl_site lane_number_key = OPL_SITE_INIT("i", OPL_SITE_KEY, 1);
opl_site lane_text_key = OPL_SITE_INIT("t", OPL_SITE_KEY, 1);

size_t lane_text(uint64_t number, char text[LANE_TEXT_MAX])
{
    if (number % 64 == 63) {
        size_t length = 100 + number % 3000;
        memset(text, 'a' + (int)(number % 26), length);
        return length;
    }
    return (size_t)snprintf(text, LANE_TEXT_MAX, "one of five texts: %u", (unsigned)(number % 5));
}

int lane_put_text(unsigned lane, uint64_t number)
{
    char text[LANE_TEXT_MAX];
    size_t length = lane_text(number, text);
    opl_span span = opl_span_begin(&lane_sites[lane]);
    int accepted = span.record != NULL;
    opl_arg_int(&span, &lane_number_key, (int64_t)number);
    opl_arg_text_n(&span, &lane_text_key, text, length);
    opl_span_end(&span);
    return accepted;
}
