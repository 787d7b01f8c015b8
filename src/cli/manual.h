/* manual.h - the manual page oplens(1), made from the table of options. */
#ifndef OPLI_CLI_MANUAL_H
#define OPLI_CLI_MANUAL_H

#include "base/text.h"

/* Adds the page, for man. */
void opli_manual_add(opli_text *out);

#endif
