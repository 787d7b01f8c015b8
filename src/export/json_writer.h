/* json_writer.h - JSON piece by piece into a FILE, with a buffer of its own and errors kept for the end. */
#ifndef OPLI_EXPORT_JSON_WRITER_H
#define OPLI_EXPORT_JSON_WRITER_H

#include <stdio.h>

#include <oplens/error.h>

#include "base/text.h"
#include "trace/trace.h"

typedef struct opli_json_writer {
    FILE *file;
    opli_text buffer;
} opli_json_writer;

/* A piece of JSON as it stands. */
void opli_json_put(opli_json_writer *writer, const char *piece);

/* Values. */
void opli_json_put_text(opli_json_writer *writer, const char *text, size_t length);
void opli_json_put_string(opli_json_writer *writer, const opli_trace *trace, uint32_t id); /* of the trace */
void opli_json_put_integer(opli_json_writer *writer, int64_t number);
void opli_json_put_real(opli_json_writer *writer, double number); /* "NaN" and "Infinity" as texts */
void opli_json_put_us(opli_json_writer *writer, int64_t ns);      /* 12.345: exact, three decimals */
void opli_json_put_arg(opli_json_writer *writer, const opli_trace *trace, size_t arg); /* an argument's value */

/* A text of the trace that is JSON, as it stands; where that would spoil the file, as a string. */
void opli_json_put_json(opli_json_writer *writer, const opli_trace *trace, uint32_t id);

/* To be called now and then: hands a full buffer on. False when going on makes no sense. */
bool opli_json_writer_relieve(opli_json_writer *writer);

/* Hands on what is left and frees the buffer. OPL_OK, OPL_IO or OPL_NOMEM. */
opl_status opli_json_writer_finish(opli_json_writer *writer, opl_error *err);

#endif
