/* declaration.h - what the program declared for good: devices, tracks, metadata. Kept in the
 * process, and written into every trace it records. */
#ifndef OPLI_RECORD_DECLARATION_H
#define OPLI_RECORD_DECLARATION_H

#include "record/journal.h"

void opli_declaration_announce_all(opli_journal *journal);

#endif
