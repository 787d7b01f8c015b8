/* harvest.h - what a trace holds, counted and compared with what was put in.
 * Lifetime: harvest_open() fails the test when the file cannot be read; close what was opened. */
#ifndef OPLI_TESTS_HARVEST_H
#define OPLI_TESTS_HARVEST_H

#include <stdbool.h>
#include <stdint.h>

#include "import/events.h"
#include "lane.h"

/* The spans of one lane. `seen` says how often each number was found. */
typedef struct harvest_lane {
    uint64_t spans;
    uint64_t open;
    uint64_t numbered;
    uint64_t first, next; /* of the numbers in the order of the file: the first, and the last + 1 */
    uint64_t jumps;       /* numbers that do not follow the one before */
    uint64_t strays;      /* numbers behind a span that has none */
    uint64_t texts, wrong_texts;
    uint64_t unnumbered;
    OPLI_VECTOR(uint8_t) seen;
    OPLI_VECTOR(uint8_t) ended; /* 1 for a number whose span has ended */
} harvest_lane;

typedef struct harvest {
    opli_recording recording;
    harvest_lane lanes[LANES_MAX];
    uint64_t spans, open, arguments;
    uint64_t unnamed; /* spans and arguments whose name is not in the file */
    uint64_t dropped[OPLI_DROP_COUNT];
    uint64_t dropped_total;
    uint64_t *ended_by_site, *open_by_site;
    uint64_t *spans_by_thread; /* as recording.threads */
    uint8_t *role_by_site;
} harvest;

void harvest_open(harvest *h, const char *path);
void harvest_close(harvest *h);

/* How many spans of that name have ended, and how many have not. */
uint64_t harvest_ended(const harvest *h, const char *name);
uint64_t harvest_open_spans(const harvest *h, const char *name);

/* The lane holds 0, 1, 2, ... up to `count`, each once, in order, ended; and at most `more` after. */
void harvest_check_lane(const harvest *h, unsigned lane, uint64_t count, uint64_t more);

/* Nothing is damaged, every name is known. */
void harvest_check_sound(const harvest *h);

/* Sound, closed by its process, and without a drop. */
void harvest_check_whole(const harvest *h);

/* Of each thread that issued spans, those in the file and those counted as dropped add up to `issued`. */
void harvest_check_threads(const harvest *h, uint64_t issued);

/* Opens, checks that it is whole and that lanes 0 to `lanes` - 1 hold `count` each; closes. */
void harvest_check_file(const char *path, unsigned lanes, uint64_t count);

#endif
