/* moments.c - how much happened in a process between two moments?
 *
 * Once sorted, each moment's amount is the sum of itself and all before it: a question is two searches. */
#include "analysis/moments.h"

#include <stdlib.h>

bool opli_moments_add(opli_moments *moments, uint32_t process, int64_t time_ns, int64_t amount)
{
    opli_moment *added = opli_vector_add(&moments->all);
    if (added)
        *added = (opli_moment){process, time_ns, amount};
    return added != NULL;
}

static int by_time(const void *a, const void *b)
{
    const opli_moment *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void opli_moments_sort(opli_moments *moments)
{
    if (moments->all.count)
        qsort(moments->all.items, moments->all.count, sizeof *moments->all.items, by_time);
    for (size_t i = 1; i < moments->all.count; i++)
        moments->all.items[i].amount += moments->all.items[i - 1].amount;
}

/* The sum of all that stand before that moment of the process. */
static int64_t sum_before(const opli_moments *moments, uint32_t process, int64_t time_ns)
{
    const opli_moment wanted = {process, time_ns, 0};
    size_t low = 0, high = moments->all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_time(&moments->all.items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? moments->all.items[low - 1].amount : 0;
}

int64_t opli_moments_within(const opli_moments *moments, uint32_t process, int64_t start_ns, int64_t end_ns)
{
    return sum_before(moments, process, end_ns) - sum_before(moments, process, start_ns);
}

void opli_moments_free(opli_moments *moments) { opli_vector_free(&moments->all); }
