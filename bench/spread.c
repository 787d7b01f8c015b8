/* spread.c - the median of repeated measurements. */
#include "spread.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

opli_spread opli_spread_take(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return (opli_spread){.median = median, .low = values[0], .high = values[count - 1]};
}
