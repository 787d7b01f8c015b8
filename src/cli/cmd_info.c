/* cmd_info.c - `oplens info`: what is inside a recording? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/contents.h"
#include "cli/command.h"
#include "cli/input_files.h"
#include "import/clock_fit.h"
#include "import/importer.h"

/* One file's answer. */
typedef struct inside {
    const char *path;
    opli_recording recording;
    opli_contents contents;
} inside;

static const char *clock_word(uint32_t clock)
{
    static const char *const words[] = {"CLOCK_MONOTONIC", "TSC", "CNTVCT"};
    return clock < sizeof words / sizeof *words ? words[clock] : "unknown";
}

static int64_t duration_ns(const inside *in) { return opli_ns_between(in->contents.first_ns, in->contents.last_ns); }

static const char *state_word(const inside *in)
{
    return in->recording.damage_count ? "damaged" : in->recording.cut[0] ? "cut short" : "closed";
}

/* ---- for people ---- */

static void add_headline(opli_text *out, const inside *in)
{
    const opli_tally *total = &in->contents.total;
    opli_text_addf(out, "%s: ", in->path);
    opli_text_add_counted(out, total->spans, "span");
    opli_text_addf(out, " in ");
    opli_text_add_ns(out, duration_ns(in));
    opli_text_addf(out, ", ");
    opli_text_add_bytes(out, in->recording.size);
    opli_text_addf(out, ", %s\n", state_word(in));
}

/* What stands in a file may be anything. */
static void add_foreign(opli_text *out, const char *text) { opli_text_add_printable(out, text, strlen(text)); }

static void add_process(opli_text *out, const inside *in)
{
    const opli_wire_header *header = &in->recording.header;
    opli_text_addf(out, "  process   %u on ", header->pid);
    add_foreign(out, header->host);
    opli_text_addf(out, ", ");
    add_foreign(out, header->program);
    opli_text_addf(out, "\n  command   ");
    add_foreign(out, header->command);
    opli_text_addf(out, "\n  started   ");
    opli_text_add_date(out, header->start_real_ns);
    opli_text_addf(out, ", recorded by ");
    add_foreign(out, header->recorder);
    opli_text_addf(out, " with the %s clock\n", clock_word(header->clock));
}

/* Ids have gaps, and id 1 stands in for the names there was no room for. */
static size_t count_names(const opli_recording *recording)
{
    size_t count = 0;
    for (size_t i = 0; i < recording->sites.count; i++)
        count += recording->sites.items[i].id > 1;
    return count;
}

static void add_holdings(opli_text *out, const inside *in)
{
    const opli_wire_header *header = &in->recording.header;
    opli_text_addf(out, "  holds     ");
    opli_text_add_counted(out, header->sessions, "session");
    opli_text_addf(out, ", ");
    opli_text_add_counted(out, in->recording.threads.count, "thread");
    opli_text_addf(out, ", ");
    opli_text_add_counted(out, in->recording.devices.count, "device");
    opli_text_addf(out, ", ");
    opli_text_add_counted(out, count_names(&in->recording), "name");
    opli_text_addf(out, "\n");
}

static void add_counts(opli_text *out, const inside *in)
{
    const opli_tally *t = &in->contents.total;
    const struct {
        uint64_t count;
        const char *what;
    } counts[] = {{t->open_spans, "open span"},       {t->instants, "instant"}, {t->counters, "counter value"},
                  {t->memory_events, "memory event"}, {t->flows, "flow point"}, {t->arguments, "argument"}};
    opli_text_addf(out, "  events    ");
    opli_text_add_counted(out, t->spans, "span");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!counts[i].count)
            continue;
        opli_text_addf(out, ", ");
        opli_text_add_counted(out, counts[i].count, counts[i].what);
    }
    opli_text_addf(out, "\n");
}

static void add_drops(opli_text *out, const inside *in)
{
    opli_text_addf(out, "  dropped   ");
    if (!in->contents.dropped_total)
        opli_text_addf(out, "nothing");
    for (uint32_t reason = 0, shown = 0; reason < OPLI_DROP_COUNT; reason++) {
        if (!in->contents.dropped[reason])
            continue;
        opli_text_addf(out, "%s", shown++ ? "; " : "");
        opli_text_add_count(out, in->contents.dropped[reason]);
        opli_text_addf(out, " because %s", opli_drop_sentence(reason));
    }
    opli_text_addf(out, "\n");
}

static void add_end(opli_text *out, const inside *in)
{
    int64_t last = opli_clock_fit_real_ns(&in->recording, in->contents.last_ns);
    if (in->recording.cut[0]) {
        opli_text_addf(out, "  cut short %s; the last event ends at ", in->recording.cut);
        opli_text_add_date(out, last);
        opli_text_addf(out, "\n");
    }
    if (in->recording.damage_count)
        opli_text_addf(out, "  damaged   %s (%" PRIu64 " in all)\n", in->recording.damage, in->recording.damage_count);
}

static void add_table(opli_text *out, const opli_table *table)
{
    if (opli_table_rows(table))
        opli_table_print(table, opli_terminal_width(), out);
}

static void add_text(opli_text *out, const inside *in)
{
    add_headline(out, in);
    add_process(out, in);
    add_holdings(out, in);
    add_counts(out, in);
    add_drops(out, in);
    add_end(out, in);
    add_table(out, &in->contents.kinds);
    add_table(out, &in->contents.threads);
    add_table(out, &in->contents.devices);
    add_table(out, &in->contents.metadata);
    if (opli_table_rows(&in->contents.controls) > 3) /* more than start, select and stop */
        add_table(out, &in->contents.controls);
}

/* ---- for programs ---- */

static void add_json_text(opli_text *out, const char *key, const char *text)
{
    opli_text_addf(out, ", \"%s\": ", key);
    opli_text_add_json(out, text, strlen(text));
}

static void add_json_tally(opli_text *out, const opli_tally *t, uint64_t dropped)
{
    opli_text_addf(out,
                   "{\"spans\": %" PRIu64 ", \"open_spans\": %" PRIu64 ", \"instants\": %" PRIu64
                   ", \"counters\": %" PRIu64 ", \"memory_events\": %" PRIu64 ", \"flows\": %" PRIu64
                   ", \"arguments\": %" PRIu64 ", \"dropped\": %" PRIu64 "}",
                   t->spans, t->open_spans, t->instants, t->counters, t->memory_events, t->flows, t->arguments,
                   dropped);
}

static void add_json_drops(opli_text *out, const opli_contents *contents)
{
    opli_text_addf(out, ", \"dropped\": {");
    for (uint32_t reason = 0; reason < OPLI_DROP_COUNT; reason++)
        opli_text_addf(out, "%s\"%s\": %" PRIu64, reason ? ", " : "", opli_drop_word(reason),
                       contents->dropped[reason]);
    opli_text_addf(out, "}");
}

static void add_json_table(opli_text *out, const char *key, const opli_table *table)
{
    opli_text_addf(out, ", \"%s\": ", key);
    opli_table_print_json(table, out);
}

static void add_json_process(opli_text *out, const inside *in)
{
    const opli_wire_header *header = &in->recording.header;
    opli_text_addf(out, "{\"file\": ");
    opli_text_add_json(out, in->path, strlen(in->path));
    add_json_text(out, "state", state_word(in));
    add_json_text(out, "cut", in->recording.cut);
    add_json_text(out, "damage", in->recording.damage);
    opli_text_addf(out, ", \"size_bytes\": %zu, \"version\": %u, \"pid\": %u, \"ppid\": %u", in->recording.size,
                   header->version, header->pid, header->ppid);
    add_json_text(out, "host", header->host);
    add_json_text(out, "program", header->program);
    add_json_text(out, "command", header->command);
    add_json_text(out, "recorder", header->recorder);
    add_json_text(out, "clock", clock_word(header->clock));
    opli_text_addf(out,
                   ", \"start_real_ns\": %" PRId64 ", \"first_ns\": %" PRId64 ", \"last_ns\": %" PRId64
                   ", \"duration_ns\": %" PRId64 ", \"sessions\": %u, \"events\": ",
                   header->start_real_ns, in->contents.first_ns, in->contents.last_ns, duration_ns(in),
                   header->sessions);
    add_json_tally(out, &in->contents.total, in->contents.dropped_total);
    add_json_drops(out, &in->contents);
    add_json_table(out, "kinds", &in->contents.kinds);
    add_json_table(out, "threads", &in->contents.threads);
    add_json_table(out, "devices", &in->contents.devices);
    add_json_table(out, "metadata", &in->contents.metadata);
    add_json_table(out, "controls", &in->contents.controls);
    opli_text_addf(out, "}");
}

/* ---- the command ---- */

typedef struct answer {
    opli_text out;
    bool json;
    size_t shown;
    opli_tally total;
    uint64_t dropped;
} answer;

static void add_up(answer *a, const inside *in)
{
    const opli_tally *t = &in->contents.total;
    a->total.spans += t->spans;
    a->total.open_spans += t->open_spans;
    a->total.instants += t->instants;
    a->total.counters += t->counters;
    a->total.memory_events += t->memory_events;
    a->total.flows += t->flows;
    a->total.arguments += t->arguments;
    a->dropped += in->contents.dropped_total;
}

static int show_file(const opli_given *given, const char *path, answer *a)
{
    inside in = {.path = path};
    opl_error err;
    if (opli_recording_open(&in.recording, path, &err) != OPL_OK) {
        opli_complain(given, "%s", err.message);
        return OPLI_EXIT_FAILED;
    }
    opl_status st = opli_contents_read(&in.recording, &in.contents);
    if (st == OPL_OK) {
        opli_text_addf(&a->out, "%s", !a->shown++ ? "" : a->json ? ", " : "\n");
        (a->json ? add_json_process : add_text)(&a->out, &in);
        add_up(a, &in);
        opli_contents_free(&in.contents);
    } else {
        opli_complain(given, "%s: %s", path, opl_status_sentence(st));
    }
    bool damaged = in.recording.damage_count;
    if (damaged)
        opli_complain(given, "%s is damaged, and what is whole is shown: %s", path, in.recording.damage);
    opli_recording_close(&in.recording);
    return st == OPL_OK && !damaged ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}

/* A trace of another tool's: what its store holds. */
static int show_foreign(const opli_given *given, const char *path, answer *a)
{
    opli_trace trace;
    opli_table table = {.column_count = 0};
    opl_error err = {OPL_OK, ""};
    opl_status st = opli_trace_open(&path, 1, &trace, &err);
    if (st == OPL_OK)
        st = opli_analysis_info.run(&trace, &(opli_question){0}, &table, &err);
    if (st != OPL_OK) {
        opli_complain(given, "%s", err.message);
    } else if (a->json) {
        opli_text_addf(&a->out, "%s{\"file\": ", a->shown++ ? ", " : "");
        opli_text_add_json(&a->out, path, strlen(path));
        add_json_table(&a->out, "info", &table);
        opli_text_addf(&a->out, "}");
    } else {
        opli_text_addf(&a->out, "%s%s:\n", a->shown++ ? "\n" : "", path);
        add_table(&a->out, &table);
    }
    a->total.spans += st == OPL_OK ? trace.spans.count : 0;
    opli_table_free(&table);
    if (st == OPL_OK)
        opli_trace_free(&trace);
    return st == OPL_OK ? OPLI_EXIT_OK : OPLI_EXIT_FAILED;
}

/* Whether it is a trace of some other tool's; its beginning tells. */
static bool is_foreign(const char *path)
{
    opli_source source;
    if (opli_source_open_growing(&source, path, NULL, NULL) != OPL_OK)
        return false;
    const opli_importer *importer = opli_importer_find(&source);
    opli_source_close(&source);
    return importer && importer != &opli_importer_recording;
}

static int run_info(const opli_given *given)
{
    opli_input_files files = {0};
    answer a = {.json = opli_given_value(given, "json") != NULL};
    opl_error err;
    int status = OPLI_EXIT_OK;
    for (size_t i = 0; i < given->operand_count; i++) {
        if (opli_input_files_add(&files, given->operands[i], &err) != OPL_OK) {
            opli_complain(given, "%s", err.message);
            status = OPLI_EXIT_FAILED;
        }
    }
    opli_text_addf(&a.out, "%s", a.json ? "{\"processes\": [" : "");
    for (size_t i = 0; i < files.count; i++)
        if ((is_foreign(files.items[i]) ? show_foreign : show_file)(given, files.items[i], &a) != OPLI_EXIT_OK)
            status = OPLI_EXIT_FAILED;
    if (a.json) {
        opli_text_addf(&a.out, "], \"total\": ");
        add_json_tally(&a.out, &a.total, a.dropped);
        opli_text_addf(&a.out, "}\n");
    }
    if (a.out.length)
        fwrite(a.out.bytes, 1, a.out.length, stdout);
    opli_text_free(&a.out);
    opli_input_files_free(&files);
    return status;
}

static const opli_option info_options[] = {{"json", NULL, "print JSON, with exact numbers"}, {NULL, NULL, NULL}};

const opli_command opli_cmd_info = {
    .name = "info",
    .operands = "FILE...",
    .summary = "show what is inside a recording or any other trace",
    .details = "Names the process, its threads and devices, counts spans and other events, and says what was\n"
               "dropped and why, and whether the recording was cut short. FILE may be a directory of recordings,\n"
               "or a trace of any format that we read; then it says what had to be mended, too.\n"
               "Exits with 1 when a file cannot be read or is damaged.",
    .examples = "  oplens info run.opl\n  oplens info run.pt.trace.json.gz\n  oplens info --json traces/ | jq .total",
    .options = info_options,
    .least_operands = 1,
    .run = run_info,
};
