/* command.h - a command of `oplens`, its options, and what the user gave. */
#ifndef OPLI_CLI_COMMAND_H
#define OPLI_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The only text about an option anywhere. */
typedef struct opli_option {
    const char *name;  /* "json" for --json; NULL ends the list */
    const char *value; /* what follows it, for the help; NULL for a switch */
    const char *help;
} opli_option;

/* A short way to write an option: -o for --output. */
typedef struct opli_letter {
    char letter; /* 0 ends the list */
    const char *option;
} opli_letter;

/* An option and its value, each time it was given. */
typedef struct opli_said {
    const opli_option *option;
    const char *value; /* "" for a switch */
} opli_said;

/* What the user gave, after the command's name. */
typedef struct opli_given {
    const struct opli_command *command;
    const char **operands;
    size_t operand_count;
    const char *const *values; /* as command->options: NULL when not given, "" for a switch */
    const opli_said *said;     /* the same, in the order they were given */
    size_t said_count;
} opli_given;

typedef struct opli_command {
    const char *name;
    const char *operands; /* "FILE..." */
    const char *summary;  /* one line, a verb first */
    const char *details;  /* a paragraph for --help; may be NULL */
    const char *examples; /* lines; may be NULL */
    const opli_option *options;
    const opli_letter *letters;           /* may be NULL */
    size_t least_operands, most_operands; /* most 0: any number */
    int (*run)(const opli_given *given);  /* an exit status */
    /* Adds the words an option may have as its value, or for "" an operand may be, with spaces between: for shells to
     * complete. Nothing where it is free; files where the value is a FILE need no words. May be NULL. */
    void (*add_words)(const char *option, opli_text *words);
} opli_command;

/* Exit statuses, each beside what it means. */
#define OPLI_EXIT_LIST(X)                                                                                            \
    X(OPLI_EXIT_OK, 0, "all is well; a recording that was cut short is well")                                        \
    X(OPLI_EXIT_FAILED, 1,                                                                                           \
      "a file cannot be read or written, or is damaged: what could be done was done, and stderr says what is wrong") \
    X(OPLI_EXIT_USAGE, 2, "the command line makes no sense, or asks for something that is not there")

#define OPLI_EXIT_ENUM(name, number, sentence) name = number,
enum { OPLI_EXIT_LIST(OPLI_EXIT_ENUM) };
#undef OPLI_EXIT_ENUM

/* The option's value, NULL when it was not given. */
const char *opli_given_value(const opli_given *given, const char *option);

/* The values of an option that may be given again, one after the other: `*at` begins with 0. NULL after the last. */
const char *opli_given_next(const opli_given *given, const char *option, size_t *at);

/* Prints "oplens COMMAND: ..." on stderr. */
__attribute__((format(printf, 2, 3))) void opli_complain(const opli_given *given, const char *format, ...);

/* Columns of the terminal on stdout, or of COLUMNS; 0 when there is none to fit. */
size_t opli_terminal_width(void);

#endif
