/* No box at all, until there is one: for the author's own code. */
#define _GNU_SOURCE
#include "box.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void child(const struct grade_box_job *job, int pipes[3][2], int input)
{
    const struct rlimit cpu = {(rlim_t)job->cpu_seconds,
                               (rlim_t)job->cpu_seconds + 1};
    const struct rlimit space = {job->address_bytes, job->address_bytes};
    char path[4096], *arguments[8] = {path};
    static char *const none[] = {(char *)(size_t)"PATH=/usr/bin", NULL};

    dup2(input, 100);
    dup2(pipes[GRADE_RESULT][1], 101);
    dup2(pipes[GRADE_REPORT][1], 102);
    dup2(pipes[GRADE_TEXT][1], 1);
    dup2(pipes[GRADE_TEXT][1], 2);
    dup2(100, 3);
    dup2(101, 4);
    dup2(102, 5);
    for (int i = 6; i < 128; i++)
        close(i);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &space);
    snprintf(path, sizeof path, "%s%s", job->folder,
             job->argv[0] + strlen(GRADE_BOX_FOLDER));
    for (int i = 1; i < 7 && job->argv[i] != NULL; i++)
        arguments[i] = (char *)(size_t)job->argv[i];
    execve(path, arguments, none);
    _exit(127);
}

void grade_box_run(const struct grade_box_job *job,
                   struct grade_box_outcome *outcome)
{
    int pipes[3][2], status, input = memfd_create("input", MFD_CLOEXEC);
    const double begin = now();
    struct rusage usage;
    pid_t pid;

    *outcome = (struct grade_box_outcome){0};
    for (int i = 0; i < 3; i++) {
        outcome->bytes[i] = calloc(1, job->limit[i] + 1);
        if (pipe(pipes[i]) != 0)
            abort();
    }
    if (write(input, job->input ? job->input : "", job->input_size) < 0)
        abort();
    lseek(input, 0, SEEK_SET);
    pid = fork();
    if (pid == 0)
        child(job, pipes, input);
    close(input);
    for (int i = 0; i < 3; i++)
        close(pipes[i][1]);
    for (int open = 3; open > 0;) {
        struct pollfd p[3];

        open = 0;
        for (int i = 0; i < 3; i++) {
            p[i] = (struct pollfd){.fd = pipes[i][0], .events = POLLIN};
            open += pipes[i][0] >= 0;
        }
        if (open == 0)
            break;
        poll(p, 3, 100);
        if (now() - begin > job->wall_seconds) {
            kill(pid, SIGKILL);
            outcome->end = GRADE_OUT_OF_TIME;
            break;
        }
        for (int i = 0; i < 3; i++) {
            char bytes[65536];
            ssize_t got;
            size_t keep;

            if (pipes[i][0] < 0 || p[i].revents == 0)
                continue;
            got = read(pipes[i][0], bytes, sizeof bytes);
            if (got <= 0) {
                close(pipes[i][0]);
                pipes[i][0] = -1;
                continue;
            }
            keep = job->limit[i] - outcome->size[i];
            keep = keep < (size_t)got ? keep : (size_t)got;
            memcpy(outcome->bytes[i] + outcome->size[i], bytes, keep);
            outcome->size[i] += keep;
            outcome->over[i] |= keep < (size_t)got;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (pipes[i][0] >= 0)
            close(pipes[i][0]);
    }
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    outcome->cpu_seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    outcome->wall_seconds = now() - begin;
    if (outcome->end == GRADE_OUT_OF_TIME)
        return;
    outcome->end = WIFSIGNALED(status) ? GRADE_SIGNALED : GRADE_ENDED;
    outcome->code = WIFSIGNALED(status) ? WTERMSIG(status)
                                        : WEXITSTATUS(status);
    if (outcome->end == GRADE_SIGNALED && outcome->code == SIGXCPU)
        outcome->end = GRADE_OUT_OF_TIME;
}

void grade_box_free(struct grade_box_outcome *outcome)
{
    for (int i = 0; i < 3; i++)
        free(outcome->bytes[i]);
    *outcome = (struct grade_box_outcome){0};
}
