/* Which slots of the machine, and which users for its boxes, does no other
   grader have? See box.h. */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/refuse.h"
#include "grade/base/clean_up.h"

static const char lock_file[] = "/run/cuda-labs.slots";

/* Opens the file of locks, where only root may write: a byte of it for each
   slot, and behind them a byte for each user. Returns -1 with errno. */
static int open_locks(void)
{
    return open(lock_file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

/* Locks a byte: of the open file, so a child process that is left behind holds
   it too. */
static int take_byte(int file, int byte)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};

    return fcntl(file, F_OFD_SETLK, &lock);
}

long box_claim_user(int slot, int *claim)
{
    *claim = open_locks();
    for (int i = 0; i < BOX_SLOTS && *claim >= 0; i++) {
        const int number = (slot + i) % BOX_SLOTS;

        if (take_byte(*claim, BOX_SLOTS + number) == 0)
            return BOX_FIRST_USER + number;
    }
    return -1;
}

int grade_slots_take(int *slot, int slots, char *why, size_t size)
{
    int file, taken = 0;

    if (geteuid() != 0) {
        for (int i = 0; i < slots; i++)
            slot[i] = i;
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    file = open_locks();
    if (file < 0)
        return base_refuse(why, size, "%s: %s", lock_file, strerror(errno));
    for (int i = 0; i < BOX_SLOTS && taken < slots; i++) {
        if (take_byte(file, i) == 0)
            slot[taken++] = i;
    }
    if (taken == slots)
        return file;
    snprintf(why, size,
             "other graders have all slots of this machine (JOBS=%d, or wait "
             "for them)",
             taken > 0 ? taken : 1);
    close(file);
    return -1;
}

char *grade_slot_begin(const char *work, int slot)
{
    const gid_t group =
        (gid_t)(BOX_FIRST_USER + slot); /* as box_open.c has it */
    char *folder;

    if (asprintf(&folder, "%s/%d", work, slot) < 0)
        return NULL;
    if (grade_remove_tree(folder) == 0 && mkdir(folder, 0700) == 0 &&
        (geteuid() != 0 ||
         (chown(folder, (uid_t)-1, group) == 0 && chmod(folder, 0750) == 0)))
        return folder;
    free(folder);
    return NULL;
}
