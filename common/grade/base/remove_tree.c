#define _GNU_SOURCE
#include "grade/base/remove_tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>

enum {
    DESCRIPTORS = 16 /* folders that are open at a time */
};

static int error_of_removing; /* of the last that could not be removed */

static int remove_one(const char *path, const struct stat *about, int kind,
                      struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    if (remove(path) != 0)
        error_of_removing = errno;
    return 0;
}

int grade_remove_tree(const char *path)
{
    error_of_removing = 0;
    if (nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS) != 0 &&
        errno != ENOENT)
        return -1;
    errno = error_of_removing;
    return error_of_removing == 0 ? 0 : -1;
}
