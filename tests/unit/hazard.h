/* hazard.h - a small trace with something the matter, written as a file and opened as users do. */
#ifndef OPLI_TESTS_HAZARD_H
#define OPLI_TESTS_HAZARD_H

#include "import/importer.h"

/* Chrome JSON with ' where JSON has a quote; what cannot be opened fails the test. */
void hazard_open(opli_trace *trace, const char *json);
void hazard_open_bytes(opli_trace *trace, const void *bytes, size_t size);

/* The same, where it may fail. */
opl_status hazard_try(opli_trace *trace, const char *json, opl_error *err);

/* Nothing is lost in silence: so many events are there, and so many are missing and counted. */
void hazard_check(const opli_trace *trace, uint64_t kept, uint64_t lost);

/* The row of the span of that name. */
uint32_t hazard_span(const opli_trace *trace, const char *name);

/* What we make of it can be passed on: the export is valid JSON and has as many spans when read again. */
void hazard_check_export(const opli_trace *trace);

#endif
