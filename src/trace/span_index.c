/* span_index.c - which span of a track holds a moment? */
#include "trace/span_index.h"

#include <stdlib.h>

#define BLOCK_ROWS 64u

static int64_t end_of(const opli_spans *spans, size_t row) { return spans->start_ns[row] + spans->duration_ns[row]; }

static bool any_overlaps(const opli_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++)
        if (spans->lane[i])
            return true;
    return false;
}

static void fill_tree(opli_span_index *index)
{
    const opli_spans *spans = &index->trace->spans;
    for (size_t node = 0; node < 2 * index->leaves; node++)
        index->latest[node] = INT64_MIN;
    for (size_t row = 0; row < spans->count; row++) {
        int64_t *leaf = &index->latest[index->leaves + row / BLOCK_ROWS], end = end_of(spans, row);
        *leaf = end > *leaf ? end : *leaf;
    }
    for (size_t node = index->leaves; node-- > 1;) {
        int64_t left = index->latest[2 * node], right = index->latest[2 * node + 1];
        index->latest[node] = left > right ? left : right;
    }
}

bool opli_span_index_init(opli_span_index *index, const opli_trace *trace)
{
    *index = (opli_span_index){.trace = trace, .leaves = 1};
    if (!any_overlaps(&trace->spans))
        return true;
    while (index->leaves * BLOCK_ROWS < trace->spans.count)
        index->leaves *= 2;
    index->latest = malloc(2 * index->leaves * sizeof *index->latest);
    if (index->latest)
        fill_tree(index);
    return index->latest != NULL;
}

void opli_span_index_fini(opli_span_index *index)
{
    free(index->latest);
    *index = (opli_span_index){.trace = NULL};
}

/* Behind the last row of the track that begins at that time or before. */
static size_t find_begun(const opli_trace *trace, uint32_t track, int64_t time_ns)
{
    size_t low = trace->tracks.items[track].first, high = trace->tracks.items[track].end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->spans.start_ns[middle] <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last row of [first, end) that ends at that time or later. */
static uint32_t scan_rows(const opli_spans *spans, size_t first, size_t end, int64_t time_ns)
{
    for (size_t row = end; row-- > first;)
        if (end_of(spans, row) >= time_ns)
            return (uint32_t)row;
    return OPLI_NO_ROW;
}

/* The last block before this one that holds such a row, or SIZE_MAX. */
static size_t find_block(const opli_span_index *index, size_t before, int64_t time_ns)
{
    size_t node = index->leaves + before;
    while (node > 1 && !(node % 2 && index->latest[node - 1] >= time_ns))
        node /= 2;
    if (node <= 1)
        return SIZE_MAX;
    for (node--; node < index->leaves;)
        node = index->latest[2 * node + 1] >= time_ns ? 2 * node + 1 : 2 * node;
    return node - index->leaves;
}

static uint32_t find_by_tree(const opli_span_index *index, size_t first, size_t end, int64_t time_ns)
{
    const opli_spans *spans = &index->trace->spans;
    size_t block = (end - 1) / BLOCK_ROWS, block_first = block * BLOCK_ROWS;
    uint32_t row = scan_rows(spans, block_first > first ? block_first : first, end, time_ns);
    if (row != OPLI_NO_ROW || block_first <= first)
        return row;
    block = find_block(index, block, time_ns);
    if (block == SIZE_MAX || (block + 1) * BLOCK_ROWS <= first)
        return OPLI_NO_ROW;
    block_first = block * BLOCK_ROWS;
    return scan_rows(spans, block_first > first ? block_first : first, block_first + BLOCK_ROWS, time_ns);
}

static uint32_t find_by_parents(const opli_spans *spans, uint32_t row, int64_t time_ns)
{
    while (row != OPLI_NO_ROW && end_of(spans, row) < time_ns)
        row = spans->parent[row];
    return row;
}

uint32_t opli_span_index_find(const opli_span_index *index, uint32_t track, int64_t time_ns)
{
    size_t first = index->trace->tracks.items[track].first, end = find_begun(index->trace, track, time_ns);
    if (end == first)
        return OPLI_NO_ROW;
    return index->latest ? find_by_tree(index, first, end, time_ns)
                         : find_by_parents(&index->trace->spans, (uint32_t)end - 1, time_ns);
}
