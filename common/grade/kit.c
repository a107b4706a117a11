#define _GNU_SOURCE
#include "kit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int grade_kit_find(char *path, size_t size, char *why, size_t why_size)
{
    static const char build[] = "/build/";
    char own[4096], *last = NULL;
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    if (length < 0) {
        snprintf(why, why_size, "/proc/self/exe: %s", strerror(errno));
        return -1;
    }
    own[length] = '\0';
    for (char *at = strstr(own, build); at != NULL; at = strstr(at + 1, build))
        last = at;
    if (last != NULL) {
        last[strlen(build)] = '\0';
        if ((size_t)snprintf(path, size, "%sgrade/kit", own) < size &&
            access(path, X_OK) == 0)
            return 0;
    }
    snprintf(why, why_size,
             "the grader's kit, build/grade/kit, is not there (make "
             "build/tools/grade makes it)");
    return -1;
}
