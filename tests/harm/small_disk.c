/* small_disk.c - a real file system of a few megabytes. */
#define _GNU_SOURCE
#include "small_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "test.h"

static char directory[512], filler[600];

/* What we mount, nobody else sees, and it goes when we do. */
static bool leave_namespace(void)
{
    static int left = -1;
    if (left < 0)
        left = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    return left > 0;
}

static bool mount_tmpfs(unsigned megabytes)
{
    char size[32];
    snprintf(size, sizeof size, "size=%um", megabytes);
    return mount("none", directory, "tmpfs", 0, size) == 0;
}

/* Through a loop device, which takes mount(8) to find. */
static bool mount_ext4(unsigned megabytes)
{
    char command[4000], image[600];
    snprintf(image, sizeof image, "%s.img", directory);
    snprintf(command, sizeof command,
             "exec >/dev/null 2>&1; PATH=$PATH:/sbin:/usr/sbin; truncate -s %uM %s && "
             "mkfs.ext4 -q -F -m 0 -O ^has_journal %s && mount -o loop %s %s",
             megabytes, image, image, image, directory);
    return system(command) == 0;
}

const char *small_disk_mount(enum small_disk_kind kind, unsigned megabytes)
{
    snprintf(directory, sizeof directory, "%s/small_disk", test_directory());
    snprintf(filler, sizeof filler, "%s/filler", directory);
    if (!leave_namespace() || (mkdir(directory, 0777) != 0 && errno != EEXIST))
        return NULL;
    bool mounted = kind == SMALL_DISK_TMPFS ? mount_tmpfs(megabytes) : mount_ext4(megabytes);
    return mounted ? directory : NULL;
}

void small_disk_unmount(void) { CHECK_EQ(umount2(directory, MNT_DETACH), 0); }

static uint64_t free_bytes(void)
{
    struct statvfs info;
    CHECK_EQ(statvfs(directory, &info), 0);
    return (uint64_t)info.f_bavail * info.f_frsize;
}

void small_disk_fill(uint64_t left)
{
    static const char zeros[4096];
    int fd = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    CHECK(fd >= 0);
    while (free_bytes() > left && write(fd, zeros, sizeof zeros) > 0)
        ;
    close(fd);
}

void small_disk_relieve(void) { unlink(filler); }
