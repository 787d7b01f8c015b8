/* site_table_test.c - every name once, whoever asks first. */
#include "record/site_table.h"

#include <pthread.h>

#include "playback.h"
#include "test.h"

#define THREADS 8
#define NAMES 3000

TEST(site_table, gives_one_id_to_the_same_content_wherever_it_lies)
{
    char copy[] = "conv1";
    opl_site first = {0, OPL_CAT_OP, 1, 7, "conv1", "model.c"}, second = {0, OPL_CAT_OP, 1, 7, copy, "model.c"};
    CHECK(opli_site_id(&first) >= 2); /* 1 stands for too many names */
    CHECK_EQ(opli_site_id(&first), opli_site_id(&second));
    CHECK_EQ(first.id, second.id);
    CHECK(opl_site_find("found", OPL_CAT_OP, 1) == opl_site_find("found", OPL_CAT_OP, 1));
    CHECK(opl_key_find("found") == opl_key_find("found"));
}

TEST(site_table, gives_another_id_when_anything_differs)
{
    const opl_site sites[] = {{0, OPL_CAT_OP, 1, 7, "relu", "model.c"},   {0, OPL_CAT_KERNEL, 1, 7, "relu", "model.c"},
                              {0, OPL_CAT_OP, 2, 7, "relu", "model.c"},   {0, OPL_CAT_OP, 1, 8, "relu", "model.c"},
                              {0, OPL_CAT_OP, 1, 7, "relu6", "model.c"},  {0, OPL_CAT_OP, 1, 7, "relu", "models.c"},
                              {0, OPL_CAT_OP, 1, 7, "relu", NULL},        {0, OPL_CAT_OP, 1, 7, "relumodel.c", NULL},
                              {0, OPL_SITE_KEY, 1, 7, "relu", "model.c"}, {0, OPL_CAT_OP, 1, 7, "", "model.c"}};
    uint32_t ids[sizeof sites / sizeof *sites];
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        opl_site site = sites[i];
        ids[i] = opli_site_id(&site);
        for (size_t other = 0; other < i; other++)
            CHECK(ids[i] != ids[other]);
    }
}

TEST(site_table, copies_names_and_takes_level_0_for_1)
{
    char name[] = "short-lived";
    opl_site *site = opl_site_find(name, OPL_CAT_API, 0);
    memset(name, 'x', sizeof name - 1);
    CHECK_TEXT(site->name, "short-lived");
    CHECK_EQ(site->level, 1);
    CHECK_EQ(opl_site_find("short-lived", OPL_CAT_API, 7)->level, 2);
    CHECK_TEXT(opl_site_find(NULL, OPL_CAT_OP, 1)->name, "");
    CHECK_TEXT(opl_key_find(NULL)->name, "");
}

TEST(site_table, cuts_names_that_are_much_too_long)
{
    char *name = malloc(100001);
    memset(name, 'n', 100000);
    name[100000] = '\0';
    opl_site *site = opl_site_find(name, OPL_CAT_OP, 1);
    CHECK_EQ(strlen(site->name), 4096);
    CHECK(opl_site_find(name, OPL_CAT_OP, 1) == site);
    free(name);
}

/* ---- concurrently ---- */

typedef struct asker {
    pthread_t thread;
    pthread_barrier_t *meeting;
    opl_site sites[NAMES];
    opl_site *found[NAMES];
} asker;

static char names[NAMES][16];

static void *ask(void *context)
{
    asker *a = context;
    pthread_barrier_wait(a->meeting);
    for (size_t i = 0; i < NAMES; i++) {
        a->sites[i] = (opl_site){0, OPL_CAT_OP, 1, 0, names[i], NULL};
        opli_site_id(&a->sites[i]);
        a->found[i] = opl_site_find(names[i], OPL_CAT_OP, 1);
    }
    return NULL;
}

static void ask_at_once(asker *askers)
{
    pthread_barrier_t meeting;
    pthread_barrier_init(&meeting, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        askers[i].meeting = &meeting;
        pthread_create(&askers[i].thread, NULL, ask, &askers[i]);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(askers[i].thread, NULL);
    pthread_barrier_destroy(&meeting);
}

TEST(site_table, gives_one_id_to_eight_threads_that_ask_at_once)
{
    asker *askers = calloc(THREADS, sizeof *askers);
    for (size_t i = 0; i < NAMES; i++)
        snprintf(names[i], sizeof names[i], "name %zu", i);
    playback_record("askers.opl");
    ask_at_once(askers);
    playback p = playback_stop();
    for (size_t i = 0; i < NAMES; i++) {
        for (size_t thread = 0; thread < THREADS; thread++) {
            CHECK_EQ(askers[thread].sites[i].id, askers[0].sites[i].id);
            CHECK(askers[thread].found[i] == askers[0].found[i]);
        }
        const opli_site_row *row = opli_recording_site(&p.recording, askers[0].sites[i].id);
        CHECK(row && row->name.length == strlen(names[i]) && !memcmp(row->name.bytes, names[i], row->name.length));
    }
    playback_close(&p);
    free(askers);
}

/* ---- in the trace ---- */

TEST(site_table, writes_names_with_their_place_into_every_trace)
{
    static opl_site site = {0, OPL_CAT_KERNEL, 2, 321, "placed", "kernel.cu"};
    for (int round = 0; round < 2; round++) {
        playback_record(round ? "second.opl" : "first.opl");
        opl_span span = opl_span_begin(&site);
        opl_span_end(&span);
        playback p = playback_stop();
        const opli_site_row *row = opli_recording_site(&p.recording, playback_only(&p, "placed")->event.site);
        CHECK_EQ(row->line, 321);
        CHECK_EQ(row->level, 2);
        CHECK_EQ(row->category, OPL_CAT_KERNEL);
        CHECK(row->file.length == 9 && memcmp(row->file.bytes, "kernel.cu", 9) == 0);
        playback_close(&p);
    }
}

TEST(site_table, keeps_names_of_any_bytes)
{
    playback_record("bytes.opl");
    opl_span span = opl_span_begin(opl_site_find("\xff\n\"\x01", OPL_CAT_OP, 1));
    opl_span_end(&span);
    playback p = playback_stop();
    CHECK_EQ(p.events.count, 1);
    CHECK_TEXT(p.events.items[0].name, "\xff\n\"\x01");
    CHECK(strstr(p.events.items[0].json, "\"name\": \"\xef\xbf\xbd\\n\\\"\\u0001\""));
    playback_close(&p);
}

/* Last, since the table stays full: ids end below the tags of other records. */
TEST(site_table, has_a_name_for_too_many_names)
{
    char name[32];
    const opl_site *site = NULL;
    playback_record("many.opl");
    for (uint32_t i = 0; i < OPL_SITE_LIMIT + 10; i++) {
        snprintf(name, sizeof name, "many %u", i);
        site = opl_site_find(name, OPL_CAT_OP, 1);
        CHECK(site->id > 0 && site->id < OPL_SITE_LIMIT);
    }
    CHECK_TEXT(site->name, "(too many names)");
    CHECK_TEXT(opl_site_find("many 5", OPL_CAT_OP, 1)->name, "many 5");
    playback p = playback_stop();
    CHECK(p.recording.header.dropped[OPLI_DROP_NAMES] > 0);
    playback_close(&p);
}
