/* builder.h - fill a trace: add events in any order, then finish it once.
 *
 * Nothing is lost in silence: what an importer mends or skips it notes, and the note carries a count.
 * Failure is sticky: when there is no memory every further call does nothing, and finishing says so. */
#ifndef OPLI_TRACE_BUILDER_H
#define OPLI_TRACE_BUILDER_H

#include "base/key_map.h"
#include "trace/trace.h"

/* A span as it is read. Arguments are those added since the event before, see opli_builder_arg(). */
typedef struct opli_span_draft {
    int64_t start_ns, duration_ns;
    uint32_t name, category, track;
    uint8_t kind, flags;
} opli_span_draft;

typedef struct opli_builder {
    opli_trace *trace;
    opli_array draft_times, draft_rests;
    size_t draft_count, pending_args;
    opli_key_map sum_rows, process_rows, track_rows, device_rows; /* a key's number is its row */
    int64_t duration_sum_ns, memory_sum_bytes;
    int64_t earliest_ns, latest_ns; /* of all events since opli_builder_begin_file() */
    uint32_t file, next_file;
    bool has_file, clock_known; /* a file with events was read; what its times mean on the wall clock */
    bool sums_will_do;          /* who asks wants no more than the trace's sums */
    bool out_of_memory;
} opli_builder;

/* Begins an empty trace, which the caller owns and frees also when building fails. */
void opli_builder_init(opli_builder *builder, opli_trace *trace);

/* Another file begins, whose clock is its own: base_real_ns is what it says. */
typedef struct opli_builder_mark {
    size_t drafts, instants, counters, memory, flows;
    int64_t base_real_ns;
} opli_builder_mark;
opli_builder_mark opli_builder_begin_file(opli_builder *builder);

/* Puts the events added since then on the clock of those before, where both are known. */
void opli_builder_end_file(opli_builder *builder, const opli_builder_mark *mark);

/* Marks all spans added since then. */
void opli_builder_flag_spans(opli_builder *builder, size_t first_draft, uint8_t flags);

/* Texts. */
uint32_t opli_builder_text(opli_builder *builder, const char *text, size_t length);
uint32_t opli_builder_word(opli_builder *builder, const char *text); /* ended by a zero */

/* The same in two steps, for who has several texts at once; see opli_string_hash(). */
uint32_t opli_builder_hash(const opli_builder *builder, const char *text, size_t length);
uint32_t opli_builder_hashed_text(opli_builder *builder, const char *text, size_t length, uint32_t hash);

/* Rows, made on first mention. `device` may be OPLI_NO_ROW. */
uint32_t opli_builder_process(opli_builder *builder, int64_t pid);
uint32_t opli_builder_device(opli_builder *builder, const char *kind, int64_t id);
uint32_t opli_builder_track(opli_builder *builder, enum opli_track_kind kind, uint32_t process, uint32_t device,
                            int64_t number);

/* The row if it was mentioned, or OPLI_NO_ROW. */
uint32_t opli_builder_device_find(const opli_builder *builder, const char *kind, int64_t id);
uint32_t opli_builder_process_find(const opli_builder *builder, int64_t pid);
uint32_t opli_builder_track_find(const opli_builder *builder, enum opli_track_kind kind, uint32_t process,
                                 uint32_t device, int64_t number);

/* An argument of the next event. */
void opli_builder_arg(opli_builder *builder, uint32_t key, enum opli_arg_type type, uint64_t value);
void opli_builder_arg_real(opli_builder *builder, uint32_t key, double value);

/* No event lies further than this from time 0, some 146 years; and all spans together are no longer, so
 * that no difference and no sum of times overflows. What would is mended and noted. */
#define OPLI_TIME_MAX (INT64_MAX / 2)

/* Events; those with arguments take the ones added before. */
void opli_builder_span(opli_builder *builder, const opli_span_draft *draft);
void opli_builder_instant(opli_builder *builder, opli_instant_row row);
void opli_builder_counter(opli_builder *builder, opli_counter_row row);
void opli_builder_memory(opli_builder *builder, opli_memory_row row);
void opli_builder_flow(opli_builder *builder, opli_flow_row row);

/* The sums of a name, which may come in several parts. */
void opli_builder_sum(opli_builder *builder, const opli_name_sum *sum);

/* Notes: the same sentence again only counts. */
void opli_builder_note(opli_builder *builder, const char *sentence, uint64_t count, bool is_loss);
void opli_builder_fact(opli_builder *builder, uint32_t key, uint32_t value);

/* Sorts, nests, binds flows and memory events to spans. OPL_OK or OPL_NOMEM. */
opl_status opli_builder_finish(opli_builder *builder);

#endif
