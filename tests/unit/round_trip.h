/* round_trip.h - the property of packing: a chunk reads the same from its slot and from the file. */
#ifndef OPLI_TESTS_ROUND_TRIP_H
#define OPLI_TESTS_ROUND_TRIP_H

#include <stdbool.h>

#include "tray.h"

/* Packs the tray's records, reads both forms, and says where they differ; NULL when nowhere. A
 * chunk that has to wait for a hole is right when there is one, and then packed as its last chance. */
const char *round_trip_fault(const tray *t);

#endif
