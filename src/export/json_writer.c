/* json_writer.c - JSON piece by piece into a FILE. */
#include "export/json_writer.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "base/json_check.h"

#define FULL_BYTES (256u << 10)

void opli_json_put(opli_json_writer *writer, const char *piece)
{
    opli_text_add(&writer->buffer, piece, strlen(piece));
}

void opli_json_put_text(opli_json_writer *writer, const char *text, size_t length)
{
    opli_text_add_json(&writer->buffer, text, length);
}

void opli_json_put_string(opli_json_writer *writer, const opli_trace *trace, uint32_t id)
{
    opli_text_add_json(&writer->buffer, opli_trace_text(trace, id), opli_string_length(&trace->strings, id));
}

/* Digits from the last to the first; printf took most of the time of an export. */
static void put_digits(opli_json_writer *writer, uint64_t number, int at_least)
{
    char digits[24];
    size_t at = sizeof digits;
    for (; number || at_least > 0; number /= 10, at_least--)
        digits[--at] = (char)('0' + number % 10);
    opli_text_add(&writer->buffer, digits + at, sizeof digits - at);
}

static uint64_t put_sign(opli_json_writer *writer, int64_t number)
{
    if (number >= 0)
        return (uint64_t)number;
    opli_text_add(&writer->buffer, "-", 1);
    return 0 - (uint64_t)number;
}

void opli_json_put_integer(opli_json_writer *writer, int64_t number)
{
    put_digits(writer, put_sign(writer, number), 1);
}

void opli_json_put_us(opli_json_writer *writer, int64_t ns)
{
    uint64_t size = put_sign(writer, ns);
    put_digits(writer, size / 1000, 1);
    opli_text_add(&writer->buffer, ".", 1);
    put_digits(writer, size % 1000, 3);
}

void opli_json_put_real(opli_json_writer *writer, double number)
{
    if (isfinite(number))
        opli_text_addf(&writer->buffer, "%.17g", number);
    else
        opli_json_put(writer, isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
}

void opli_json_put_json(opli_json_writer *writer, const opli_trace *trace, uint32_t id)
{
    const char *text = opli_trace_text(trace, id);
    size_t length = opli_string_length(&trace->strings, id);
    if (opli_json_is_valid(text, length))
        opli_text_add(&writer->buffer, text, length);
    else
        opli_text_add_json(&writer->buffer, text, length);
}

void opli_json_put_arg(opli_json_writer *writer, const opli_trace *trace, size_t arg)
{
    uint64_t value = opli_args_value(&trace->args, arg);
    double real;
    switch (opli_args_type(&trace->args, arg)) {
    case OPLI_ARG_REAL:
        memcpy(&real, &value, sizeof real);
        opli_json_put_real(writer, real);
        break;
    case OPLI_ARG_BOOL: opli_json_put(writer, value ? "true" : "false"); break;
    case OPLI_ARG_TEXT: opli_json_put_string(writer, trace, (uint32_t)value); break;
    case OPLI_ARG_JSON: opli_json_put_json(writer, trace, (uint32_t)value); break;
    default: opli_json_put_integer(writer, (int64_t)value);
    }
}

static void hand_on(opli_json_writer *writer)
{
    if (writer->buffer.length)
        fwrite(writer->buffer.bytes, 1, writer->buffer.length, writer->file);
    opli_text_reset(&writer->buffer);
}

bool opli_json_writer_relieve(opli_json_writer *writer)
{
    if (writer->buffer.length >= FULL_BYTES)
        hand_on(writer);
    return !writer->buffer.cut && !ferror(writer->file);
}

opl_status opli_json_writer_finish(opli_json_writer *writer, opl_error *err)
{
    bool cut = writer->buffer.cut;
    hand_on(writer);
    opli_text_free(&writer->buffer);
    if (cut)
        return opli_fail(err, OPL_NOMEM, "there was not enough memory to write the trace");
    if (fflush(writer->file) != 0 || ferror(writer->file))
        return opli_fail(err, OPL_IO, "the trace could not be written: %s", strerror(errno));
    return OPL_OK;
}
