/* exporter.c - the list of formats we write, and words they share. */
#include "export/exporter.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

#define ADDRESS(name) &opli_exporter_##name,
const opli_exporter *const opli_exporters[] = {OPLI_EXPORTERS(ADDRESS) NULL};
#undef ADDRESS

const opli_exporter *opli_exporter_find(const char *name)
{
    for (size_t i = 0; opli_exporters[i]; i++)
        if (strcmp(opli_exporters[i]->name, name) == 0)
            return opli_exporters[i];
    return NULL;
}

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t suffix_length = strlen(suffix);
    return length > suffix_length && memcmp(path + length - suffix_length, suffix, suffix_length) == 0;
}

const opli_exporter *opli_exporter_of_path(const char *path)
{
    const opli_exporter *best = NULL;
    size_t length = strlen(path);
    length -= ends_in(path, length, ".gz") ? 3 : 0;
    for (size_t i = 0; opli_exporters[i]; i++)
        if (ends_in(path, length, opli_exporters[i]->suffix) &&
            (!best || strlen(opli_exporters[i]->suffix) > strlen(best->suffix)))
            best = opli_exporters[i];
    return best;
}

void opli_track_label(const opli_trace *trace, uint32_t track, opli_text *out)
{
    static const char *const kinds[] = {"thread", "queue", "async"};
    const opli_track *t = &trace->tracks.items[track];
    if (t->name)
        opli_text_add(out, opli_trace_text(trace, t->name), opli_string_length(&trace->strings, t->name));
    else
        opli_text_addf(out, "%s %" PRId64, kinds[t->kind], t->number);
}

void opli_device_label(const opli_trace *trace, uint32_t device, opli_text *out)
{
    const opli_device *d = &trace->devices.items[device];
    for (const char *c = opli_trace_text(trace, d->kind); *c; c++)
        opli_text_addf(out, "%c", toupper((unsigned char)*c));
    opli_text_addf(out, " %" PRId64, d->id);
}
