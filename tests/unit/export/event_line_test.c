/* event_line_test.c - an event as a line of text and as JSON. */
#include "export/event_line.h"

#include "forge.h"
#include "playback.h"
#include "test.h"

#define CHUNK (UINT64_C(1) << 56 | UINT64_C(1) << 36 | 1)

enum { OP = 2, COUNT, KEY, ODD };

/* One file with an event of each kind, read back. */
typedef struct scene {
    forge f;
    playback p;
} scene;

static void add_spans(tray *t)
{
    static const int64_t numbers[] = {-1, INT64_MAX};
    const struct {
        opli_wire_tensor wire;
        int64_t dims[2];
        char name[8];
    } tensor = {{OPL_DTYPE_BF16, 2, 1, 0}, {8, -1}, "x"};
    uint32_t text = tray_bytes(t, "a\"b\n", 4, 0), cut = tray_bytes(t, "cu", 2, OPLI_BYTES_CUT);
    uint32_t ints = tray_bytes(t, numbers, sizeof numbers, 0), tensors = tray_bytes(t, &tensor, sizeof tensor, 0);
    uint32_t span = tray_span(t, OP, 1000, 50);
    tray_tagged(t, OPLI_TAG_ARG_TEXT, KEY, tray_count(t) - span, text);
    tray_tagged(t, OPLI_TAG_ARG_TEXT, KEY, tray_count(t) - span, cut);
    tray_tagged(t, OPLI_TAG_ARG_INTS, KEY, tray_count(t) - span, ints);
    tray_tagged(t, OPLI_TAG_ARG_TENSORS, KEY, tray_count(t) - span, tensors);
    tray_tagged(t, OPLI_TAG_ARG_REAL, ODD, tray_count(t) - span, 0x7ff0000000000000);
    tray_tagged(t, OPLI_TAG_ARG_BOOL, 99, tray_count(t) - span, 1);
    tray_span(t, OP, 2000, TRAY_OPEN);
}

static void add_others(tray *t)
{
    uint32_t at = tray_tagged(t, OPLI_TAG_COUNTER, COUNT, 0, 3000);
    tray_at(t, at)[2] = (uint64_t)INT64_C(-7);
    at = tray_tagged(t, OPLI_TAG_COUNTER, COUNT, 0, 3001);
    tray_at(t, at)[2] = 0x3fe0000000000000; /* 0.5 */
    tray_at(t, at)[3] = (uint64_t)OPLI_COUNTER_REAL << 32 | 1;
    tray_tagged(t, OPLI_TAG_INSTANT, 99, 0, 4000);
    at = tray_tagged(t, OPLI_TAG_FLOW, 0, 1, 0xabc);
    tray_at(t, at)[2] = 5000;
    tray_at(t, at)[3] = 9;
}

static scene new_scene(void)
{
    scene s = {0};
    forge_header(&s.f, OPLI_FILE_CLOSED);
    forge_journal(&s.f, 1);
    forge_thread(&s.f, 1, 100, "main");
    forge_device(&s.f, 1, "gpu\x1b", "gpu", 0);
    forge_track(&s.f, 1, 1, "stream 7");
    forge_site(&s.f, OP, OPL_CAT_OP, "conv \"1\"");
    forge_site(&s.f, COUNT, OPL_CAT_COUNTER, "count");
    forge_site(&s.f, KEY, OPL_SITE_KEY, "key");
    forge_site(&s.f, ODD, OPL_SITE_KEY, "o\n\x1b[d=");
    tray t = tray_new(CHUNK, 1, 0);
    add_spans(&t);
    add_others(&t);
    forge_chunk(&s.f, &t);
    tray_free(&t);
    forge_seal(&s.f);
    s.p = playback_open_bytes(s.f.bytes, s.f.size);
    return s;
}

static void end_scene(scene *s)
{
    playback_close(&s->p);
    forge_free(&s->f);
}

TEST(event_line, shows_a_span_with_its_arguments)
{
    scene s = new_scene();
    CHECK_TEXT(
        s.p.events.items[0].line,
        "span kind=\"op\" name=\"conv \\\"1\\\"\" tid=100 start_ns=1000 dur_ns=50 key=\"a\\\"b\\n\" key=\"cu\"(cut) "
        "key=[-1, 9223372036854775807] key=[{\"name\": \"x\", \"dtype\": \"bf16\", \"shape\": [8, -1]}] "
        "o..[d==inf (name lost)=true\n");
    CHECK_TEXT(
        s.p.events.items[0].json,
        "{\"type\": \"span\", \"kind\": \"op\", \"name\": \"conv \\\"1\\\"\", \"tid\": 100, \"start_ns\": 1000, "
        "\"dur_ns\": 50, \"args\": {\"key\": \"a\\\"b\\n\", \"key\": \"cu\", \"key\": [-1, 9223372036854775807], "
        "\"key\": [{\"name\": \"x\", \"dtype\": \"bf16\", \"shape\": [8, -1]}], \"o\\n\\u001b[d=\": \"inf\", "
        "\"(name lost)\": true}}\n");
    end_scene(&s);
}

TEST(event_line, shows_that_a_span_is_open)
{
    scene s = new_scene();
    CHECK_TEXT(s.p.events.items[1].line, "span kind=\"op\" name=\"conv \\\"1\\\"\" tid=100 start_ns=2000 open=true\n");
    CHECK_TEXT(s.p.events.items[1].json, "{\"type\": \"span\", \"kind\": \"op\", \"name\": \"conv \\\"1\\\"\", "
                                         "\"tid\": 100, \"start_ns\": 2000, \"open\": true}\n");
    end_scene(&s);
}

TEST(event_line, shows_counters_on_their_tracks)
{
    scene s = new_scene();
    CHECK_TEXT(s.p.events.items[2].line, "counter kind=\"counter\" name=\"count\" tid=100 start_ns=3000 value=-7\n");
    CHECK_TEXT(s.p.events.items[3].line, "counter kind=\"counter\" name=\"count\" tid=100 device=\"gpu\\u001b\" "
                                         "track=\"stream 7\" start_ns=3001 value=0.5\n");
    end_scene(&s);
}

TEST(event_line, shows_what_is_lost_as_lost)
{
    scene s = new_scene();
    CHECK_TEXT(s.p.events.items[4].line, "instant kind=\"unknown\" name=\"(name lost)\" tid=100 start_ns=4000\n");
    CHECK_TEXT(s.p.events.items[5].line, "flow tid=100 start_ns=5000 flow=0000000000000abc phase=\"unknown\"\n");
    CHECK_TEXT(s.p.events.items[5].json, "{\"type\": \"flow\", \"tid\": 100, \"start_ns\": 5000, "
                                         "\"flow\": \"0000000000000abc\", \"phase\": \"unknown\"}\n");
    end_scene(&s);
}

TEST(event_line, has_no_control_characters_in_any_line)
{
    scene s = new_scene();
    for (size_t i = 0; i < s.p.events.count; i++) {
        const char *lines[] = {s.p.events.items[i].line, s.p.events.items[i].json};
        for (size_t form = 0; form < 2; form++)
            for (const char *c = lines[form]; *c; c++)
                CHECK((unsigned char)*c >= 0x20 || (*c == '\n' && !c[1]));
    }
    end_scene(&s);
}
