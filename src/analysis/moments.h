/* moments.h - how much happened in a process between two moments? A zeroed object is an empty one. */
#ifndef OPLI_ANALYSIS_MOMENTS_H
#define OPLI_ANALYSIS_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

/* Something that happened, and how much it counts. */
typedef struct opli_moment {
    uint32_t process;
    int64_t time_ns, amount;
} opli_moment;

typedef struct opli_moments {
    OPLI_VECTOR(opli_moment) all;
} opli_moments;

/* False when there is no memory. */
bool opli_moments_add(opli_moments *moments, uint32_t process, int64_t time_ns, int64_t amount);

/* To be called once, after the last was added and before the first is asked for. */
void opli_moments_sort(opli_moments *moments);

/* The sum of those of the process from `start_ns` on and before `end_ns`. */
int64_t opli_moments_within(const opli_moments *moments, uint32_t process, int64_t start_ns, int64_t end_ns);
void opli_moments_free(opli_moments *moments);

#endif
