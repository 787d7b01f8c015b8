/* folded.c - a trace as folded stacks, for flamegraph.pl, inferno and speedscope.
 *
 * One line a distinct stack: names from the outermost in, joined by semicolons, a space, its own
 * time in whole microseconds. As in torch's export_stacks, spaces and semicolons inside names become
 * underscores. The host's threads are taken together; a device's queues stand below the device. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "export/exporter.h"
#include "export/stack_tree.h"

enum { NAME_FRAME = 0, DEVICE_FRAME = 1, TRACK_FRAME = 2 };

static bool add_track(opli_stack_tree *tree, const opli_trace *trace, uint32_t track)
{
    uint32_t device = trace->tracks.items[track].device, root = OPLI_STACK_ROOT;
    if (device != OPLI_NO_ROW) {
        root = opli_stack_tree_frame(tree, OPLI_STACK_ROOT, device, DEVICE_FRAME);
        if (root != OPLI_KEY_NONE)
            root = opli_stack_tree_frame(tree, root, track, TRACK_FRAME);
        if (root == OPLI_KEY_NONE)
            return false;
    }
    return opli_stack_tree_add_track(tree, trace, track, root);
}

/* Adds a frame's word, with what would end it replaced. */
static void add_frame(const opli_trace *trace, const opli_key *frame, opli_text *line)
{
    size_t from = line->length;
    uint32_t id = (uint32_t)frame->words[1];
    if (frame->words[2] == DEVICE_FRAME)
        opli_device_label(trace, id, line);
    else if (frame->words[2] == TRACK_FRAME)
        opli_track_label(trace, id, line);
    else
        opli_text_add(line, id ? opli_trace_text(trace, id) : "unnamed",
                      id ? opli_string_length(&trace->strings, id) : 7);
    for (size_t i = from; i < line->length; i++)
        if (strchr(" ;\t\r\n", line->bytes[i])) /* and the zero byte, which strchr finds too */
            line->bytes[i] = '_';
}

typedef OPLI_VECTOR(uint32_t) stack_path;

static bool write_line(const opli_trace *trace, const opli_stack_tree *tree, uint32_t stack, stack_path *path,
                       opli_text *line)
{
    path->count = 0;
    opli_text_reset(line);
    for (; stack != OPLI_STACK_ROOT; stack = (uint32_t)tree->frames.keys[stack].words[0]) {
        uint32_t *added = opli_vector_add(path);
        if (!added)
            return false;
        *added = stack;
    }
    for (size_t i = path->count; i-- > 0;) {
        add_frame(trace, &tree->frames.keys[path->items[i]], line);
        opli_text_add(line, ";", i ? 1 : 0);
    }
    return !line->cut;
}

static bool write_stacks(const opli_trace *trace, const opli_stack_tree *tree, FILE *file)
{
    opli_text line = {0};
    stack_path path = {0};
    bool ok = true;
    for (uint32_t stack = 0; ok && stack < tree->self_ns.count; stack++) {
        int64_t us = (tree->self_ns.items[stack] + 500) / 1000;
        if (us <= 0)
            continue;
        ok = write_line(trace, tree, stack, &path, &line);
        if (ok)
            fprintf(file, "%s %" PRId64 "\n", line.bytes, us);
    }
    opli_vector_free(&path);
    opli_text_free(&line);
    return ok;
}

static opl_status write_folded(const opli_trace *trace, const opli_export_options *options, FILE *file, opl_error *err)
{
    opli_stack_tree tree = {{0}, {0}};
    bool ok = true;
    (void)options;
    for (size_t track = 0; ok && track < trace->tracks.count; track++)
        ok = add_track(&tree, trace, (uint32_t)track);
    ok = ok && write_stacks(trace, &tree, file);
    opli_stack_tree_free(&tree);
    if (!ok)
        return opli_fail(err, OPL_NOMEM, "there was not enough memory to fold the stacks");
    if (fflush(file) != 0 || ferror(file))
        return opli_fail(err, OPL_IO, "the stacks could not be written: %s", strerror(errno));
    return OPL_OK;
}

const opli_exporter opli_exporter_folded = {
    .name = "folded",
    .suffix = ".folded",
    .summary = "folded stacks with their own time in microseconds, for flame graphs",
    .write = write_folded,
};
