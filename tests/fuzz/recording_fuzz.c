/* recording_fuzz.c - any bytes as a recording: opened, counted and dumped without harm.
 *
 * Each input is read twice, as it is and with its sums corrected, so that what is behind the sums is
 * reached too. */
#include <stdlib.h>
#include <string.h>

#include "analysis/contents.h"
#include "base/json_check.h"
#include "export/event_line.h"
#include "forge.h"
#include "fuzz.h"

#define SIZE_MAX_BYTES (256u << 10)

/* A line ends once, is a line of its own, and as JSON is JSON. */
static bool check_lines(void *context, const opli_event *event)
{
    opli_text line = {0}, json = {0};
    opli_event_line(context, event, &line);
    opli_event_line_json(context, event, &json);
    if (!line.cut && (!line.length || strchr(line.bytes, '\n') != line.bytes + line.length - 1))
        abort();
    if (!json.cut && !opli_json_is_valid(json.bytes, json.length))
        abort();
    opli_text_free(&line);
    opli_text_free(&json);
    return true;
}

static void check_table(const opli_table *table)
{
    opli_text text = {0}, json = {0};
    opli_table_print(table, 80, &text);
    opli_table_print_json(table, &json);
    if (!json.cut && !opli_json_is_valid(json.bytes, json.length))
        abort();
    opli_text_free(&text);
    opli_text_free(&json);
}

static void check_contents(opli_recording *recording)
{
    opli_contents contents;
    if (opli_contents_read(recording, &contents) != OPL_OK)
        return;
    const opli_table *const tables[] = {&contents.kinds, &contents.threads, &contents.devices, &contents.metadata,
                                        &contents.controls};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        check_table(tables[i]);
    opli_contents_free(&contents);
}

static void read_all(const uint8_t *bytes, size_t size)
{
    opli_recording recording;
    opl_error err = {OPL_OK, ""};
    if (opli_recording_open_bytes(&recording, bytes, size, "fuzz.opl", &err) != OPL_OK) {
        if (strncmp(err.message, "fuzz.opl: ", 10) != 0)
            abort();
        return;
    }
    check_contents(&recording);
    opli_events_visit(&recording, check_lines, &recording);
    if ((recording.damage_count != 0) != (recording.damage[0] != '\0'))
        abort();
    opli_recording_close(&recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    void *copy = NULL;
    if (size > SIZE_MAX_BYTES || posix_memalign(&copy, 64, size ? size : 1) != 0)
        return 0;
    if (size)
        memcpy(copy, bytes, size);
    read_all(copy, size);
    forge_mend(copy, size);
    read_all(copy, size);
    free(copy);
    return 0;
}

/* ---- where to change something ---- */

/* Most of a file is zeros. The places that say something: the header's changing part, journals, chunks,
 * a stream's page and the beginning of its slots. */
static size_t interesting_place(const uint8_t *bytes, size_t size, unsigned *seed)
{
    size_t pages = size / OPLI_PAGE_BYTES;
    size_t page = pages ? (size_t)rand_r(seed) % pages * OPLI_PAGE_BYTES : 0;
    switch (rand_r(seed) % 8) {
    case 0: return offsetof(opli_wire_header, tail) + (size_t)rand_r(seed) % 128;
    case 1: return (size_t)rand_r(seed) % size;
    default: break;
    }
    size_t end = page + OPLI_PAGE_BYTES < size ? page + OPLI_PAGE_BYTES : size;
    while (end > page + 64 && bytes[end - 1] == 0)
        end--;
    return page + (size_t)rand_r(seed) % (end - page);
}

static uint64_t interesting_word(unsigned *seed)
{
    uint64_t word = (uint64_t)rand_r(seed) << 42 ^ (uint64_t)rand_r(seed) << 21 ^ (uint64_t)rand_r(seed);
    switch (rand_r(seed) % 7) {
    case 0: return UINT64_MAX - word % 64;
    case 5: return (word % 16 - 8) * OPLI_PAGE_BYTES;
    case 1: return UINT64_C(1) << word % 64;
    case 2: return word % 4096;
    case 3:
        return opli_record_word(OPL_SITE_LIMIT + (uint32_t)(word % 18), word >> 8 & 15, word >> 16 & 15, word >> 32);
    case 4: return (uint64_t)(0xff0 + word % 9) << 52 | (word >> 12 >> word % 52);
    default: return word;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed)
{
    if (size < OPLI_PAGE_BYTES || rand_r(&seed) % 16 == 0)
        return LLVMFuzzerMutate(bytes, size, size_max);
    for (int i = rand_r(&seed) % 4; i >= 0; i--) {
        size_t at = interesting_place(bytes, size, &seed) / 8 * 8, room = size - at < 64 ? size - at : 64;
        uint64_t word = interesting_word(&seed);
        if (rand_r(&seed) % 2 && room >= 8)
            memcpy(bytes + at, &word, 8);
        else if (room)
            LLVMFuzzerMutate(bytes + at, room, room);
    }
    return size;
}

/* ---- seeds ---- */

#define CHUNK(thread, number) (UINT64_C(1) << 56 | (uint64_t)(thread) << 36 | (number))

enum { SPAN = 2, COUNT, KEY };

static void add_journal(forge *f)
{
    forge_journal(f, 1);
    forge_clock(f, 1000, 500, 1700000000);
    forge_clock(f, 3000, 1500, 1700001000);
    forge_thread(f, 1, 100, "main");
    forge_thread(f, 2, 200, "worker");
    forge_device(f, 1, "npu0", "npu", 1e9);
    forge_track(f, 1, 1, "pe0");
    forge_anchor(f, 1, 5, 600);
    forge_anchor(f, 1, 10, 700);
    forge_site(f, SPAN, OPL_CAT_OP, "conv");
    forge_site(f, COUNT, OPL_CAT_COUNTER, "loss");
    forge_site(f, KEY, OPL_SITE_KEY, "key");
    forge_metadata(f, "model", "resnet");
    forge_metadata(f, "model", "vit");
    forge_control(f, 1000, OPLI_CONTROL_START, 0);
    forge_control(f, 9000, OPLI_CONTROL_STOP, 0);
}

static void add_arguments(tray *t)
{
    static const int64_t numbers[] = {1, -1};
    const opli_wire_tensor tensor[] = {{OPL_DTYPE_F32, 0, 0, 0}, {OPL_DTYPE_I8, 0, 0, 0}};
    uint32_t text = tray_bytes(t, "some text", 9, 0), ints = tray_bytes(t, numbers, sizeof numbers, 0);
    uint32_t tensors = tray_bytes(t, tensor, sizeof tensor, OPLI_BYTES_CUT);
    uint32_t span = tray_span(t, SPAN, 1100, 40);
    tray_tagged(t, OPLI_TAG_ARG_INT, KEY, tray_count(t) - span, 7);
    tray_tagged(t, OPLI_TAG_ARG_INT, KEY, tray_count(t) - span, UINT64_MAX >> 1);
    tray_tagged(t, OPLI_TAG_ARG_REAL, KEY, tray_count(t) - span, 0x7ff8000000000000);
    tray_tagged(t, OPLI_TAG_ARG_BOOL, KEY, tray_count(t) - span, 1);
    tray_tagged(t, OPLI_TAG_ARG_TEXT, KEY, tray_count(t) - span, text);
    tray_tagged(t, OPLI_TAG_ARG_INTS, KEY, tray_count(t) - span, ints);
    tray_tagged(t, OPLI_TAG_ARG_TENSORS, KEY, tray_count(t) - span, tensors);
}

static void add_others(tray *t)
{
    for (uint32_t i = 0; i < 5; i++)
        tray_span(t, SPAN, 1200 + i, 5); /* some of them in pairs */
    tray_span(t, SPAN, 1300, UINT64_C(1) << 30);
    tray_span(t, 0xff1, 1150, UINT64_C(1) << 33);
    tray_span(t, SPAN, 1400, TRAY_OPEN);
    tray_hole(t, 2);
    tray_tagged(t, OPLI_TAG_INSTANT, SPAN, 0, 1500);
    uint32_t at = tray_tagged(t, OPLI_TAG_TIMED, SPAN, 0, 8);
    tray_at(t, at)[3] = 1;
    at = tray_tagged(t, OPLI_TAG_COUNTER, COUNT, 0, 1600);
    tray_at(t, at)[3] = (uint64_t)OPLI_COUNTER_REAL << 32 | 1;
    at = tray_tagged(t, OPLI_TAG_MEMORY, 0, 0, 1700);
    tray_at(t, at)[6] = 1;
    at = tray_tagged(t, OPLI_TAG_FLOW, 0, 3, 7);
    tray_at(t, at)[2] = 1800;
}

/* Late ends and far arguments for the first records of a thread's first chunk. */
static void add_patches(tray *t, uint64_t chunk)
{
    for (uint32_t index = 0; index < 24; index++) {
        uint32_t at = tray_tagged(t, OPLI_TAG_LATE_END, 0, 0, chunk);
        tray_at(t, at)[2] = index;
        tray_at(t, at)[3] = 5000;
        at = tray_tagged(t, OPLI_TAG_FAR, 0, 0, chunk);
        tray_at(t, at)[2] = index;
        tray_tagged(t, index % 2 ? OPLI_TAG_ARG_INT : OPLI_TAG_ARG_BOOL, KEY, OPLI_BACK_MASK, index);
    }
    uint32_t text = tray_bytes(t, "far text", 8, 0);
    tray_tagged(t, OPLI_TAG_FAR, 0, 0, chunk);
    tray_tagged(t, OPLI_TAG_ARG_TEXT, KEY, OPLI_BACK_MASK, text);
}

static void add_chunks(forge *f)
{
    tray trays[] = {tray_new(CHUNK(1, 1), 1, 1000), tray_new(CHUNK(1, 2), 1, 1000), tray_new(CHUNK(2, 1), 2, 1000)};
    add_arguments(&trays[0]);
    add_others(&trays[0]);
    add_patches(&trays[1], CHUNK(1, 1));
    for (uint32_t i = 0; i < 30; i++)
        tray_span(&trays[2], SPAN, 1000 + i, UINT64_C(1) << 34); /* kept raw */
    for (size_t i = 0; i < 3; i++) {
        forge_chunk(f, &trays[i]);
        tray_free(&trays[i]);
    }
}

/* A stream whose slot is being filled, or more slots of one whose page is elsewhere. */
static void add_slots(forge *f, bool more)
{
    tray t = tray_new(CHUNK(2, 2), 2, 1000);
    add_arguments(&t);
    add_others(&t);
    t.slot->state = OPLI_SLOT_OPEN;
    if (more)
        forge_more_slots(f, f->journal, &t, 1); /* any block will do */
    else
        forge_stream(f, &t, 1);
    tray_free(&t);
}

static void make_seed(fuzz_seed_taker take, void *context, const char *name, uint32_t state, bool chunks, bool slots)
{
    forge f = {0};
    forge_header(&f, state);
    add_journal(&f);
    if (chunks)
        add_chunks(&f);
    if (slots)
        add_slots(&f, !chunks);
    forge_seal(&f);
    take(context, name, f.bytes, f.size);
    forge_free(&f);
}

void fuzz_seeds(fuzz_seed_taker take, void *context)
{
    make_seed(take, context, "journal", OPLI_FILE_CLOSED, false, false);
    make_seed(take, context, "closed", OPLI_FILE_CLOSED, true, false);
    make_seed(take, context, "recording", OPLI_FILE_RECORDING, true, false);
    make_seed(take, context, "stream", OPLI_FILE_RECORDING, true, true);
    make_seed(take, context, "slots", OPLI_FILE_RECORDING, false, true);
}
