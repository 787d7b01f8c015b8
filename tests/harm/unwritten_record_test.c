/* unwritten_record_test.c - space that was reserved and never written reads as nothing.
 *
 * Between the reservation of a record and its first word lie a few instructions, and death finds a
 * thread there often enough. What the memory held before must not be taken for a record. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "record/stream.h"
#include "test.h"

#define UNWRITTEN 1500

typedef struct scene {
    const char *path;
    void (*prepare)(uint64_t *next);
    bool die;
    uint64_t *count; /* shared: how many spans were recorded */
} scene;

static uint64_t chunk_number(uint64_t chunk) { return chunk & ((UINT64_C(1) << OPLI_CHUNK_NUMBER_BITS) - 1); }

static uint64_t chunk_now(void)
{
    opl_span span = OPL_SPAN_BEGIN("where", OPL_CAT_OP);
    uint64_t chunk = span.chunk;
    opl_span_end(&span);
    return chunk;
}

/* Until the first slot is used again: there are two as long as the limit is small. */
static void fill_with_texts(uint64_t *next)
{
    while (chunk_number(chunk_now()) < 3)
        lane_put_text(0, (*next)++);
}

static void fill_with_numbers(uint64_t *next)
{
    while (chunk_number(chunk_now()) < 3)
        lane_put(0, (*next)++);
}

static void fill_with_other_events(uint64_t *next)
{
    static opl_site counter = OPL_SITE_INIT("counter", OPL_CAT_COUNTER, 1);
    while (chunk_number(chunk_now()) < 3) {
        lane_put(0, (*next)++);
        opl_counter_int(&counter, 1, INT64_MAX);
        opl_memory_alloc(&(opl_memory){.address = UINT64_MAX, .size_bytes = 1, .used_bytes = 1, .allocated_bytes = 1});
    }
}

static void *record_a_thousand(void *next)
{
    for (int i = 0; i < 1000; i++)
        lane_put_text(0, (*(uint64_t *)next)++);
    return NULL;
}

static void fill_by_another_thread(uint64_t *next)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, record_a_thousand, next) == 0);
    pthread_join(thread, NULL);
    lane_put(0, (*next)++);
}

static void reserve_and_write_nothing(void *context)
{
    scene *s = context;
    uint64_t next = 0, chunk;
    MUST(opl_recorder_start(&(opl_recorder_options){.path = s->path, .limit_bytes = 4 << 20, .no_writer_thread = 1},
                            NULL) == OPL_OK);
    s->prepare(&next);
    for (int i = 0; i < UNWRITTEN; i++)
        MUST(opli_stream_take(1, &chunk) != NULL);
    *s->count = next;
    if (s->die)
        raise(SIGKILL);
}

static void check_scene(void (*prepare)(uint64_t *next), bool die)
{
    harvest h;
    scene s = {test_path("unwritten.opl"), prepare, die, child_shared(sizeof *s.count)};
    int status = child_wait(child_start(reserve_and_write_nothing, &s));
    CHECK_EQ(status, die ? SIGKILL : 0);
    harvest_open(&h, s.path);
    harvest_check_sound(&h);
    harvest_check_lane(&h, 0, *s.count, 0);
    CHECK_EQ(h.spans, *s.count + harvest_ended(&h, "where"));
    CHECK_EQ(h.arguments, *s.count + h.lanes[0].texts);
    harvest_close(&h);
    unlink(s.path);
}

TEST(unwritten, records_are_not_read_where_numbers_were) { check_scene(fill_with_numbers, true); }

TEST(unwritten, records_are_not_read_where_texts_were) { check_scene(fill_with_texts, true); }

TEST(unwritten, records_are_not_read_where_counters_and_memory_were) { check_scene(fill_with_other_events, true); }

TEST(unwritten, records_are_not_read_where_another_thread_recorded) { check_scene(fill_by_another_thread, true); }

TEST(unwritten, records_are_not_packed_where_numbers_were) { check_scene(fill_with_numbers, false); }

TEST(unwritten, records_are_not_packed_where_texts_were) { check_scene(fill_with_texts, false); }

TEST(unwritten, records_are_not_packed_where_counters_and_memory_were) { check_scene(fill_with_other_events, false); }

TEST(unwritten, records_are_not_packed_where_another_thread_recorded) { check_scene(fill_by_another_thread, false); }
