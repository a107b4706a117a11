#define _GNU_SOURCE
#include "grade/slot.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/box_parts.h"
#include "grade/remove_tree.h"

char *grade_slot_begin(const char *work, int slot)
{
    const gid_t group =
        (gid_t)(BOX_FIRST_USER + slot); /* as box_open.c has it */
    char *folder;

    if (asprintf(&folder, "%s/%d", work, slot) < 0)
        return NULL;
    if (grade_remove_tree(AT_FDCWD, folder) == 0 && mkdir(folder, 0700) == 0 &&
        (geteuid() != 0 ||
         (chown(folder, (uid_t)-1, group) == 0 && chmod(folder, 0710) == 0)))
        return folder;
    free(folder);
    return NULL;
}

void grade_slot_end(char *folder)
{
    if (folder != NULL)
        grade_remove_tree(AT_FDCWD, folder);
    free(folder);
}
