/* harvest.c - what a trace holds, counted and compared with what was put in. */
#include "harvest.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

enum role { ROLE_OTHER = LANES_MAX, ROLE_NUMBER, ROLE_TEXT };

/* ---- names ---- */

static bool is_named(const opli_site_row *site, const char *name)
{
    return site->id && site->name.length == strlen(name) && memcmp(site->name.bytes, name, site->name.length) == 0;
}

static uint8_t role_of(const opli_site_row *site)
{
    for (unsigned lane = 0; lane < LANES_MAX; lane++)
        if (is_named(site, lane_sites[lane].name))
            return (uint8_t)lane;
    if (site->category == OPL_SITE_KEY && is_named(site, lane_number_key.name))
        return ROLE_NUMBER;
    return site->category == OPL_SITE_KEY && is_named(site, lane_text_key.name) ? ROLE_TEXT : ROLE_OTHER;
}

static void learn_names(harvest *h)
{
    size_t count = h->recording.sites.count + 1;
    h->ended_by_site = calloc(count, sizeof *h->ended_by_site);
    h->open_by_site = calloc(count, sizeof *h->open_by_site);
    h->role_by_site = calloc(count, 1);
    h->spans_by_thread = calloc(h->recording.threads.count + 1, sizeof *h->spans_by_thread);
    CHECK(h->ended_by_site && h->open_by_site && h->role_by_site && h->spans_by_thread);
    for (size_t i = 0; i < h->recording.sites.count; i++)
        h->role_by_site[i] = role_of(&h->recording.sites.items[i]);
}

static uint64_t sum_named(const harvest *h, const uint64_t *by_site, const char *name)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < h->recording.sites.count; i++)
        if (by_site[i] && is_named(&h->recording.sites.items[i], name))
            sum += by_site[i];
    return sum;
}

uint64_t harvest_ended(const harvest *h, const char *name) { return sum_named(h, h->ended_by_site, name); }

uint64_t harvest_open_spans(const harvest *h, const char *name) { return sum_named(h, h->open_by_site, name); }

/* ---- lanes ---- */

static void mark(harvest_lane *lane, uint64_t number, bool open)
{
    CHECK(number < UINT64_C(1) << 32);
    while (lane->seen.count <= number) {
        uint8_t *seen = opli_vector_add(&lane->seen), *ended = opli_vector_add(&lane->ended);
        CHECK(seen && ended);
    }
    if (lane->seen.items[number] < UINT8_MAX)
        lane->seen.items[number]++;
    lane->ended.items[number] = !open;
}

static void add_number(harvest_lane *lane, uint64_t number, bool open)
{
    if (!lane->numbered)
        lane->first = number;
    else if (number != lane->next)
        lane->jumps++;
    if (lane->unnumbered)
        lane->strays++;
    lane->numbered++;
    lane->next = number + 1;
    mark(lane, number, open);
}

static bool is_right_text(const opli_argument *argument, uint64_t number)
{
    char text[LANE_TEXT_MAX];
    size_t length = lane_text(number, text);
    return argument->size == length && memcmp(argument->bytes, text, length) == 0;
}

static const opli_argument *find_argument(const harvest *h, const opli_event *event, enum role role)
{
    for (uint32_t i = 0; i < event->argument_count; i++)
        if (event->arguments[i].key < h->recording.sites.count && h->role_by_site[event->arguments[i].key] == role)
            return &event->arguments[i];
    return NULL;
}

static void add_to_lane(harvest *h, harvest_lane *lane, const opli_event *event)
{
    const opli_argument *number = find_argument(h, event, ROLE_NUMBER), *text = find_argument(h, event, ROLE_TEXT);
    lane->spans++;
    lane->open += event->open;
    if (number)
        add_number(lane, number->value, event->open);
    else
        lane->unnumbered++;
    lane->texts += text != NULL;
    if (text && !(number && is_right_text(text, number->value)))
        lane->wrong_texts++;
}

/* ---- reading ---- */

static void count_names(harvest *h, const opli_event *event)
{
    h->arguments += event->argument_count;
    for (uint32_t i = 0; i < event->argument_count; i++)
        h->unnamed += !opli_recording_site(&h->recording, event->arguments[i].key);
    if (event->kind != OPLI_EVENT_SPAN)
        return;
    h->unnamed += !opli_recording_site(&h->recording, event->site);
    h->spans++;
    h->open += event->open;
    const opli_thread_row *thread = opli_recording_thread(&h->recording, event->thread);
    if (thread)
        h->spans_by_thread[thread - h->recording.threads.items]++;
}

static bool visit(void *context, const opli_event *event)
{
    harvest *h = context;
    count_names(h, event);
    if (event->kind != OPLI_EVENT_SPAN || event->site >= h->recording.sites.count)
        return true;
    (event->open ? h->open_by_site : h->ended_by_site)[event->site]++;
    if (h->role_by_site[event->site] < LANES_MAX)
        add_to_lane(h, &h->lanes[h->role_by_site[event->site]], event);
    return true;
}

static void count_drops(harvest *h)
{
    for (unsigned reason = 0; reason < OPLI_DROP_COUNT; reason++) {
        h->dropped[reason] = h->recording.header.dropped[reason];
        for (size_t i = 0; i < h->recording.threads.count; i++)
            h->dropped[reason] += h->recording.threads.items[i].dropped[reason];
        h->dropped_total += h->dropped[reason];
    }
}

void harvest_open(harvest *h, const char *path)
{
    opl_error err = {OPL_OK, ""};
    memset(h, 0, sizeof *h);
    if (opli_recording_open(&h->recording, path, &err) != OPL_OK)
        fail_msg("%s", err.message);
    learn_names(h);
    CHECK_EQ(opli_events_visit(&h->recording, visit, h), OPL_OK);
    count_drops(h);
}

void harvest_close(harvest *h)
{
    for (unsigned lane = 0; lane < LANES_MAX; lane++) {
        opli_vector_free(&h->lanes[lane].seen);
        opli_vector_free(&h->lanes[lane].ended);
    }
    free(h->ended_by_site);
    free(h->open_by_site);
    free(h->role_by_site);
    free(h->spans_by_thread);
    opli_recording_close(&h->recording);
    memset(h, 0, sizeof *h);
}

/* ---- checking ---- */

void harvest_check_lane(const harvest *h, unsigned lane, uint64_t count, uint64_t more)
{
    const harvest_lane *l = &h->lanes[lane];
    bool whole = l->jumps == 0 && l->strays == 0 && l->wrong_texts == 0 && (l->first == 0 || !l->numbered);
    if (!whole || l->next < count || l->next + l->unnumbered > count + more)
        fail_msg("lane %u should hold %llu (+ %llu): it has %llu numbers from %llu to %llu with %llu jumps, "
                 "%llu without a number and %llu numbers behind those, %llu wrong texts",
                 lane, (unsigned long long)count, (unsigned long long)more, (unsigned long long)l->numbered,
                 (unsigned long long)l->first, (unsigned long long)l->next, (unsigned long long)l->jumps,
                 (unsigned long long)l->unnumbered, (unsigned long long)l->strays, (unsigned long long)l->wrong_texts);
    for (uint64_t i = 0; i < count; i++)
        if (!l->ended.items[i])
            fail_msg("span %llu of lane %u has not ended", (unsigned long long)i, lane);
}

void harvest_check_sound(const harvest *h)
{
    if (h->recording.damage_count)
        fail_msg("damaged: %s", h->recording.damage);
    CHECK_EQ(h->unnamed, 0);
}

void harvest_check_whole(const harvest *h)
{
    harvest_check_sound(h);
    CHECK_TEXT(h->recording.cut, "");
    CHECK_EQ(h->dropped_total, 0);
}

void harvest_check_threads(const harvest *h, uint64_t issued)
{
    for (size_t i = 0; i < h->recording.threads.count; i++) {
        const opli_thread_row *thread = &h->recording.threads.items[i];
        uint64_t sum = h->spans_by_thread[i];
        for (unsigned reason = 0; reason < OPLI_DROP_COUNT; reason++)
            sum += thread->dropped[reason];
        if (sum && sum != issued)
            fail_msg("thread %u issued %llu spans; %llu are in the file and %llu dropped", thread->ordinal,
                     (unsigned long long)issued, (unsigned long long)h->spans_by_thread[i],
                     (unsigned long long)(sum - h->spans_by_thread[i]));
    }
}

void harvest_check_file(const char *path, unsigned lanes, uint64_t count)
{
    harvest h;
    harvest_open(&h, path);
    harvest_check_whole(&h);
    for (unsigned lane = 0; lane < lanes; lane++)
        harvest_check_lane(&h, lane, count, 0);
    harvest_close(&h);
}
