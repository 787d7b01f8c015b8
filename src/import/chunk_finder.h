/* chunk_finder.h - find what a file is made of, also after a sudden death in the middle of it. */
#ifndef OPLI_IMPORT_CHUNK_FINDER_H
#define OPLI_IMPORT_CHUNK_FINDER_H

#include "import/recording.h"

/* Walks through the file: reads journals, collects chunks and slots. OPL_OK or OPL_NOMEM. */
opl_status opli_recording_walk(opli_recording *recording);

/* Sorts the chunks, keeps the best copy of each, and notes what is missing without a reason. */
opl_status opli_chunks_settle(opli_recording *recording);

#endif
