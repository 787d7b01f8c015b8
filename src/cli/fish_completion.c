/* fish_completion.c - the script by which fish completes our words. */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"

static void add_quoted(opli_text *out, const char *text)
{
    opli_text_addf(out, "'");
    for (; *text; text++)
        opli_text_addf(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    opli_text_addf(out, "'");
}

static void add_words(opli_text *out, const opli_command *command, const char *option)
{
    opli_text words = opli_completion_words(command, option);
    if (words.length) {
        opli_text_addf(out, " -a ");
        add_quoted(out, words.bytes);
    }
    opli_text_free(&words);
}

static void add_option(opli_text *out, const opli_command *command, const opli_option *option)
{
    char letter = opli_option_letter(command, option->name);
    opli_text_addf(out, "complete -c oplens -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (letter)
        opli_text_addf(out, " -s %c", letter);
    if (option->value) {
        opli_text_addf(out, opli_completion_is_file(option->value) ? " -r -F" : " -x");
        add_words(out, command, option->name);
    }
    opli_text_addf(out, " -d ");
    add_quoted(out, option->help);
    opli_text_addf(out, "\n");
}

static void add_command(opli_text *out, const opli_command *command)
{
    opli_text_addf(out, "\ncomplete -c oplens -n __fish_use_subcommand -f -a %s -d ", command->name);
    add_quoted(out, command->summary);
    opli_text_addf(out, "\n");
    for (const opli_option *option = command->options; option->name; option++)
        add_option(out, command, option);
    add_option(out, command, &(opli_option){"help", NULL, "show this"});
    if (!opli_completion_is_file(command->operands)) {
        opli_text_addf(out, "complete -c oplens -n '__fish_seen_subcommand_from %s' -f", command->name);
        add_words(out, command, "");
        opli_text_addf(out, "\n");
    }
}

void opli_completion_add_fish(opli_text *out)
{
    opli_text_addf(out, "# fish completion for oplens, printed by 'oplens help --completion fish'.\n"
                        "complete -c oplens -n __fish_use_subcommand -f -l help -d 'show the commands'\n"
                        "complete -c oplens -n __fish_use_subcommand -f -l version -d 'show the version'\n");
    for (size_t i = 0; opli_commands[i]; i++)
        add_command(out, opli_commands[i]);
}
