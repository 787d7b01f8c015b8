/* cmd_help.c - `oplens help`: how a command is used; the manual page and the completions, for whoever installs us. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/option_words.h"

static int print_text(const opli_given *given, opli_text *text)
{
    int status = text->cut ? OPLI_EXIT_FAILED : OPLI_EXIT_OK;
    if (text->cut)
        opli_complain(given, "there was not enough memory");
    else if (text->length)
        fwrite(text->bytes, 1, text->length, stdout);
    opli_text_free(text);
    return status;
}

static int print_completion(const opli_given *given, const char *shell)
{
    opli_text text = {0};
    if (opli_completion_add(shell, &text))
        return print_text(given, &text);
    opli_complain(given, "there is no completion for '%s'; there are " OPLI_COMPLETION_SHELLS, shell);
    return OPLI_EXIT_USAGE;
}

static int run_help(const opli_given *given)
{
    const char *shell = opli_given_value(given, "completion");
    opli_text text = {0};
    if (shell)
        return print_completion(given, shell);
    if (opli_given_value(given, "man")) {
        opli_manual_add(&text);
        return print_text(given, &text);
    }
    if (!given->operand_count)
        return opli_help_all(stdout);
    const opli_command *command = opli_command_find(given->operands[0]);
    if (command)
        return opli_help_command(command);
    opli_help_no_command("oplens help", given->operands[0]);
    return OPLI_EXIT_USAGE;
}

static void add_words(const char *option, opli_text *words)
{
    if (strcmp(option, "completion") == 0)
        opli_text_addf(words, "bash zsh fish");
    for (size_t i = 0; !*option && opli_commands[i]; i++)
        opli_words_add(words, opli_commands[i]->name);
}

static const opli_option help_options[] = {
    {"man", NULL, "print the manual page"},
    {"completion", "SHELL", "print what makes bash, zsh or fish complete our words"},
    {NULL, NULL, NULL}};

const opli_command opli_cmd_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "say how a command is used",
    .details = "The manual page and the completions are installed with oplens; these options are for other places.",
    .examples = "  oplens help export\n"
                "  oplens help --man | man -l -\n"
                "  source <(oplens help --completion bash)",
    .options = help_options,
    .most_operands = 1,
    .run = run_help,
    .add_words = add_words,
};
