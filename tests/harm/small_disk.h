/* small_disk.h - a real file system of a few megabytes, in a mount namespace of this process. */
#ifndef OPLI_TESTS_SMALL_DISK_H
#define OPLI_TESTS_SMALL_DISK_H

#include <stdint.h>

enum small_disk_kind { SMALL_DISK_TMPFS, SMALL_DISK_EXT4 };

/* Mounts an empty one; its directory, or NULL where that is not allowed. */
const char *small_disk_mount(enum small_disk_kind kind, unsigned megabytes);
void small_disk_unmount(void);

/* Fills the disk with a file of its own until `left` bytes are free, and takes that file away again. */
void small_disk_fill(uint64_t left);
void small_disk_relieve(void);

#define SMALL_DISK_REASON "mounting a small file system is not permitted here"

#endif
