/* settings.h - what the environment asks for. */
#ifndef OPLI_RECORD_SETTINGS_H
#define OPLI_RECORD_SETTINGS_H

#include <stdbool.h>

#include <oplens/record.h>

/* Whether a variable's value means on: not when it is unset, empty, "0", "off", "no" or "false". */
bool opli_settings_is_on(const char *value);

/* Fills the options from OPLENS_OUTPUT, _LEVEL, _CATEGORIES, _LIMIT and _RING. */
opl_status opli_settings_read(opl_recorder_options *options, opl_error *err);

/* Reads "64M", "1.5G", "65536" into bytes. */
opl_status opli_settings_bytes(const char *variable, const char *text, uint64_t *bytes, opl_error *err);

#endif
