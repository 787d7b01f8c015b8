/* lanes.c - the lanes of one track while its spans are placed. */
#include "trace/lanes.h"

#include <stdlib.h>

#include "trace/trace.h"

static const opli_lane_ends nothing = {INT64_MAX, INT64_MIN}; /* neither ended nor with room */

static void update_node(opli_lane_ends *ends, uint32_t node)
{
    const opli_lane_ends *left = &ends[2 * node], *right = &ends[2 * node + 1];
    ends[node].earliest = left->earliest < right->earliest ? left->earliest : right->earliest;
    ends[node].latest = left->latest > right->latest ? left->latest : right->latest;
}

/* Room for twice as many. */
static bool grow(opli_lanes *lanes)
{
    uint32_t old = lanes->capacity, capacity = old ? old * 2 : 1;
    uint32_t *innermost = realloc(lanes->innermost, capacity * sizeof *innermost);
    if (innermost)
        lanes->innermost = innermost;
    opli_lane_ends *ends = malloc(2 * capacity * sizeof *ends);
    if (!innermost || !ends) {
        free(ends);
        return false;
    }
    for (uint32_t lane = 0; lane < capacity; lane++)
        ends[capacity + lane] = lane < lanes->count ? lanes->ends[old + lane] : nothing;
    free(lanes->ends);
    lanes->ends = ends;
    lanes->capacity = capacity;
    for (uint32_t node = capacity; node-- > 1;)
        update_node(ends, node);
    return true;
}

static void set_ends(opli_lanes *lanes, uint32_t lane, opli_lane_ends ends)
{
    uint32_t node = lanes->capacity + lane;
    lanes->ends[node] = ends;
    while (node /= 2)
        update_node(lanes->ends, node);
}

void opli_lanes_reset(opli_lanes *lanes)
{
    while (lanes->count)
        set_ends(lanes, --lanes->count, nothing);
}

bool opli_lanes_add(opli_lanes *lanes)
{
    if (lanes->count == lanes->capacity && !grow(lanes))
        return false;
    opli_lanes_set(lanes, lanes->count++, OPLI_NO_ROW, INT64_MAX);
    return true;
}

void opli_lanes_set(opli_lanes *lanes, uint32_t lane, uint32_t row, int64_t end_ns)
{
    lanes->innermost[lane] = row;
    set_ends(lanes, lane, (opli_lane_ends){end_ns, end_ns});
}

uint32_t opli_lanes_find_ended(const opli_lanes *lanes, int64_t time_ns)
{
    uint32_t node = 1;
    if (!lanes->count || lanes->ends[1].earliest > time_ns)
        return OPLI_LANE_NONE;
    while (node < lanes->capacity)
        node = lanes->ends[2 * node].earliest <= time_ns ? 2 * node : 2 * node + 1;
    return node - lanes->capacity;
}

uint32_t opli_lanes_find_room(const opli_lanes *lanes, int64_t end_ns)
{
    uint32_t node = 1;
    if (!lanes->count || lanes->ends[1].latest < end_ns)
        return OPLI_LANE_NONE;
    while (node < lanes->capacity)
        node = lanes->ends[2 * node].latest >= end_ns ? 2 * node : 2 * node + 1;
    return node - lanes->capacity;
}

void opli_lanes_free(opli_lanes *lanes)
{
    free(lanes->innermost);
    free(lanes->ends);
    *lanes = (opli_lanes){.count = 0};
}
