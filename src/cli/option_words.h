/* option_words.h - words that several commands' options may have, for shells to complete: each adds them, with spaces.
 */
#ifndef OPLI_CLI_OPTION_WORDS_H
#define OPLI_CLI_OPTION_WORDS_H

#include "base/text.h"

void opli_words_add(opli_text *words, const char *word);

void opli_words_add_tables(opli_text *words);        /* of `oplens report` */
void opli_words_add_stored_tables(opli_text *words); /* span, arg ... */
void opli_words_add_table_formats(opli_text *words);
void opli_words_add_trace_formats(opli_text *words);
void opli_words_add_kinds(opli_text *words); /* of spans: op, kernel ... */

#endif
