/* errno_test.c - no call changes errno: not at its best, and not when everything fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"
#include "harvest.h"
#include "sanitizer.h"
#include "small_disk.h"
#include "test.h"

#define MARK 4711
#define KEEPS(...)           \
    do {                     \
        errno = MARK;        \
        __VA_ARGS__;         \
        MUST(errno == MARK); \
    } while (0)

static void call_for_spans(void)
{
    static const int64_t shape[] = {8, 3, 224, 224};
    static const opl_tensor tensor = {"x", OPL_DTYPE_F32, 4, shape};
    static const opl_attribute attribute = {"axis", "-1"};
    const opl_operator op = {.op_type = "Conv",
                             .inputs = &tensor,
                             .input_count = 1,
                             .attributes = &attribute,
                             .attribute_count = 1,
                             .execution_index = 1};
    opl_span span;
    KEEPS(span = OPL_SPAN_BEGIN("span", OPL_CAT_OP));
    KEEPS(opl_arg_int(&span, OPL_KEY("int"), 1));
    KEEPS(opl_arg_uint(&span, OPL_KEY("uint"), 1));
    KEEPS(opl_arg_real(&span, OPL_KEY("real"), 1));
    KEEPS(opl_arg_bool(&span, OPL_KEY("bool"), 1));
    KEEPS(opl_arg_text(&span, OPL_KEY("text"), "text"));
    KEEPS(opl_arg_text_n(&span, OPL_KEY("text"), "text", 4));
    KEEPS(opl_arg_ints(&span, OPL_KEY("ints"), shape, 4));
    KEEPS(opl_arg_tensors(&span, OPL_KEY("tensors"), &tensor, 1));
    KEEPS(opl_arg_operator(&span, &op));
    uint64_t flow;
    KEEPS(flow = opl_flow_new());
    KEEPS(opl_flow_begin(&span, flow));
    KEEPS(opl_flow_step(&span, flow));
    KEEPS(opl_flow_end(&span, flow));
    KEEPS(OPL_SPAN_NEXT(&span, "next", OPL_CAT_OP));
    KEEPS(opl_span_end(&span));
    KEEPS(OPL_SPAN ("block", OPL_CAT_OP) OPL_INT("i", 1));
}

static void call_for_events(void)
{
    opl_memory memory = {.address = 1, .size_bytes = 64, .used_bytes = 64, .allocated_bytes = 64};
    KEEPS(opl_span_timed(OPL_SITE("timed", OPL_CAT_KERNEL, 1), 0, opl_clock_ns(), 1));
    KEEPS(OPL_INSTANT("instant", OPL_CAT_OP));
    KEEPS(OPL_COUNTER("counter", 1.5));
    KEEPS(opl_counter_int(OPL_SITE("counter", OPL_CAT_COUNTER, 1), 0, 1));
    KEEPS(opl_memory_alloc(&memory));
    KEEPS(opl_memory_free(&memory));
    KEEPS(opl_clock_ns());
}

static void call_for_names(unsigned round)
{
    char name[64];
    snprintf(name, sizeof name, "a name that nobody has used before, of round %u", round);
    KEEPS(opl_site_find(name, OPL_CAT_OP, 1));
    KEEPS(opl_key_find(name));
    if (round % 16)
        return; /* each of these stays with the process */
    KEEPS(opl_device_declare(name, "npu", 1e9));
    KEEPS(opl_track_declare(1, name, 0));
    KEEPS(opl_device_anchor(1, round, opl_clock_ns()));
    KEEPS(opl_metadata_set("key", name));
    KEEPS(opl_thread_name("a thread"));
}

static void call_for_control(void)
{
    opl_label label;
    uint32_t categories;
    char path[64];
    KEEPS(opl_recorder_pause());
    KEEPS(opl_recorder_resume());
    KEEPS(opl_recorder_select(2, 0));
    KEEPS(opl_recorder_select(1, 0));
    KEEPS(opl_recorder_path(path, sizeof path));
    KEEPS(opl_categories_parse("op,kernel", &categories, NULL));
    KEEPS(opl_categories_parse("none such", &categories, NULL));
    KEEPS(label = opl_label_begin("label", OPL_RECORD_PLAIN));
    KEEPS(opl_label_end(&label));
    KEEPS(label = opl_label_begin("label", OPL_WARM_UP));
    KEEPS(opl_label_end(&label));
    KEEPS(opl_schedule_set(&(opl_schedule){.active = 1, .wait = 1}, NULL));
    KEEPS(opl_schedule_step());
    KEEPS(opl_schedule_step());
    KEEPS(opl_schedule_set(NULL, NULL));
    KEEPS(opl_status_sentence(OPL_IO));
}

/* Often enough for chunks to turn and for the journal to want another block. */
static void call_everything(void)
{
    for (unsigned round = 0; round < 600; round++) {
        for (int i = 0; i < 20; i++)
            call_for_spans();
        call_for_events();
        call_for_names(round);
        call_for_control();
    }
}

static void run_whole_life(void *path)
{
    opl_recorder_options options = {.path = path, .no_writer_thread = 1};
    KEEPS(MUST(opl_recorder_start(&options, NULL) == OPL_OK));
    KEEPS(MUST(opl_recorder_start(&options, NULL) == OPL_STATE));
    call_everything();
    KEEPS(MUST(opl_recorder_clear(NULL) == OPL_OK));
    call_for_spans();
    KEEPS(opl_recorder_stop());
    KEEPS(opl_recorder_stop());
    KEEPS(MUST(opl_recorder_clear(NULL) == OPL_STATE));
    call_for_control();
    call_for_spans();
}

TEST(errno, is_kept_by_every_call) { child_run(run_whole_life, (void *)(uintptr_t)test_path("errno.opl")); }

static void run_refused(void *path)
{
    opl_error err;
    KEEPS(MUST(opl_recorder_start(&(opl_recorder_options){.path = path}, &err) == OPL_IO));
    KEEPS(MUST(opl_recorder_start(&(opl_recorder_options){.path = ""}, &err) == OPL_INVALID));
    KEEPS(MUST(opl_recorder_start(&(opl_recorder_options){.path = path, .level = 7}, &err) == OPL_INVALID));
    call_for_spans();
    call_for_control();
}

TEST(errno, is_kept_by_a_start_that_fails)
{
    child_run(run_refused, (void *)(uintptr_t) "/no/such/directory/trace.opl");
}

static void run_on_full_disk(void *path)
{
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path, .no_writer_thread = 1}, NULL) == OPL_OK);
    lane_put(0, 0);
    small_disk_fill(0);
    call_everything();
    opl_recorder_clear(NULL);
    call_for_spans();
    KEEPS(opl_recorder_stop());
}

TEST(errno, is_kept_when_the_disk_is_full)
{
    char path[600];
    const char *disk = small_disk_mount(SMALL_DISK_TMPFS, 2);
    if (!disk)
        SKIP(SMALL_DISK_REASON);
    snprintf(path, sizeof path, "%s/errno.opl", disk);
    child_run(run_on_full_disk, path);
    small_disk_unmount();
}

static void run_without_descriptors(void *path)
{
    MUST(opl_recorder_start(&(opl_recorder_options){.path = path, .no_writer_thread = 1}, NULL) == OPL_OK);
    lane_put(0, 0);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    MUST(setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3}) == 0);
    MUST(setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, 1 << 20}) == 0);
    call_everything();
    KEEPS(opl_recorder_stop());
}

TEST(errno, is_kept_when_there_is_neither_memory_nor_a_descriptor)
{
    if (HARM_ASAN || HARM_TSAN)
        SKIP("sanitizers need memory of their own");
    child_run(run_without_descriptors, (void *)(uintptr_t)test_path("poor.opl"));
}
