#define _POSIX_C_SOURCE 200809L
#include "grade/base/children.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int grade_kill_children(void)
{
    char path[64], word[32];
    int found = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "r");
    while (file != NULL && fscanf(file, "%31s", word) == 1) {
        kill((pid_t)strtol(word, NULL, 10), SIGKILL);
        found++;
    }
    if (file != NULL)
        fclose(file);
    return found;
}
