/* site_table.h - every name that was ever recorded in this process, once.
 * Threads: any, without locks, also inside malloc and in signal handlers. Entries are never freed. */
#ifndef OPLI_RECORD_SITE_TABLE_H
#define OPLI_RECORD_SITE_TABLE_H

#include <stdint.h>

#include <oplens/annotate.h>

#include "record/journal.h"

/* The site's id, given on first use and written into the running trace. */
uint32_t opli_site_id(opl_site *site);

/* Writes every name into a new trace. Call it once the journal takes entries from other threads. */
void opli_site_announce_all(opli_journal *journal);

#endif
