#define _GNU_SOURCE
#include "processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of "17 (a name) S 16 ...". */
int process_read(pid_t pid, struct process *p)
{
    char path[40], text[300];
    const char *begin, *end;
    FILE *file;
    size_t got;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    begin = strchr(text, '(');
    end = strrchr(text, ')');
    if (begin == NULL || end == NULL || strlen(end) < 5)
        return -1;
    *p = (struct process){.pid = pid,
                          .parent = (pid_t)strtol(end + 3, NULL, 10),
                          .state = end[2]};
    snprintf(p->name, sizeof p->name, "%.*s", (int)(end - begin - 1),
             begin + 1);
    return 0;
}

int process_list(struct process *process, int most)
{
    DIR *const all = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    while (all != NULL && count < most && (entry = readdir(all)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        count += pid > 0 && process_read(pid, &process[count]) == 0;
    }
    if (all != NULL)
        closedir(all);
    return count;
}

long process_kib(pid_t pid, const char *what)
{
    char path[40], line[200];
    long kib = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, what, strlen(what)) == 0)
            kib = strtol(line + strlen(what) + 1, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return kib;
}
