/* bash_completion.c - the script by which bash completes our words. It needs nothing but bash. */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"

static const char opening[] = "# bash completion for oplens, printed by 'oplens help --completion bash'.\n"
                              "\n"
                              "# Words that begin like the last part of what was typed, behind its commas.\n"
                              "_oplens_words() {\n"
                              "  COMPREPLY=($(compgen -P \"${cur%\"${cur##*,}\"}\" -W \"$1\" -- \"${cur##*,}\"))\n"
                              "}\n"
                              "\n"
                              "_oplens_files() {\n"
                              "  compopt -o filenames 2>/dev/null\n"
                              "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                              "}\n"
                              "\n"
                              "_oplens() {\n"
                              "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                              "  COMPREPLY=()\n"
                              "  [ \"$cur\" = = ] && cur=\n"
                              "  [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n";

static void add_option_names(opli_text *out, const opli_command *command)
{
    for (const opli_option *option = command->options; option->name; option++) {
        char letter = opli_option_letter(command, option->name);
        if (letter)
            opli_text_addf(out, "-%c ", letter);
        opli_text_addf(out, "--%s ", option->name);
    }
    opli_text_addf(out, "--help");
}

static void add_value(opli_text *out, const opli_command *command, const char *option, const char *called)
{
    opli_text words = opli_completion_words(command, option);
    if (words.length)
        opli_text_addf(out, "_oplens_words '%s'", words.bytes);
    else
        opli_text_addf(out, opli_completion_is_file(called) ? "_oplens_files" : ":");
    opli_text_free(&words);
}

static void add_command(opli_text *out, const opli_command *command)
{
    opli_text_addf(out, "  %s)\n    case $prev in\n", command->name);
    for (const opli_option *option = command->options; option->name; option++) {
        char letter = opli_option_letter(command, option->name);
        if (!option->value)
            continue;
        opli_text_addf(out, "    --%s", option->name);
        if (letter)
            opli_text_addf(out, " | -%c", letter);
        opli_text_addf(out, ") ");
        add_value(out, command, option->name, option->value);
        opli_text_addf(out, "; return ;;\n");
    }
    opli_text_addf(out, "    esac\n    case $cur in\n    -*) _oplens_words '");
    add_option_names(out, command);
    opli_text_addf(out, "' ;;\n    *) ");
    add_value(out, command, "", command->operands);
    opli_text_addf(out, " ;;\n    esac ;;\n");
}

void opli_completion_add_bash(opli_text *out)
{
    opli_text_addf(out, "%s  if ((COMP_CWORD == 1)); then\n    _oplens_words '", opening);
    for (size_t i = 0; opli_commands[i]; i++)
        opli_text_addf(out, "%s ", opli_commands[i]->name);
    opli_text_addf(out, "--help --version'\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; opli_commands[i]; i++)
        add_command(out, opli_commands[i]);
    opli_text_addf(out, "  esac\n}\n\ncomplete -F _oplens oplens\n");
}
