/* completion.c - what the completions of all shells share. */
#include "cli/completion.h"

#include <string.h>

bool opli_completion_add(const char *shell, opli_text *out)
{
    static const struct {
        const char *name;
        void (*add)(opli_text *out);
    } shells[] = {
        {"bash", opli_completion_add_bash}, {"zsh", opli_completion_add_zsh}, {"fish", opli_completion_add_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].add(out);
            return true;
        }
    return false;
}

opli_text opli_completion_words(const opli_command *command, const char *option)
{
    opli_text words = {0};
    if (command->add_words)
        command->add_words(option, &words);
    if (!words.bytes)
        opli_text_addf(&words, "%s", "");
    return words;
}

bool opli_completion_is_file(const char *called) { return strstr(called, "FILE") || strstr(called, "TRACE"); }
