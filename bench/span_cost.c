/* span_cost.c - what does a span cost? Measures every promise we make about it, in one run.
 *
 * Rounds go over all cases in turn, so that a mood of the machine touches them alike, and each run
 * is held against the two clock reads measured right around it. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "findings.h"
#include "footprint.h"
#include "interrupt.h"
#include "recount.h"
#include "workplace.h"

#define RUNS_LEAST 7
#define FILE_BYTES_AT_MOST 32u /* per span, to know what room and how many warm pages a run takes */

typedef struct options {
    uint64_t spans;      /* per run */
    uint64_t long_spans; /* of the recording that is watched for memory; 0: none */
    uint32_t runs;
    const char *directory;
    const char *oplens; /* the command that counts spans, or NULL */
    bool json;
} options;

/* ---- options ---- */

static const char help[] =
    "usage: span_cost [options]\n"
    "Measures what a span costs, beside what we promise. Exits with 0 also when a promise is missed.\n\n"
    "  --spans N      spans per run (10000000)\n"
    "  --runs N       runs of each case, at least 7 (7)\n"
    "  --long N       spans of the recording that is watched for memory; 0 leaves it out (100000000)\n"
    "  --quick        --spans 2000000 --long 10000000\n"
    "  --dir DIR      where traces are written, for a moment each ($TMPDIR, or /tmp)\n"
    "  --oplens PATH  the oplens command, to count the spans in each trace\n"
    "  --json         print an array of objects\n";

static uint64_t read_number(const char *text, uint64_t least, uint64_t most)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end || number < least || number > most) {
        fprintf(stderr, "span_cost: '%s' is not a number from %llu to %llu\n", text, (unsigned long long)least,
                (unsigned long long)most);
        exit(2);
    }
    return number;
}

static void take_option(options *o, int option)
{
    switch (option) {
    case 's': o->spans = read_number(optarg, 1000, 1000000000) / OPLI_TRIAL_THREADS * OPLI_TRIAL_THREADS; break;
    case 'r': o->runs = (uint32_t)read_number(optarg, RUNS_LEAST, OPLI_FINDINGS_RUNS); break;
    case 'l': o->long_spans = read_number(optarg, 0, 10000000000); break;
    case 'q':
        o->spans = 2000000;
        o->long_spans = 10000000;
        break;
    case 'd': o->directory = optarg; break;
    case 'o': o->oplens = optarg; break;
    case 'j': o->json = true; break;
    default: fputs(help, option == 'h' ? stdout : stderr); exit(option == 'h' ? 0 : 2);
    }
}

static options read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"spans", required_argument, NULL, 's'},
        {"runs", required_argument, NULL, 'r'},
        {"long", required_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},
        {"dir", required_argument, NULL, 'd'},
        {"oplens", required_argument, NULL, 'o'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    options o = {.spans = 10000000, .long_spans = 100000000, .runs = RUNS_LEAST};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        take_option(&o, option);
    if (optind < argc)
        take_option(&o, '?');
    return o;
}

/* ---- measuring ---- */

static void say(const char *what, uint32_t done, uint32_t of)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s %u of %u%s", what, done, of, done == of ? "\r\033[K" : "");
}

/* Every case is recounted once, in the first round. */
static opl_status run_case(const options *o, const opli_workplace *place, opli_findings *f, uint32_t what,
                           uint32_t threads, uint32_t round, opl_error *err)
{
    opli_trial trial = {&opli_span_cases[what], threads, o->spans, place->trace};
    opl_status st = opli_trial_run(&trial, &f->samples[what][threads - 1][round], err);
    if (st == OPL_OK && round == 0 && !trial.what->disabled)
        f->tallies[what][threads - 1] = (opli_tally){(int64_t)o->spans, opli_recount_spans(o->oplens, place->trace)};
    opli_workplace_clear(place);
    return st;
}

static opl_status run_rounds(const options *o, const opli_workplace *place, opli_findings *f, opl_error *err)
{
    opl_status st = opli_workplace_warm(place, o->spans * FILE_BYTES_AT_MOST, err);
    f->runs = o->runs;
    for (uint32_t round = 0; round < o->runs; round++) {
        say("round", round + 1, o->runs);
        for (uint32_t what = 0; what < OPLI_SPAN_CASES; what++)
            for (uint32_t threads = 1; threads <= OPLI_TRIAL_THREADS; threads++)
                if (st == OPL_OK && !opli_interrupt_seen())
                    st = run_case(o, place, f, what, threads, round, err);
    }
    return st;
}

static opl_status watch_memory(const options *o, const opli_workplace *place, opli_findings *f, opl_error *err)
{
    const uint64_t lengths[2] = {o->long_spans / 100, o->long_spans};
    opl_status st = OPL_OK;
    for (uint32_t i = 0; i < 2 && lengths[0] && st == OPL_OK && !opli_interrupt_seen(); i++) {
        opli_footprint *print = &f->footprints[i];
        say("long recording", i + 1, 2);
        print->spans = lengths[i];
        snprintf(print->name, sizeof print->name, "%.6g million spans", (double)lengths[i] / 1e6);
        st = opli_footprint_measure(place->trace, lengths[i], &print->mib, err);
        if (st == OPL_OK)
            print->tally = (opli_tally){(int64_t)lengths[i], opli_recount_spans(o->oplens, place->trace)};
        opli_workplace_clear(place);
    }
    return st;
}

/* ---- telling ---- */

static void print_circumstances(const options *o, const opli_workplace *place)
{
    printf("What a span costs: %s, %ld cores, %s, %s\n", place->cpu, place->cores, place->kernel, place->date);
    printf("%llu spans per run, medians of %u interleaved runs, traces on %s\n", (unsigned long long)o->spans, o->runs,
           place->filesystem);
    printf("floors: times two bare clock reads on the same threads, measured right before and after each run\n");
    if (opli_workplace_is_memory(place))
        printf("note: %s is not a disk's file system; our promises are about those, see --dir\n", place->filesystem);
    putchar('\n');
}

static int finish(const options *o, const opli_workplace *place, const opli_findings *f, opl_status st,
                  const opl_error *err)
{
    if (opli_interrupt_seen()) {
        fprintf(stderr, "span_cost: interrupted\n");
        return 130;
    }
    if (st != OPL_OK) {
        fprintf(stderr, "span_cost: %s\n", err->message[0] ? err->message : opl_status_sentence(st));
        return 1;
    }
    opli_cost_table table = {.out = stdout, .json = o->json};
    if (!o->json)
        print_circumstances(o, place);
    opli_findings_print(f, &table);
    return 0;
}

int main(int argc, char **argv)
{
    static opli_findings findings;
    static opli_workplace place;
    opl_error err = {.message = ""};
    options o = read_options(argc, argv);
    opli_interrupt_watch();
    opl_status st = opli_workplace_init(&place, o.directory, &err);
    if (st == OPL_OK)
        st = run_rounds(&o, &place, &findings, &err);
    if (st == OPL_OK)
        st = watch_memory(&o, &place, &findings, &err);
    int outcome = finish(&o, &place, &findings, st, &err);
    opli_workplace_fini(&place);
    return outcome;
}
