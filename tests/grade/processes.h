/* processes.h: which processes are there on this machine? */
#ifndef TESTS_GRADE_PROCESSES_H
#define TESTS_GRADE_PROCESSES_H

#include <sys/types.h>

struct process {
    pid_t pid, parent;
    char state; /* Z: it has ended, and nobody has waited for it */
    char name[20];
};

/* Returns 0, or -1 if there is none. */
int process_read(pid_t pid, struct process *p);

/* Lists up to `most` of them. Returns how many. */
int process_list(struct process *process, int most);

/* A number of /proc/PID/status, as "VmRSS", in KiB; 0 if there is none. */
long process_kib(pid_t pid, const char *what);

#endif /* TESTS_GRADE_PROCESSES_H */
