/* complaint.c - what DuckDB complains of, as a sentence of ours. */
#include "query/complaint.h"

#include <string.h>

#include "base/failure.h"
#include "base/text.h"

#define FILES_HINT " SQL may reach files with --allow-files."

/* Behind "Binder Error: ", which says more about DuckDB than about the query. */
static const char *skip_title(const char *message)
{
    const char *colon = strstr(message, " Error: ");
    const char *line = strchr(message, '\n');
    return colon && (!line || colon < line) ? colon + strlen(" Error: ") : message;
}

static const char *find_place(const char *message)
{
    const char *place = strstr(message, "\nLINE ");
    return place ? place : message + strlen(message);
}

/* The lines as one; blank ones and spaces at an end go. */
static void add_in_one_line(opli_text *out, const char *from, const char *end)
{
    for (; from < end; from++) {
        bool gap = *from == '\n' || *from == '\r' || *from == ' ';
        if (!gap)
            opli_text_add(out, from, 1);
        else if (out->length && out->bytes[out->length - 1] != ' ')
            opli_text_add(out, " ", 1);
    }
    while (out->length && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
}

static void end_sentence(opli_text *out)
{
    if (out->length && !strchr(".!?:)", out->bytes[out->length - 1]))
        opli_text_addf(out, ".");
}

opl_status opli_complaint(const char *message, const char *tables, opl_error *err)
{
    opli_text out = {0};
    const char *place = find_place(message);
    add_in_one_line(&out, skip_title(message), place);
    end_sentence(&out);
    if (strstr(message, "Table with name") || strstr(message, "Table Function with name"))
        opli_text_addf(&out, " The tables are %s.", tables);
    else
        opli_text_addf(&out, "%s%s", strstr(message, "disabled by configuration") ? FILES_HINT : "", place);
    opl_status st = opli_fail(err, OPL_INVALID, "%s", out.bytes ? out.bytes : "DuckDB does not say why it failed");
    opli_text_free(&out);
    return st;
}

bool opli_complaint_is_of_column(const char *message)
{
    return strstr(message, "Referenced column ") || strstr(message, "does not have a column named");
}

opl_status opli_complaint_of_column(const char *message, const char *columns, opl_error *err)
{
    opli_text out = {0};
    const char *place = find_place(message), *guesses = strstr(message, "Candidate bindings");
    add_in_one_line(&out, skip_title(message), guesses && guesses < place ? guesses : place);
    end_sentence(&out);
    opli_text_addf(&out, "%s%s", columns, place);
    opl_status st = opli_fail(err, OPL_INVALID, "%s", out.bytes ? out.bytes : "a column is not there");
    opli_text_free(&out);
    return st;
}
