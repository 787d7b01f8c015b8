/* exporter.h - a format we write: how it is chosen, and how a trace is written in it.
 *
 * A new one: one file that ends in its descriptor, and one word in OPLI_EXPORTERS. An exporter only
 * reads the trace, streams, and writes the same bytes when asked again. */
#ifndef OPLI_EXPORT_EXPORTER_H
#define OPLI_EXPORT_EXPORTER_H

#include <stdio.h>

#include "base/text.h"
#include "trace/trace.h"

/* `{0}` is sensible. */
typedef struct opli_export_options {
    bool begin_end; /* two events a span, B and E, where the format knows them */
} opli_export_options;

typedef struct opli_exporter {
    const char *name;    /* "chrome" */
    const char *suffix;  /* ".json": a file of that name is written in this format */
    const char *summary; /* one line */
    /* OPL_OK, OPL_IO, OPL_NOMEM. */
    opl_status (*write)(const opli_trace *trace, const opli_export_options *options, FILE *file, opl_error *err);
} opli_exporter;

#define OPLI_EXPORTERS(X) X(chrome) X(folded) X(speedscope) X(prof)

#define OPLI_DECLARE_EXPORTER(name) extern const opli_exporter opli_exporter_##name;
OPLI_EXPORTERS(OPLI_DECLARE_EXPORTER)
#undef OPLI_DECLARE_EXPORTER

/* All of them, ended by NULL. */
extern const opli_exporter *const opli_exporters[];

/* The exporter of that name, or the one with the longest suffix that `path` ends in, before .gz if
 * that stands there; NULL when there is none. */
const opli_exporter *opli_exporter_find(const char *name);
const opli_exporter *opli_exporter_of_path(const char *path);

/* A track as people call it: its name, or what it is and its number. */
void opli_track_label(const opli_trace *trace, uint32_t track, opli_text *out);

/* A device likewise: "GPU 0". */
void opli_device_label(const opli_trace *trace, uint32_t device, opli_text *out);

#endif
