/* neural_engine_importer.c - the trace of Intel's Neural Engine: Chrome JSON whose times are made up.
 *
 * The engine measures how long each operator takes and lays them end to end when it writes the file; so
 * durations are real, and starts are not. Its numbers have six digits. */
#include <string.h>

#include "import/importer.h"

#define MADE_UP "the file holds no start times: Neural Engine laid its operators end to end"

static bool recognises(const opli_source *source)
{
    static const char beginning[] = "{\"otherData\": {}, \"traceEvents\": [{\"cat\":\"inference\"";
    return source->size >= sizeof beginning - 1 && memcmp(source->bytes, beginning, sizeof beginning - 1) == 0;
}

static opl_status read_engine(const opli_source *source, opli_builder *builder, opl_error *err)
{
    size_t first = builder->draft_count;
    opl_status st = opli_importer_chrome.read(source, builder, err);
    if (st != OPL_OK)
        return st;
    opli_builder_flag_spans(builder, first, OPLI_SPAN_SYNTHETIC);
    builder->trace->source = opli_builder_word(builder, "Neural Engine");
    opli_builder_note(builder, MADE_UP, 1, false);
    return OPL_OK;
}

const opli_importer opli_importer_neural_engine = {
    .name = "neural_engine",
    .summary = "the trace of Intel's Neural Engine",
    .recognises = recognises,
    .read = read_engine,
};
