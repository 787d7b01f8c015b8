/* asked_trace.c - a small trace with something in every table, and SQL asked of it. */
#include "asked_trace.h"

#include "test.h"

static void skip_without_duckdb(void)
{
    const opli_duckdb *duckdb;
    opl_error err;
    if (opli_duckdb_get(&duckdb, &err) != OPL_OK)
        SKIP(err.message);
}

/* ---- traces ---- */

static void add_span(opli_builder *b, const char *name, opl_category kind, uint32_t track, int64_t start,
                     int64_t duration)
{
    opli_builder_span(b, &(opli_span_draft){.start_ns = start,
                                            .duration_ns = duration,
                                            .name = opli_builder_word(b, name),
                                            .track = track,
                                            .kind = (uint8_t)kind});
}

/* A run that holds an operator with every sort of argument, which launches a kernel. */
static void add_spans(opli_builder *b, uint32_t thread, uint32_t queue)
{
    add_span(b, "run", OPL_CAT_INFERENCE, thread, 1000, 900);
    opli_builder_arg(b, opli_builder_word(b, "batch"), OPLI_ARG_INT, 8);
    opli_builder_arg_real(b, opli_builder_word(b, "share"), 0.25);
    opli_builder_arg(b, opli_builder_word(b, "train"), OPLI_ARG_BOOL, 1);
    opli_builder_arg(b, opli_builder_word(b, "device"), OPLI_ARG_TEXT, opli_builder_word(b, "cuda:0"));
    opli_builder_arg(b, opli_builder_word(b, "shape"), OPLI_ARG_JSON, opli_builder_word(b, "[1, 2]"));
    add_span(b, LONG_NAME, OPL_CAT_OP, thread, 1100, 300);
    add_span(b, BAD_NAME, OPL_CAT_OP, thread, 1500, 200);
    add_span(b, "kernel", OPL_CAT_KERNEL, queue, 1300, 400);
    add_span(b, "over the edge", OPL_CAT_OP, thread, 1800, 500);
}

static void add_events(opli_builder *b, uint32_t process, uint32_t device, uint32_t thread, uint32_t queue)
{
    opli_builder_arg(b, opli_builder_word(b, "why"), OPLI_ARG_TEXT, opli_builder_word(b, "because"));
    opli_builder_instant(
        b, (opli_instant_row){
               .time_ns = 1200, .track = thread, .name = opli_builder_word(b, "tick"), .kind = OPL_CAT_LABEL});
    opli_builder_counter(
        b, (opli_counter_row){.time_ns = 1250, .value = 0.5, .process = process, .name = opli_builder_word(b, "load")});
    opli_builder_memory(b, (opli_memory_row){.time_ns = 1150,
                                             .size_bytes = 4096,
                                             .address = UINT64_MAX,
                                             .used_bytes = 4096,
                                             .allocated_bytes = -1,
                                             .track = thread,
                                             .device = device,
                                             .span = OPLI_NO_ROW});
    opli_builder_flow(b, (opli_flow_row){.time_ns = 1150, .id = 7, .track = thread, .phase = OPLI_FLOW_START});
    opli_builder_flow(b, (opli_flow_row){.time_ns = 1300, .id = 7, .track = queue, .phase = OPLI_FLOW_FINISH});
    opli_builder_note(b, "a thing was mended", 3, false);
    opli_builder_fact(b, opli_builder_word(b, "model"), opli_builder_word(b, "resnet"));
}

static void build_small(opli_trace *trace)
{
    opli_builder b;
    opli_builder_init(&b, trace);
    uint32_t process = opli_builder_process(&b, 4711), device = opli_builder_device(&b, "gpu", 0);
    uint32_t thread = opli_builder_track(&b, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, 99);
    uint32_t queue = opli_builder_track(&b, OPLI_TRACK_QUEUE, process, device, 7);
    add_spans(&b, thread, queue);
    add_events(&b, process, device, thread, queue);
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
}

static void build_large(opli_trace *trace, size_t spans)
{
    opli_builder b;
    char name[64];
    opli_builder_init(&b, trace);
    uint32_t process = opli_builder_process(&b, 1);
    for (size_t i = 0; i < spans; i++) {
        uint32_t track = opli_builder_track(&b, OPLI_TRACK_THREAD, process, OPLI_NO_ROW, (int64_t)(i / 3 % 2));
        snprintf(name, sizeof name, i % 7 ? "operator number %zu of the model" : "op%zu", i % 97);
        add_span(&b, name, OPL_CAT_OP, track, (int64_t)(i / 3 * 1000 + i % 3 * 100), (int64_t)(900 - i % 3 * 300));
    }
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
}

/* ---- opening ---- */

static asked_trace *new_trace(void)
{
    skip_without_duckdb();
    asked_trace *a = calloc(1, sizeof *a);
    CHECK(a != NULL);
    return a;
}

static void open_query(asked_trace *a, const opli_query_options *options)
{
    opl_error err = {OPL_OK, ""};
    if (opli_query_open(&a->trace, options, &a->query, &err) != OPL_OK)
        fail_msg("%s", err.message);
}

asked_trace *asked_trace_open_with(const opli_query_options *options)
{
    asked_trace *a = new_trace();
    build_small(&a->trace);
    open_query(a, options);
    return a;
}

asked_trace *asked_trace_open(void) { return asked_trace_open_with(&(opli_query_options){0}); }

asked_trace *asked_trace_open_large(size_t spans)
{
    asked_trace *a = new_trace();
    build_large(&a->trace, spans);
    open_query(a, &(opli_query_options){0});
    return a;
}

void asked_trace_close(asked_trace *a)
{
    opli_query_close(a->query);
    opli_trace_free(&a->trace);
    free(a);
}

/* ---- asking ---- */

opli_answer asked(asked_trace *a, const char *sql)
{
    opli_answer answer;
    opl_error err = {OPL_OK, ""};
    if (opli_query_run(a->query, sql, NULL, 0, &answer, &err) != OPL_OK)
        fail_msg("%s: %s", sql, err.message);
    return answer;
}

int64_t asked_number(asked_trace *a, const char *sql)
{
    opli_answer answer = asked(a, sql);
    CHECK_EQ(answer.table.cells.count, 1);
    CHECK_EQ(answer.columns[0].type, OPLI_COLUMN_ID);
    int64_t number = answer.table.cells.items[0].number;
    opli_answer_free(&answer);
    return number;
}

const char *asked_json(asked_trace *a, const char *sql)
{
    static char kept[65536];
    opli_answer answer = asked(a, sql);
    opli_text json = {0};
    opli_table_print_json(&answer.table, &json);
    snprintf(kept, sizeof kept, "%s", json.bytes);
    opli_text_free(&json);
    opli_answer_free(&answer);
    return kept;
}

const char *asked_complaint(asked_trace *a, const char *sql)
{
    static opl_error err;
    opli_answer answer;
    err = (opl_error){OPL_OK, ""};
    CHECK(opli_query_run(a->query, sql, NULL, 0, &answer, &err) != OPL_OK);
    CHECK(err.message[0]);
    CHECK_EQ(answer.table.cells.count, 0);
    return err.message;
}
