/* main.c - `oplens`: find the command, read its options, run it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/run_stats.h"
#include "cli/stopwatch.h"
#include "cli/terminal.h"
#include "record/version.h"

#define OPTIONS_MAX 32

/* ---- what commands lean on ---- */

const char *opli_given_value(const opli_given *given, const char *option)
{
    for (size_t i = 0; given->command->options[i].name; i++)
        if (strcmp(given->command->options[i].name, option) == 0)
            return given->values[i];
    return NULL;
}

const char *opli_given_next(const opli_given *given, const char *option, size_t *at)
{
    while (*at < given->said_count) {
        const opli_said *said = &given->said[(*at)++];
        if (strcmp(said->option->name, option) == 0)
            return said->value;
    }
    return NULL;
}

void opli_complain(const opli_given *given, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool colours = opli_terminal_colours(STDERR_FILENO);
    fprintf(stderr, "%soplens %s:%s ", colours ? "\033[1m" : "", given->command->name, colours ? "\033[0m" : "");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

size_t opli_terminal_width(void) { return opli_terminal_columns(STDOUT_FILENO); }

/* ---- reading the options ---- */

typedef struct parse {
    const opli_command *command;
    const char *values[OPTIONS_MAX];
    const char **operands;
    size_t operand_count;
    opli_said *said;
    size_t said_count;
    bool help;
} parse;

/* The last word counts, but all are kept. */
static void take_value(parse *p, size_t option, const char *value)
{
    p->values[option] = value;
    p->said[p->said_count++] = (opli_said){&p->command->options[option], value};
}

static int refuse(const opli_command *command, const char *problem, const char *word)
{
    fprintf(stderr, "oplens %s: %s '%s'; see 'oplens %s --help'\n", command->name, problem, word, command->name);
    return OPLI_EXIT_USAGE;
}

/* There is no such option, but others. */
static int refuse_option(const opli_command *command, const char *word)
{
    fprintf(stderr, "oplens %s: there is no option '%s'; there are ", command->name, word);
    for (const opli_option *option = command->options; option->name; option++)
        fprintf(stderr, "--%s%s", option->name, option[1].name ? ", " : " and --help\n");
    return OPLI_EXIT_USAGE;
}

/* One --option, with its value behind `=` or in the next word. */
static int read_option(parse *p, char **words, int count, int *at)
{
    const char *name = words[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    if (length == 4 && strncmp(name, "help", 4) == 0) {
        p->help = true;
        return OPLI_EXIT_OK;
    }
    for (size_t i = 0; p->command->options[i].name; i++) {
        const opli_option *option = &p->command->options[i];
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0)
            continue;
        if (!option->value && equals)
            return refuse(p->command, "this option takes no value:", words[*at]);
        if (option->value && !equals && *at + 1 >= count)
            return refuse(p->command, "a value must follow", words[*at]);
        take_value(p, i, !option->value ? "" : equals ? equals + 1 : words[++*at]);
        return OPLI_EXIT_OK;
    }
    return refuse_option(p->command, words[*at]);
}

/* -o FILE or -oFILE: read as the option it stands for. */
static int read_letter(parse *p, char **words, int count, int *at)
{
    const char *word = words[*at];
    for (const opli_letter *l = p->command->letters; l && l->letter; l++) {
        for (size_t i = 0; l->letter == word[1] && p->command->options[i].name; i++) {
            const opli_option *option = &p->command->options[i];
            if (strcmp(option->name, l->option) != 0 || (!option->value && word[2]))
                continue;
            if (option->value && !word[2] && *at + 1 >= count)
                return refuse(p->command, "a value must follow", word);
            take_value(p, i, !option->value ? "" : word[2] ? word + 2 : words[++*at]);
            return OPLI_EXIT_OK;
        }
    }
    return refuse_option(p->command, word);
}

static int read_words(parse *p, char **words, int count)
{
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        int status = OPLI_EXIT_OK;
        if (!only_operands && strcmp(words[i], "--") == 0)
            only_operands = true;
        else if (!only_operands && strcmp(words[i], "-h") == 0)
            p->help = true;
        else if (!only_operands && strncmp(words[i], "--", 2) == 0)
            status = read_option(p, words, count, &i);
        else if (!only_operands && words[i][0] == '-' && words[i][1])
            status = read_letter(p, words, count, &i);
        else
            p->operands[p->operand_count++] = words[i];
        if (status != OPLI_EXIT_OK)
            return status;
    }
    return OPLI_EXIT_OK;
}

static int check_operands(const parse *p)
{
    if (p->operand_count < p->command->least_operands) {
        fprintf(stderr, "oplens %s: needs %s; see 'oplens %s --help'\n", p->command->name, p->command->operands,
                p->command->name);
        return OPLI_EXIT_USAGE;
    }
    if (p->command->most_operands && p->operand_count > p->command->most_operands)
        return refuse(p->command, "there is one word too many:", p->operands[p->command->most_operands]);
    return OPLI_EXIT_OK;
}

/* Runs it and, if that was asked, says what it took. */
static int run_measured(const opli_given *given)
{
    int64_t start_ns = opli_stopwatch_ns();
    int status = given->command->run(given);
    if (opli_given_value(given, "stats"))
        opli_run_stats_say(given, opli_stopwatch_ns() - start_ns);
    return status;
}

static int run_command(const opli_command *command, char **words, int count)
{
    parse p = {.command = command};
    p.operands = calloc((size_t)count + 1, sizeof *p.operands);
    p.said = calloc((size_t)count + 1, sizeof *p.said);
    int status = p.operands && p.said ? read_words(&p, words, count) : OPLI_EXIT_FAILED;
    if (status == OPLI_EXIT_OK && !p.help)
        status = check_operands(&p);
    if (status == OPLI_EXIT_OK && p.help)
        status = opli_help_command(command);
    else if (status == OPLI_EXIT_OK)
        status = run_measured(&(opli_given){command, p.operands, p.operand_count, p.values, p.said, p.said_count});
    free(p.operands);
    free(p.said);
    return status;
}

/* A full disk or a closed pipe must not look like success. */
static int flush(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "oplens: the output could not be written\n");
        return OPLI_EXIT_FAILED;
    }
    return status;
}

int main(int count, char **words)
{
    if (count < 2)
        return opli_help_all(stderr);
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)
        return flush(opli_help_all(stdout));
    if (strcmp(words[1], "--version") == 0) {
        printf("oplens %s\n", OPLI_VERSION);
        return flush(OPLI_EXIT_OK);
    }
    const opli_command *command = opli_command_find(words[1]);
    if (!command) {
        opli_help_no_command("oplens", words[1]);
        return OPLI_EXIT_USAGE;
    }
    return flush(run_command(command, words + 2, count - 2));
}
