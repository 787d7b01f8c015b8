/* importer.h - a format we read: how it is recognised, and how it fills a trace.
 *
 * A new one: one file that ends in its descriptor, and one word in OPLI_IMPORTERS. */
#ifndef OPLI_IMPORT_IMPORTER_H
#define OPLI_IMPORT_IMPORTER_H

#include "import/source.h"
#include "trace/builder.h"

typedef struct opli_importer {
    const char *name;    /* "chrome" */
    const char *summary; /* "Chrome trace JSON, with PyTorch's, ONNX Runtime's and TensorFlow's words" */
    bool reads_growing;  /* it can wait for bytes that are not there yet: opli_source_wait() */
    /* Whether the file looks like it, by its content; of one that grows the beginning is there. */
    bool (*recognises)(const opli_source *source);
    /* Adds all that is in it; what had to be mended or skipped is noted. OPL_FORMAT only when
     * nothing at all could be made of the file. */
    opl_status (*read)(const opli_source *source, opli_builder *builder, opl_error *err);
} opli_importer;

/* In the order they are asked; the pickiest first. */
#define OPLI_IMPORTERS(X) X(recording) X(prof) X(furiosa) X(neural_engine) X(chrome)

#define OPLI_DECLARE_IMPORTER(name) extern const opli_importer opli_importer_##name;
OPLI_IMPORTERS(OPLI_DECLARE_IMPORTER)
#undef OPLI_DECLARE_IMPORTER

/* The one that recognises the file, or NULL. */
const opli_importer *opli_importer_find(const opli_source *source);

/* Opens one or more files as one trace, which the caller frees. The files must not be directories. */
opl_status opli_trace_open(const char *const *paths, size_t count, opli_trace *trace, opl_error *err);

/* `{0}` is sensible. */
typedef struct opli_open_options {
    const opli_progress *progress; /* may be NULL */
    /* Asked about a file that cannot be read: true goes on without it. NULL: never. */
    bool (*skips)(void *context, size_t file, const opl_error *why);
    void *context;
    bool sums_will_do; /* the trace may come with sums instead of spans */
} opli_open_options;

opl_status opli_trace_open_with(const char *const *paths, size_t count, const opli_open_options *options,
                                opli_trace *trace, opl_error *err);

#endif
