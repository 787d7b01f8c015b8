/* zsh_completion.c - the script by which zsh completes our words. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"

/* Text inside a specification: brackets and colons mean something there. */
static void add_escaped(opli_text *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            opli_text_addf(out, "'\\''");
        else
            opli_text_addf(out, strchr("[]:\\()", *text) ? "\\%c" : "%c", *text);
}

/* ":what:how": what an option's value or an operand is called, and what it may be. */
static void add_value(opli_text *out, const opli_command *command, const char *option, const char *called)
{
    opli_text words = opli_completion_words(command, option);
    opli_text_addf(out, ":");
    add_escaped(out, called);
    opli_text_addf(out, ":");
    if (words.length) {
        opli_text_addf(out, "(");
        add_escaped(out, words.bytes);
        opli_text_addf(out, ")");
    } else
        opli_text_addf(out, opli_completion_is_file(called) ? "_files" : " ");
    opli_text_free(&words);
}

static void add_option(opli_text *out, const opli_command *command, const opli_option *option)
{
    char letter = opli_option_letter(command, option->name);
    if (letter) {
        opli_text_addf(out, "      '-%c[", letter);
        add_escaped(out, option->help);
        opli_text_addf(out, "]");
        if (option->value)
            add_value(out, command, option->name, option->value);
        opli_text_addf(out, "' \\\n");
    }
    opli_text_addf(out, "      '*--%s%s[", option->name, option->value ? "=" : "");
    add_escaped(out, option->help);
    opli_text_addf(out, "]");
    if (option->value)
        add_value(out, command, option->name, option->value);
    opli_text_addf(out, "' \\\n");
}

static void add_command(opli_text *out, const opli_command *command)
{
    opli_text_addf(out, "  %s)\n    _arguments \\\n", command->name);
    for (const opli_option *option = command->options; option->name; option++)
        add_option(out, command, option);
    opli_text_addf(out, "      '--help[show this]' \\\n      '*");
    add_value(out, command, "", command->operands);
    opli_text_addf(out, "' ;;\n");
}

void opli_completion_add_zsh(opli_text *out)
{
    opli_text_addf(out, "#compdef oplens\n# zsh completion for oplens, printed by 'oplens help --completion zsh'.\n\n"
                        "_oplens() {\n  local -a commands line\n  local curcontext=$curcontext state\n  commands=(\n");
    for (size_t i = 0; opli_commands[i]; i++) {
        opli_text_addf(out, "    '%s:", opli_commands[i]->name);
        add_escaped(out, opli_commands[i]->summary);
        opli_text_addf(out, "'\n");
    }
    opli_text_addf(out, "  )\n  _arguments -C '--help[show the commands]' '--version[show the version]' \\\n"
                        "    '1: :->command' '*:: :->rest'\n"
                        "  [[ $state == command ]] && { _describe command commands; return }\n"
                        "  case $line[1] in\n");
    for (size_t i = 0; opli_commands[i]; i++)
        add_command(out, opli_commands[i]);
    opli_text_addf(out, "  esac\n}\n\n_oplens \"$@\"\n");
}
