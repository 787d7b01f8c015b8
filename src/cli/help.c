/* help.c - what --help prints, from the table of options. */
#include "cli/help.h"

#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/terminal.h"

#define INDENT 25     /* where the text about an option begins */
#define NARROWEST 50u /* terminals below that get lines they break themselves */

char opli_option_letter(const opli_command *command, const char *option)
{
    for (const opli_letter *l = command->letters; l && l->letter; l++)
        if (strcmp(l->option, option) == 0)
            return l->letter;
    return 0;
}

static void print_title(const char *title)
{
    bool colours = opli_terminal_colours(STDOUT_FILENO);
    printf("\n%s%s:%s\n", colours ? "\033[1m" : "", title, colours ? "\033[0m" : "");
}

/* Words up to `width` columns, the further lines below the first. */
static void print_wrapped(const char *text, size_t width)
{
    size_t column = INDENT;
    while (*text) {
        size_t length = strcspn(text, " ");
        bool wraps = width >= NARROWEST && column + 1 + length > width;
        if (column > INDENT && wraps)
            printf("\n%*s", INDENT, "");
        else if (column > INDENT)
            putchar(' ');
        column = column == INDENT || wraps ? INDENT + length : column + 1 + length;
        printf("%.*s", (int)length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void print_option(const opli_command *command, const opli_option *option)
{
    char left[64], short_form[8] = "";
    char letter = opli_option_letter(command, option->name);
    size_t width = opli_terminal_width();
    if (letter)
        snprintf(short_form, sizeof short_form, "-%c, ", letter);
    snprintf(left, sizeof left, "%s--%s%s%s", short_form, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    printf("  %-22s ", left);
    print_wrapped(option->help, width ? width : SIZE_MAX);
}

int opli_help_command(const opli_command *command)
{
    printf("Usage: oplens %s %s%s\n\n%s\n", command->name, command->options[0].name ? "[OPTIONS] " : "",
           command->operands, command->summary);
    if (command->details)
        printf("\n%s\n", command->details);
    print_title("Options");
    for (const opli_option *option = command->options; option->name; option++)
        print_option(command, option);
    print_option(command, &(opli_option){"help", NULL, "show this"});
    print_title("Examples");
    printf("%s\n", command->examples);
    return OPLI_EXIT_OK;
}

int opli_help_all(FILE *to)
{
    fprintf(to, "Usage: oplens COMMAND [OPTIONS] ...\n\n"
                "Shows where a machine-learning model spends its time and its memory.\n\nCommands:\n");
    for (size_t i = 0; opli_commands[i]; i++)
        fprintf(to, "  %-10s %s\n", opli_commands[i]->name, opli_commands[i]->summary);
    fprintf(to, "\n`oplens COMMAND --help` says more about one, `man oplens` about all; `oplens --version` says which\n"
                "oplens this is.\n");
    return to == stdout ? OPLI_EXIT_OK : OPLI_EXIT_USAGE;
}

void opli_help_no_command(const char *who, const char *name)
{
    fprintf(stderr, "%s: there is no command '%s'; there are ", who, name);
    for (size_t i = 0; opli_commands[i]; i++)
        fprintf(stderr, "%s%s", !i ? "" : opli_commands[i + 1] ? ", " : " and ", opli_commands[i]->name);
    fputc('\n', stderr);
}
