/* lane.h - numbered spans: a thread records 0, 1, 2, ... in a lane of its own, so that whoever reads
 * the trace can tell a lost span from one that was never there. */
#ifndef OPLI_TESTS_LANE_H
#define OPLI_TESTS_LANE_H

#include <stddef.h>
#include <stdint.h>

#include <oplens/oplens.h>

#define LANES_MAX 8u
#define LANE_TEXT_MAX 4096u

/* The spans of lane 3 are called "lane 3"; their number is "i", their text "t". */
extern opl_site lane_sites[LANES_MAX];
extern opl_site lane_number_key, lane_text_key;

/* The text that goes with a number: mostly one of a few, now and then a long one. */
size_t lane_text(uint64_t number, char text[LANE_TEXT_MAX]);

/* One span. The last two say whether it was accepted: a thread that is interrupted while it changes
 * buffers may refuse it. */
static inline void lane_put_plain(unsigned lane)
{
    opl_span span = opl_span_begin(&lane_sites[lane]);
    opl_span_end(&span);
}

static inline int lane_put(unsigned lane, uint64_t number)
{
    opl_span span = opl_span_begin(&lane_sites[lane]);
    int accepted = span.record != NULL;
    opl_arg_int(&span, &lane_number_key, (int64_t)number);
    opl_span_end(&span);
    return accepted;
}

int lane_put_text(unsigned lane, uint64_t number);

#endif
