/* trace_open.c - any file, or several, as one trace. */
#include <string.h>

#include "base/failure.h"
#include "import/importer.h"

#define ADDRESS(name) &opli_importer_##name,
static const opli_importer *const importers[] = {OPLI_IMPORTERS(ADDRESS)};
#undef ADDRESS

/* Files one may well have beside one's traces, and what helps. */
static const struct {
    const char *bytes;
    size_t size;
    const char *advice;
} strangers[] = {
    {"PK\3\4", 4, "is a zip file; unpack it first"},
    {"BZh", 3, "is a bzip2 file; unpack it with bunzip2 first"},
    {"\xfd\x37zXZ", 5, "is an xz file; unpack it with unxz first"},
    {"SQLite format 3", 15, "is an SQLite database, as Nsight Systems exports them; we do not read those"},
    {"\x7f\x45LF", 4, "is a program, not a trace"},
};

static opl_status refuse(const opli_source *source, opl_error *err)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (source->size > strangers[i].size && memcmp(source->bytes, strangers[i].bytes, strangers[i].size) == 0)
            return opli_fail(err, OPL_FORMAT, "%s: %s", source->path, strangers[i].advice);
    return opli_fail(err, OPL_FORMAT, "%s: is not a trace in any format we know", source->path);
}

const opli_importer *opli_importer_find(const opli_source *source)
{
    for (size_t i = 0; i < sizeof importers / sizeof *importers; i++)
        if (importers[i]->recognises(source))
            return importers[i];
    return NULL;
}

static opl_status read_source(opli_source *source, opli_builder *builder, opl_error *err)
{
    const opli_importer *importer = opli_importer_find(source);
    if (importer && !importer->reads_growing)
        opli_source_finish(source);
    return importer ? importer->read(source, builder, err) : refuse(source, err);
}

static opl_status read_file(const char *path, const opli_open_options *options, opli_builder *builder, opl_error *err)
{
    opli_source source;
    opl_status st = opli_source_open_growing(&source, path, options->progress, err);
    opli_builder_mark mark = opli_builder_begin_file(builder);
    if (st == OPL_OK)
        st = read_source(&source, builder, err);
    opli_builder_end_file(builder, &mark);
    opli_source_finish(&source);
    if (st == OPL_OK)
        opli_builder_note(builder, "compressed files are damaged or cut: what comes after the damage is missing",
                          source.damaged, true);
    opli_source_close(&source);
    return st;
}

/* A file that may be skipped is no reason to fail, as long as there is memory. */
static opl_status read_or_skip(const char *path, size_t number, const opli_open_options *options, opli_builder *builder,
                               opl_error *err)
{
    opl_error why = {OPL_OK, ""};
    opl_status st = read_file(path, options, builder, &why);
    if (st != OPL_OK && st != OPL_NOMEM && options->skips && options->skips(options->context, number, &why))
        return OPL_OK;
    if (st != OPL_OK && err)
        *err = why;
    return st;
}

opl_status opli_trace_open(const char *const *paths, size_t count, opli_trace *trace, opl_error *err)
{
    return opli_trace_open_with(paths, count, &(opli_open_options){0}, trace, err);
}

opl_status opli_trace_open_with(const char *const *paths, size_t count, const opli_open_options *options,
                                opli_trace *trace, opl_error *err)
{
    opli_builder builder;
    opl_status st = OPL_OK;
    opli_builder_init(&builder, trace);
    builder.sums_will_do = options->sums_will_do && count == 1;
    for (size_t i = 0; st == OPL_OK && i < count; i++)
        st = read_or_skip(paths[i], i, options, &builder, err);
    opl_status finished = opli_builder_finish(&builder);
    if (st == OPL_OK && finished != OPL_OK)
        st = opli_fail(err, finished, "%s: not enough memory for what is in it", paths[0]);
    if (st != OPL_OK)
        opli_trace_free(trace);
    return st;
}
