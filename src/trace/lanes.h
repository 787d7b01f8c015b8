/* lanes.h - the lanes of one track while its spans are placed: for each, when its innermost open span
 * ends. Finding the first lane with room takes the logarithm of their number, since a queue of
 * requests can need tens of thousands.
 * Lifetime: a zeroed one is empty and owns nothing; free it once. */
#ifndef OPLI_TRACE_LANES_H
#define OPLI_TRACE_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define OPLI_LANES_MAX 65535u /* a lane's number has 16 bits */
#define OPLI_LANE_NONE UINT32_MAX

typedef struct opli_lane_ends {
    int64_t earliest, latest; /* of the lanes below a node */
} opli_lane_ends;

typedef struct opli_lanes {
    uint32_t *innermost;  /* rows; OPLI_NO_ROW: nothing is open */
    opli_lane_ends *ends; /* a binary tree: node 1 is the root, the lanes begin at `capacity` */
    uint32_t count, capacity;
} opli_lanes;

/* Forgets all lanes and keeps the memory. */
void opli_lanes_reset(opli_lanes *lanes);

/* A new lane with nothing in it; false when there is no memory. */
bool opli_lanes_add(opli_lanes *lanes);

/* The lane's innermost span is now this row, which ends then; an empty lane ends at INT64_MAX. */
void opli_lanes_set(opli_lanes *lanes, uint32_t lane, uint32_t row, int64_t end_ns);

/* A lane whose innermost span ends at that time or before, or OPLI_LANE_NONE. */
uint32_t opli_lanes_find_ended(const opli_lanes *lanes, int64_t time_ns);

/* The first lane whose innermost span ends at that time or later, or OPLI_LANE_NONE. */
uint32_t opli_lanes_find_room(const opli_lanes *lanes, int64_t end_ns);

void opli_lanes_free(opli_lanes *lanes);

#endif
