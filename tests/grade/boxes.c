/* boxes.c: see boxes.h. */
#define _GNU_SOURCE

#include "../testing.h"
#include "boxes.h"
#include "processes.h"

#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    NOBODY = 65534,
    PAUSE = 10000,  /* microseconds */
    ATTEMPTS = 6000 /* of them: a minute, for a machine that is busy */
};

const char *boxes_folder(void)
{
    static char folder[PATH_MAX];

    if (!realpath("build/boxed", folder))
        fail_msg("build/boxed is not there: make builds it");
    return folder;
}

static void need_isolation(enum grade_isolation isolation)
{
    static int probed[3];
    static char why[3][300];

    if (probed[isolation] == 0)
        probed[isolation] =
            grade_box_probe(isolation, why[isolation], sizeof why[0]) == 0 ? 1
                                                                           : -1;
    if (probed[isolation] < 0) {
        print_message("# skipped: %s: %s\n", grade_isolation_name[isolation],
                      why[isolation]);
        skip();
    }
}

struct grade_box_job boxes_job(void *const *state, const char *program,
                               const char *argument, const char *other)
{
    static char path[256];
    static const char *argv[4];
    const enum grade_isolation *isolation = *state;

    need_isolation(*isolation);
    (void)snprintf(path, sizeof path, GRADE_BOX_FOLDER "/%s", program);
    argv[0] = path;
    argv[1] = argument;
    argv[2] = argument ? other : NULL;
    return (struct grade_box_job){.isolation = *isolation,
                                  .kind = GRADE_BOX_RUN,
                                  .slot = 7,
                                  .folder = boxes_folder(),
                                  .argv = argv,
                                  .limit = {65536, 65536, 4096},
                                  .wall_seconds = 10.0,
                                  .cpu_seconds = 10,
                                  .address_bytes = (size_t)256 << 20,
                                  .processes = 4};
}

struct grade_box_outcome boxes_run(const struct grade_box_job *job)
{
    static struct grade_box_outcome outcome;
    struct grade_box_job longer = *job;

    grade_box_free(&outcome);
    grade_box_run(&longer, &outcome);
    while (outcome.end == GRADE_NOT_STARTED &&
           strstr(outcome.why, "did not start within") &&
           longer.wall_seconds < 60.0) {
        grade_box_free(&outcome);
        longer.wall_seconds *= 2.0;
        grade_box_run(&longer, &outcome);
    }
    if (outcome.end == GRADE_NOT_STARTED)
        fail_msg("%s", outcome.why);
    return outcome;
}

/* How many have this name; and one of them. */
static int find_processes(const char *name, pid_t *pid)
{
    static struct process process[8192];
    const int all = process_list(process, sizeof process / sizeof *process);
    int count = 0;

    for (int i = 0; i < all; i++) {
        if (strcmp(process[i].name, name) == 0) {
            *pid = process[i].pid;
            count++;
        }
    }
    return count;
}

int boxes_alive(const char *name)
{
    pid_t pid;

    return find_processes(name, &pid);
}

int boxes_folder_of(const char *name, char *folder, size_t size)
{
    char path[64];
    ssize_t length;
    pid_t pid;

    if (find_processes(name, &pid) == 0)
        return -1;
    (void)snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    length = readlink(path, folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    return length > 0 ? 0 : -1;
}

int boxes_wait(const char *name, int count)
{
    for (int i = 0; i < ATTEMPTS && boxes_alive(name) != count; i++)
        (void)usleep(PAUSE);
    return boxes_alive(name);
}

int boxes_wait_gone(const char *path)
{
    for (int i = 0; i < ATTEMPTS && access(path, F_OK) == 0; i++)
        (void)usleep(PAUSE);
    return access(path, F_OK);
}

const char *boxes_name(void)
{
    static char name[16];
    static int number;

    (void)snprintf(name, sizeof name, "g%dx%d", (int)getpid(), number++);
    return name;
}

/* Starts this program anew, so that a sanitizer finds a process as it should
   be. */
static int again_as_nobody(char **argv)
{
    char *const arguments[] = {argv[0], (char *)(size_t) "nobody", NULL};
    char folder[PATH_MAX]; /* by its whole path, as a box is given it */
    int status;
    pid_t child;

    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) != 0 ||
            !realpath("build/boxed", folder) || access(argv[0], X_OK) != 0) {
            printf("# skipped: not run as an ordinary user, who may not enter "
                   "this folder\n");
            (void)fflush(stdout);
            _exit(0);
        }
        (void)execv(argv[0], arguments);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 1;
    return WEXITSTATUS(status);
}

static int run_boxes(int argc, char **argv)
{
    const gid_t groups[] = {0, 4};
    int failed = 0;

    /* Which no box may have, though a supervisor may. */
    if (geteuid() == 0)
        (void)setgroups(2, groups);
    if (geteuid() != 0 && argc < 2)
        print_message("# skipped: not run as root, where each box has a user "
                      "of its own\n");
    failed += testing_run(geteuid() == 0 ? "root" : "user");
    if (geteuid() == 0)
        failed += again_as_nobody(argv);
    return failed;
}

void boxes_add(const char *name, CMUnitTestFunction function, int where)
{
    static const enum grade_isolation all[] = {GRADE_BOXED, GRADE_CONTAINER,
                                               GRADE_UNSAFE};

    testing_run_by(run_boxes);
    if (where == ONCE)
        testing_add_case(function, &all[0], "%s", name);
    for (int i = 0; i < 3; i++) {
        if (where & 1 << i)
            testing_add_case(function, &all[i], "%s: %s",
                             grade_isolation_name[i], name);
    }
}
