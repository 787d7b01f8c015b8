/* declaration.h - what the program declared for good: devices, tracks, metadata. Kept in the
 * process, and written into every trace it records. */
#ifndef OPLI_RECORD_DECLARATION_H
#define OPLI_RECORD_DECLARATION_H

#include "record/journal.h"

/* Writes all of it into a new trace. */
void opli_declaration_announce_all(opli_journal *journal);

/* In a forked child: nobody holds the lock. */
void opli_declaration_forked(void);

#endif
