/* annotate.h - say what your program is doing: spans, arguments, instants, counters, memory, flows.
 *
 *     OPL_SPAN("attention", OPL_CAT_OP) {          // timed until the block is left, however it is left
 *         OPL_INT("batch", 8);                     // an argument of that span
 *         attention(q, k, v);
 *     }
 *
 * A span costs two clock reads while recording and one load and one branch while not.
 * Threads: everything here may be called from any thread, from signal handlers, before main and
 * after exit handlers; nothing takes a lock, fails, prints or changes errno. What cannot be
 * recorded is dropped and counted, and `oplens info` says how many and why.
 * Lifetime: names and texts are copied; an opl_site must outlive the calls that use it. */
#ifndef OPLENS_ANNOTATE_H
#define OPLENS_ANNOTATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <oplens/export.h>

#ifndef OPL_CHECK_OWN_HEADERS
#pragma GCC system_header /* nested OPL_SPAN blocks shadow one variable, on purpose */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds and levels ------------------------------------------------------------------- */

/** What a span is: the word, and whether it needs level 2 to be recorded. */
#define OPL_CATEGORY_LIST(X)                                       \
    X(MODEL, "model", 1)         /* a model is loaded, compiled */ \
    X(INFERENCE, "inference", 1) /* one run of a model */          \
    X(STEP, "step", 1)           /* one turn of a loop */          \
    X(OP, "op", 1)               /* an operator */                 \
    X(KERNEL, "kernel", 1)       /* work on a device */            \
    X(COPY, "copy", 1)           /* bytes moved */                 \
    X(SET, "set", 1)             /* bytes filled */                \
    X(SYNC, "sync", 2)           /* waiting for a device */        \
    X(API, "api", 2)             /* a runtime's own call */        \
    X(COMM, "comm", 1)           /* talk between processes */      \
    X(DATA, "data", 1)           /* the input pipeline */          \
    X(VM, "vm", 2)               /* a framework's instruction */   \
    X(FUNCTION, "function", 2)   /* a function of the program */   \
    X(LABEL, "label", 1)         /* a user's own record */         \
    X(MEMORY, "memory", 1)       /* allocations and releases */    \
    X(COUNTER, "counter", 1)     /* values over time */

#define OPL_CATEGORY_ENUM(id, word, level) OPL_CAT_##id,
typedef enum opl_category { OPL_CATEGORY_LIST(OPL_CATEGORY_ENUM) OPL_CAT_COUNT } opl_category;
#undef OPL_CATEGORY_ENUM

/** The bit that switches a category on; `detail` spans of any category wait for level 2. */
#define OPL_CATEGORY_BIT(category) (1u << (unsigned)(category))
#define OPL_GATE(category, level) (OPL_CATEGORY_BIT(category) << ((level) > 1 ? 16 : 0))

/* ---- names ------------------------------------------------------------------------------ */

/** A name and where it stands in the source. One static opl_site per call site, or per name;
 *  the library fills `id` on first use. The OPL_ macros make them for you. */
typedef struct opl_site {
    uint32_t id;
    uint16_t category; /* an opl_category, or OPL_SITE_KEY */
    uint16_t level;    /* 1 or 2 */
    uint32_t line;
    const char *name;
    const char *file;
} opl_site;

#define OPL_SITE_KEY 0xff /* the category of an argument's key */

#define OPL_SITE_INIT(name, category, level)                                             \
    {                                                                                    \
        0, (uint16_t)(category), (uint16_t)(level), (uint32_t)__LINE__, (name), __FILE__ \
    }

/** A pointer to a static site made on the spot; `name` must be constant. */
#define OPL_SITE(name, category, level)                                              \
    __extension__({                                                                  \
        static opl_site opl_site_here_ = OPL_SITE_INIT((name), (category), (level)); \
        &opl_site_here_;                                                             \
    })
#define OPL_KEY(name) OPL_SITE(name, OPL_SITE_KEY, 1)

/** The site of a name that is only known at run time, found by content; never NULL, never to be
 *  freed. Costs a hash and a look-up; when the table is full, a site named "(too many names)". */
OPL_API opl_site *opl_site_find(const char *name, opl_category category, int level);
OPL_API opl_site *opl_key_find(const char *name);

/* ---- spans ------------------------------------------------------------------------------ */

/** An open span. Zeroed, it is one that is not recorded: every call accepts it and does nothing. */
typedef struct opl_span {
    uint64_t *record; /* its record in the stream, or NULL */
    uint64_t start;   /* ticks */
    uint64_t chunk;   /* the chunk the record is in */
} opl_span;

/** A block that is timed. Leaving it by break, return, goto or an exception ends the span too;
 *  `continue` ends the block, as in any loop. */
#define OPL_SPAN(name, category) OPL_SPAN_AT (1, name, category)
/** The same, recorded only at level 2. */
#define OPL_SPAN_DETAIL(name, category) OPL_SPAN_AT (2, name, category)

#define OPL_SPAN_AT(level, name, category)                                                                         \
    for (opl_span opl_this_span __attribute__((cleanup(opl_span_end))) = OPL_SPAN_BEGIN_AT(level, name, category), \
                                *opl_once_ = &opl_this_span;                                                       \
         opl_once_; opl_once_ = NULL)

/** `opl_span s = OPL_SPAN_BEGIN("load", OPL_CAT_MODEL); ... opl_span_end(&s);` */
#define OPL_SPAN_BEGIN(name, category) OPL_SPAN_BEGIN_AT(1, name, category)
#define OPL_SPAN_BEGIN_AT(level, name, category) \
    opl_span_begin_gated(OPL_GATE(category, level), OPL_SITE(name, category, level))

/** Ends `span` and begins the next one with a single clock read. */
#define OPL_SPAN_NEXT(span, name, category) \
    opl_span_next_gated((span), OPL_GATE(category, 1), OPL_SITE(name, category, 1))

/** Begins a span. It may be ended by another thread, and after a pause. */
static inline opl_span opl_span_begin(opl_site *site);
/** Ends it, and empties the handle. Ending an empty handle does nothing. */
static inline void opl_span_end(opl_span *span);

/** Records a span that was timed elsewhere. On this thread's own track (`track` 0) and on host
 *  tracks the times are CLOCK_MONOTONIC nanoseconds, see opl_clock_ns(); on a device with a clock
 *  of its own they are that clock's ticks. Arguments may be added; it needs no end. */
OPL_API opl_span opl_span_timed(opl_site *site, uint32_t track, int64_t start, int64_t duration);

/** The time of an already-timed span: CLOCK_MONOTONIC in nanoseconds. */
OPL_API int64_t opl_clock_ns(void);

/* ---- arguments -------------------------------------------------------------------------- */

/** Element types of a tensor, and the word for each. */
/* clang-format off */
#define OPL_DTYPE_LIST(X) \
    X(UNKNOWN, "unknown") \
    X(F64, "f64") X(F32, "f32") X(F16, "f16") X(BF16, "bf16") X(F8E4M3, "f8e4m3") X(F8E5M2, "f8e5m2") \
    X(I64, "i64") X(I32, "i32") X(I16, "i16") X(I8, "i8") X(I4, "i4") \
    X(U64, "u64") X(U32, "u32") X(U16, "u16") X(U8, "u8") X(U4, "u4") \
    X(BOOL, "bool") X(C64, "c64") X(C128, "c128") X(STRING, "string")
/* clang-format on */
#define OPL_DTYPE_ENUM(id, word) OPL_DTYPE_##id,
typedef enum opl_dtype { OPL_DTYPE_LIST(OPL_DTYPE_ENUM) OPL_DTYPE_COUNT } opl_dtype;
#undef OPL_DTYPE_ENUM

/** A tensor as an operator sees it. Rank 0 is a scalar; a dimension of -1 is not known. */
typedef struct opl_tensor {
    const char *name; /* may be NULL */
    opl_dtype dtype;
    uint32_t rank;
    const int64_t *dims;
} opl_tensor;

/** Arguments of an open or already-timed span, of any span of this process whose handle you hold. */
static inline void opl_arg_int(const opl_span *span, opl_site *key, int64_t value);
static inline void opl_arg_real(const opl_span *span, opl_site *key, double value);
static inline void opl_arg_bool(const opl_span *span, opl_site *key, int value);
/** An unsigned number, an address. */
static inline void opl_arg_uint(const opl_span *span, opl_site *key, uint64_t value);
/** Text, copied; the same text again costs little. Over 16 KiB it is cut and marked as cut. */
OPL_API void opl_arg_text(const opl_span *span, opl_site *key, const char *text);
OPL_API void opl_arg_text_n(const opl_span *span, opl_site *key, const char *text, size_t length);
/** A list of numbers: strides, pads, a shape alone. */
OPL_API void opl_arg_ints(const opl_span *span, opl_site *key, const int64_t *values, size_t count);
/** A list of tensors with names, types and shapes. */
OPL_API void opl_arg_tensors(const opl_span *span, opl_site *key, const opl_tensor *tensors, size_t count);

#define OPL_INT(key, value) opl_arg_int(&opl_this_span, OPL_KEY(key), (value))
#define OPL_UINT(key, value) opl_arg_uint(&opl_this_span, OPL_KEY(key), (value))
#define OPL_REAL(key, value) opl_arg_real(&opl_this_span, OPL_KEY(key), (value))
#define OPL_BOOL(key, value) opl_arg_bool(&opl_this_span, OPL_KEY(key), (value))
#define OPL_TEXT(key, value) opl_arg_text(&opl_this_span, OPL_KEY(key), (value))
#define OPL_INTS(key, values, count) opl_arg_ints(&opl_this_span, OPL_KEY(key), (values), (count))
#define OPL_TENSORS(key, tensors, count) opl_arg_tensors(&opl_this_span, OPL_KEY(key), (tensors), (count))

/** One attribute of an operator, as text: `{"axis", "-1"}`. */
typedef struct opl_attribute {
    const char *name;
    const char *value;
} opl_attribute;

/** All that an operator's record can carry; `{0}` says nothing, and what is empty is left out.
 *  Indices count from 1 here so that 0 can mean "not said"; they are recorded from 0. */
typedef struct opl_operator {
    const char *op_type; /* "Conv" */
    const opl_tensor *inputs;
    size_t input_count;
    const opl_tensor *outputs;
    size_t output_count;
    const opl_attribute *attributes;
    size_t attribute_count;
    int64_t prepare_ns; /* reshape, shape inference; 0 = not said */
    int64_t forward_ns;
    uint32_t execution_index;
    uint32_t instruction_index;
    uint32_t operator_index;
} opl_operator;

/** Adds what `op` says to `span`, as arguments with the names the reports know. */
OPL_API void opl_arg_operator(const opl_span *span, const opl_operator *op);

/* ---- instants, counters, memory, flows --------------------------------------------------- */

/** A moment. Arguments may be added to what comes back; it needs no end. */
OPL_API opl_span opl_instant(opl_site *site);
#define OPL_INSTANT(name, category) ((void)opl_instant(OPL_SITE(name, category, 1)))

/** A value that holds from now until the next one of the same name on the same track. */
OPL_API void opl_counter_int(opl_site *site, uint32_t track, int64_t value);
OPL_API void opl_counter_real(opl_site *site, uint32_t track, double value);
#define OPL_COUNTER(name, value) opl_counter_real(OPL_SITE(name, OPL_CAT_COUNTER, 1), 0, (double)(value))

/** The same on a declared track, for a value that several threads share. */
#define OPL_COUNTER_ON(track, name, value) \
    opl_counter_real(OPL_SITE(name, OPL_CAT_COUNTER, 1), (track), (double)(value))

/** An allocation or release; a release may leave the size 0 when the pool does not know it. `used` is what tensors
 * hold, `allocated` what the pool took from the device, both after the event; -1 where the pool does not say. */
typedef struct opl_memory {
    uint32_t device; /* 0 is the host, else from opl_device_declare() */
    uint64_t address;
    uint64_t size_bytes;
    int64_t used_bytes;
    int64_t allocated_bytes;
} opl_memory;
OPL_API void opl_memory_alloc(const opl_memory *event);
OPL_API void opl_memory_free(const opl_memory *event);

/** An arrow from one span to another, in any thread or device: launch to kernel, forward to
 *  backward. Ids are yours (a correlation id), or fresh from opl_flow_new(). */
OPL_API uint64_t opl_flow_new(void);
OPL_API void opl_flow_begin(const opl_span *span, uint64_t flow);
OPL_API void opl_flow_step(const opl_span *span, uint64_t flow);
OPL_API void opl_flow_end(const opl_span *span, uint64_t flow);

/* ---- how it is done: the inlined half of the recorder ------------------------------------ */
/* What follows is compiled into your program, so its layout is fixed for as long as the symbols
 * are called _v1. Read src/record/README.md for the other half.
 *
 * Each thread fills a chunk of 16-byte records inside the mapped trace file. A span reserves one
 * record when it begins, {start, site}, and its end adds the duration: {start, (ticks+1) << 20 |
 * site}. The reservation is a single instruction, so a signal handler that records in between
 * takes the next record and disturbs nothing. */

#define OPL_SLOT_BYTES 65536u     /* a chunk while it is recorded; aligned to its size */
#define OPL_SLOT_HEADER_BYTES 64u /* in front of its records */
#define OPL_RECORD_BYTES 16u      /* one unit of a chunk */
#define OPL_SITE_LIMIT 0xff000u   /* sites are below; above are the tags of other records */
#define OPL_DURATION_BITS 44      /* longer spans end by a record of their own */
#define OPL_TAG_HOLE 0xff000u     /* reserved, and not written yet */
#define OPL_TAG_ARG_INT 0xff002u  /* see src/wire/record_tags.h for all tags */
#define OPL_TAG_ARG_UINT 0xff003u
#define OPL_TAG_ARG_REAL 0xff004u
#define OPL_TAG_ARG_BOOL 0xff005u

#define OPL_LIKELY(x) __builtin_expect(!!(x), 1)
#define OPL_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* One per recording thread, in the mapped file. Only its thread writes it. */
typedef struct opl_stream_v1 {
    uint64_t cursor; /* address of the next free record; at or above limit: ask the library */
    uint64_t limit;  /* address of the end of the chunk */
    uint64_t chunk;  /* the chunk's id; 0 makes every call take the careful way */
} opl_stream_v1;

extern OPL_API uint32_t opl_live_v1; /* the gates that are open; any thread may read */
extern OPL_API __thread opl_stream_v1 *opl_thread_v1 __attribute__((tls_model("initial-exec")));

OPL_API opl_span opl_span_begin_careful(opl_site *site, uint64_t reserved);
OPL_API void opl_span_end_careful(opl_span *span, uint64_t now);
OPL_API void opl_span_next_careful(opl_span *span, uint32_t gate, opl_site *site, uint64_t now, uint64_t reserved);
OPL_API void opl_arg_careful(const opl_span *span, opl_site *key, uint32_t tag, uint64_t value, uint64_t reserved);
OPL_API uint64_t opl_clock_ticks_careful(void);

static inline uint64_t opl_clock_ticks(void)
{
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return opl_clock_ticks_careful();
#endif
}

#if defined(__SANITIZE_THREAD__)
#define OPL_PLAIN_XADD_ 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OPL_PLAIN_XADD_ 0
#endif
#endif
#if !defined(OPL_PLAIN_XADD_) && defined(__x86_64__)
#define OPL_PLAIN_XADD_ 1
#endif

/* One instruction, so atomic against signals; no lock prefix, since no other thread reserves here. */
static inline uint64_t opl_stream_reserve(opl_stream_v1 *stream, uint64_t bytes)
{
#if OPL_PLAIN_XADD_
    __asm__ volatile("xaddq %0, %1" : "+r"(bytes), "+m"(stream->cursor) : : "cc", "memory");
    return bytes;
#else
    return __atomic_fetch_add(&stream->cursor, bytes, __ATOMIC_RELAXED);
#endif
}

static inline uint64_t opl_load_(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

static inline void opl_store_(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE); /* a plain store on x86; readers rely on the order */
}

/* Whether a reservation is in the chunk that ends at `limit`. A signal handler may turn to another
 * chunk between the two loads; then the address is of no use, whatever its order to the limit. */
static inline int opl_in_chunk_(uint64_t address, uint64_t limit)
{
    return limit - 1 - address < OPL_SLOT_BYTES - OPL_SLOT_HEADER_BYTES;
}

/* The id of the chunk that the record at `address` is in: the first word of its slot. */
static inline uint64_t opl_chunk_of(uint64_t address)
{
    return opl_load_((const uint64_t *)(uintptr_t)(address & ~(uint64_t)(OPL_SLOT_BYTES - 1)));
}

static inline uint32_t opl_live(void) { return __atomic_load_n(&opl_live_v1, __ATOMIC_RELAXED); }

static inline opl_span opl_span_begin_gated(uint32_t gate, opl_site *site)
{
    opl_span span = {NULL, 0, 0};
    if (OPL_LIKELY(!(opl_live() & gate)))
        return span;
    opl_stream_v1 *stream = opl_thread_v1;
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
    if (OPL_UNLIKELY(!stream || !id))
        return opl_span_begin_careful(site, 0);
    uint64_t address = opl_stream_reserve(stream, OPL_RECORD_BYTES);
    if (OPL_UNLIKELY(!opl_in_chunk_(address, opl_load_(&stream->limit))))
        return opl_span_begin_careful(site, address);
    span.record = (uint64_t *)(uintptr_t)address;
    span.chunk = opl_chunk_of(address);
    opl_store_(&span.record[0], 0);
    opl_store_(&span.record[1], id);
    span.start = opl_clock_ticks();
    opl_store_(&span.record[0], span.start);
    return span;
}

static inline opl_span opl_span_begin(opl_site *site)
{
    return opl_span_begin_gated(OPL_GATE(site->category, site->level), site);
}

/* Adds the duration if that can be done right here; 0 if not. The second look at the chunk is for
 * a signal handler that turned to a new chunk between the first look and the store. */
static inline int opl_span_patch_(opl_stream_v1 *stream, const opl_span *span, uint64_t now)
{
    if (OPL_UNLIKELY(!stream || opl_load_(&stream->chunk) != span->chunk))
        return 0;
    uint64_t word = opl_load_(&span->record[1]);
    uint64_t ticks = now - span->start + 1;
    if (OPL_UNLIKELY(word >= OPL_SITE_LIMIT || ticks >> OPL_DURATION_BITS))
        return 0;
    opl_store_(&span->record[1], word | ticks << 20);
    return OPL_LIKELY(opl_load_(&stream->chunk) == span->chunk) ? 1 : 0;
}

static inline void opl_span_end(opl_span *span)
{
    if (!span->record)
        return;
    uint64_t now = opl_clock_ticks();
    if (OPL_UNLIKELY(!opl_span_patch_(opl_thread_v1, span, now)))
        opl_span_end_careful(span, now);
    span->record = NULL;
}

static inline void opl_span_next_gated(opl_span *span, uint32_t gate, opl_site *site)
{
    uint64_t now = opl_clock_ticks();
    opl_stream_v1 *stream = opl_thread_v1;
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
    uint64_t address = 0;
    if (OPL_LIKELY(span->record && id && (opl_live() & gate)) && OPL_LIKELY(opl_span_patch_(stream, span, now))) {
        address = opl_stream_reserve(stream, OPL_RECORD_BYTES);
        if (OPL_LIKELY(opl_in_chunk_(address, opl_load_(&stream->limit)))) {
            uint64_t chunk = opl_chunk_of(address);
            if (OPL_UNLIKELY(chunk != span->chunk))
                now = opl_clock_ticks(); /* a signal handler turned to a chunk that is younger than `now` */
            span->record = (uint64_t *)(uintptr_t)address;
            span->chunk = chunk;
            span->start = now;
            opl_store_(&span->record[0], 0);
            opl_store_(&span->record[1], id);
            opl_store_(&span->record[0], now);
            return;
        }
        span->record = NULL; /* it has ended; only the next one is left to begin */
    }
    opl_span_next_careful(span, gate, site, now, address);
}

/* An argument stands after its span and says how many records back that is. */
static inline void opl_arg_put_(const opl_span *span, opl_site *key, uint32_t tag, uint64_t value)
{
    if (!span->record)
        return;
    opl_stream_v1 *stream = opl_thread_v1;
    uint64_t id = __atomic_load_n(&key->id, __ATOMIC_RELAXED);
    uint64_t address = 0;
    if (OPL_LIKELY(stream && id && opl_load_(&stream->chunk) == span->chunk)) {
        address = opl_stream_reserve(stream, OPL_RECORD_BYTES);
        if (OPL_LIKELY(opl_in_chunk_(address, opl_load_(&stream->limit)) && opl_chunk_of(address) == span->chunk)) {
            uint64_t *record = (uint64_t *)(uintptr_t)address;
            uint64_t back = (address - (uint64_t)(uintptr_t)span->record) / OPL_RECORD_BYTES;
            opl_store_(&record[1], OPL_TAG_HOLE | span->chunk << 52);
            opl_store_(&record[0], value);
            opl_store_(&record[1], tag | id << 20 | back << 40 | span->chunk << 52);
            return;
        }
    }
    opl_arg_careful(span, key, tag, value, address);
}

static inline void opl_arg_int(const opl_span *span, opl_site *key, int64_t value)
{
    opl_arg_put_(span, key, OPL_TAG_ARG_INT, (uint64_t)value);
}

static inline void opl_arg_uint(const opl_span *span, opl_site *key, uint64_t value)
{
    opl_arg_put_(span, key, OPL_TAG_ARG_UINT, value);
}

static inline void opl_arg_bool(const opl_span *span, opl_site *key, int value)
{
    opl_arg_put_(span, key, OPL_TAG_ARG_BOOL, value != 0);
}

static inline void opl_arg_real(const opl_span *span, opl_site *key, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    opl_arg_put_(span, key, OPL_TAG_ARG_REAL, bits);
}

#ifdef __cplusplus
}
#endif
#endif
