/* journal_reader.h - read the entries of a journal block into a recording's rows. */
#ifndef OPLI_IMPORT_JOURNAL_READER_H
#define OPLI_IMPORT_JOURNAL_READER_H

#include "import/recording.h"

/* Reads the block at `offset`, which is whole. OPL_OK or OPL_NOMEM; damage is noted. */
opl_status opli_journal_read(opli_recording *recording, uint64_t offset, const opli_wire_block *block);

/* Sorts the rows and makes them findable; once, after all blocks. */
opl_status opli_journal_settle(opli_recording *recording);

#endif
