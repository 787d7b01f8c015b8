/* record.h - start and stop recording, and choose what is recorded.
 *
 *     opl_recorder_start(&(opl_recorder_options){.path = "run.opl"}, &err);
 *     ...
 *     opl_recorder_stop();
 *
 * A program that links liboplens needs none of this: OPLENS_OUTPUT=run.opl in the environment
 * records it from before main to after the last exit handler. See docs/reference/environment.md.
 * Threads: every call may be made from any thread; start, stop and clear wait for each other.
 * Lifetime: one recording per process; a forked child goes on in a file of its own. */
#ifndef OPLENS_RECORD_H
#define OPLENS_RECORD_H

#include <stdint.h>

#include <oplens/annotate.h>
#include <oplens/error.h>

#ifndef OPL_CHECK_OWN_HEADERS
#pragma GCC system_header /* nested OPL_RECORD blocks shadow one variable, on purpose */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What to record, and where; `{0}` with a path is sensible. */
typedef struct opl_recorder_options {
    const char *path;     /* %p pid, %h host, %t start time, %i first free number, %% percent;
                             a directory gets a file named by host, pid and start time */
    int level;            /* 1 (or 0): inferences, ops, kernels, copies, labels; 2: everything */
    uint32_t categories;  /* bits of OPL_CATEGORY_BIT(); 0 means all */
    uint64_t limit_bytes; /* stop adding to the file near this size; 0 means no limit */
    uint64_t ring_bytes;  /* keep only about the last so many bytes; 0 means keep all */
    int no_writer_thread; /* let each thread write its own full chunks */
} opl_recorder_options;

/** Starts recording. The path of an earlier recording of this process is continued, so that
 *  start and stop may be repeated and nothing is lost; any other file there is replaced, unless
 *  another process is recording into it: then the pid is added to the name.
 *  @return OPL_OK, OPL_INVALID, OPL_IO, OPL_NOMEM, or OPL_STATE when already started */
OPL_API opl_status opl_recorder_start(const opl_recorder_options *options, opl_error *err);

/** Stops and closes the file. Spans that are open stay open in it. Does nothing when stopped. */
OPL_API void opl_recorder_stop(void);

/** Forgets what was recorded so far and records on, into the same path.
 *  @return OPL_OK, OPL_IO, or OPL_STATE when not recording */
OPL_API opl_status opl_recorder_clear(opl_error *err);

/** The file being written, or written last; "" when there was none. Copies at most `size` bytes. */
OPL_API void opl_recorder_path(char *path, size_t size);

/** Whether spans of that category are recorded right now: worth asking before an argument that is
 *  expensive to make. */
static inline int opl_recorder_is_on(opl_category category) { return (opl_live() & OPL_GATE(category, 1)) != 0; }

/** Pauses and resumes. Idempotent; spans that are open when it happens are still ended, and the
 *  paused stretch is marked in the trace. */
OPL_API void opl_recorder_pause(void);
OPL_API void opl_recorder_resume(void);

/** Switches level and categories while running; 0 leaves as it is. */
OPL_API void opl_recorder_select(int level, uint32_t categories);

/** Reads `"op,kernel"`, `"all"`, `"all,-memory"` into bits.
 *  @return OPL_OK, or OPL_INVALID with the list of right words */
OPL_API opl_status opl_categories_parse(const char *text, uint32_t *categories, opl_error *err);

/** A fact about the run for the trace: `opl_metadata_set("model", "resnet18")`. */
OPL_API void opl_metadata_set(const char *key, const char *value);

/** The calling thread's name in the trace. */
OPL_API void opl_thread_name(const char *name);

/* ---- labels ------------------------------------------------------------------------------ */

/** A labelled record; with OPL_WARM_UP the block runs and nothing in it is recorded, on any thread. */
typedef struct opl_label {
    opl_span span;
    int warm_up;
} opl_label;

enum { OPL_RECORD_PLAIN = 0, OPL_WARM_UP = 1 };

#define OPL_RECORD(name, flags)                                                                               \
    for (opl_label opl_this_label __attribute__((cleanup(opl_label_end))) = opl_label_begin((name), (flags)), \
                                  *opl_label_once_ = &opl_this_label;                                         \
         opl_label_once_; opl_label_once_ = NULL)

OPL_API opl_label opl_label_begin(const char *name, int flags);
OPL_API void opl_label_end(opl_label *label);

/* ---- steps ------------------------------------------------------------------------------- */

/** Which turns of a loop to record: after skip_first turns, cycles of wait (nothing), warmup
 *  (nothing yet, but the program is warm) and active (recorded) turns; `repeat` cycles, 0 for
 *  no end. With skip_first_wait the first cycle has no wait. Every cycle is kept and numbered. */
typedef struct opl_schedule {
    uint32_t skip_first;
    uint32_t wait;
    uint32_t warmup;
    uint32_t active;
    uint32_t repeat;
    int skip_first_wait;
} opl_schedule;

/** Sets the schedule and begins turn 0; NULL takes it away. `active` must be at least 1. */
OPL_API opl_status opl_schedule_set(const opl_schedule *schedule, opl_error *err);

/** Ends a turn of the loop and begins the next. Without a schedule every turn is recorded. */
OPL_API void opl_schedule_step(void);

#ifdef __cplusplus
}
#endif
#endif
