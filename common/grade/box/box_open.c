/* box_open.c: what is made ready before a box starts? See box_parts.h. */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include "grade/base/clean_up.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* Where no user is the box's own, the limit on processes is on all that its
       user runs: at most what this machine runs, and others start meanwhile. */
    OTHERS = 64
};

/* How many files a box may have open. */
static const uint64_t most_files[] = {
    [GRADE_BOX_RUN] = 16, [GRADE_BOX_COMPILE] = 64, [GRADE_BOX_GPU] = 256};
static const uint64_t stack_run = (uint64_t)8 << 20;
static const uint64_t stack_compile = (uint64_t)64 << 20; /* gcc asks for it */

static void close_one(int *file)
{
    if (*file >= 0)
        (void)close(*file);
    *file = -1;
}

/* A file in memory that nobody can change any more, at its beginning; or -1. */
static int sealed(const char *name, const void *bytes, size_t size)
{
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    /* To memory all is written at once; nothing here is as large as 2 GiB. */
    if (file >= 0 &&
        (write(file, bytes, size) != (ssize_t)size ||
         lseek(file, 0, SEEK_SET) != 0 ||
         fcntl(file, F_ADD_SEALS,
               F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0))
        close_one(&file);
    return file;
}

static int fill_plan(const struct grade_box_job *job, long user,
                     const char *scratch, struct box_plan *plan)
{
    int compiles = job->kind == GRADE_BOX_COMPILE;
    int own = job->isolation == GRADE_BOXED || user >= 0;
    struct sysinfo machine;
    int length = 0;

    *plan = (struct box_plan){
        .address_bytes = job->address_bytes ? job->address_bytes : UINT64_MAX,
        .stack_bytes = job->kind == GRADE_BOX_RUN ? stack_run : stack_compile,
        .file_bytes = job->kind != GRADE_BOX_RUN ? BOX_TMP_BYTES : 0,
        .cpu_seconds = (uint64_t)job->cpu_seconds,
        .open_files = most_files[job->kind],
        .compiles = (uint32_t)compiles,
        /* box_init is one more. */
        .processes = (uint64_t)job->processes + 1,
        .kill_user = (uint32_t)own};
    if (compiles) { /* gcc looks for the linker there */
        (void)snprintf(plan->environment[0], sizeof plan->environment[0],
                       "PATH=/usr/bin:/bin");
    }
    if (*scratch) {
        (void)snprintf(plan->environment[1], sizeof plan->environment[1],
                       "TMPDIR=%s", scratch);
    }
    if (job->isolation == GRADE_CONTAINER) {
        plan->has_landlock = 1;
        (void)snprintf(plan->scratch, sizeof plan->scratch, "%s", scratch);
    }
    if (!own && sysinfo(&machine) == 0)
        plan->processes += machine.procs + OTHERS;
    if (job->isolation != GRADE_UNSAFE)
        length = box_filter(job->kind, plan->filter, BOX_FILTER_MAX);
    if (length < 0)
        return -1;
    plan->filter_length = (uint32_t)length;
    return 0;
}

/* A compile box without namespaces has no /tmp that goes with it. */
static int make_scratch(long user, char *scratch, size_t size)
{
    (void)snprintf(scratch, size, "/tmp/grade_box_XXXXXX");
    if (!mkdtemp(scratch)) {
        scratch[0] = '\0';
        return -1;
    }
    return user >= 0 ? chown(scratch, (uid_t)user, (gid_t)-1) : 0;
}

/* Opens all that lies between the two sides: here `ends`, and there the box's
   descriptors and the keeper's. */
static int open_all(const struct grade_box_job *job, long user,
                    struct box_ends *ends, struct box_start *start)
{
    static const int place[GRADE_STREAMS] = {GRADE_BOX_RESULT, GRADE_BOX_REPORT,
                                             STDOUT_FILENO};
    struct box_plan *plan = malloc(sizeof *plan);
    int *const inside = start->inside, pair[2];
    int bad = !plan || fill_plan(job, user, ends->scratch, plan) != 0;

    if (!bad) {
        inside[BOX_PLAN] = sealed("plan", plan, sizeof *plan);
        inside[STDIN_FILENO] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        inside[GRADE_BOX_INPUT] =
            job->input ? sealed("input", job->input, job->input_size)
                       : open("/dev/null", O_RDONLY | O_CLOEXEC);
        inside[BOX_SELF] =
            sealed("box_init", box_init_bytes, (size_t)box_init_size);
    }
    free(plan);
    for (int i = 0; i < GRADE_STREAMS && !bad; i++) {
        bad = pipe2(pair, O_CLOEXEC) != 0;
        if (bad)
            break;
        ends->stream[i] = pair[0];
        inside[place[i]] = pair[1];
        bad = fcntl(pair[0], F_SETFL, O_NONBLOCK) != 0;
    }
    for (int i = 0; i < 2 && !bad; i++) {
        bad = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0;
        if (bad)
            break;
        *(i == 0 ? &ends->word : &ends->keeper) = pair[0];
        *(i == 0 ? &inside[BOX_WORD] : &start->keeper) = pair[1];
    }
    /* Once with a number for each: what it prints goes one way. */
    inside[STDERR_FILENO] = fcntl(inside[STDOUT_FILENO], F_DUPFD_CLOEXEC, 0);
    for (int i = 0; i <= BOX_SELF; i++)
        bad |= inside[i] < 0;
    return bad ? -1 : 0;
}

int box_open(const struct grade_box_job *job, struct box_ends *ends, char *why,
             size_t size)
{
    struct box_start start = {.job = job,
                              .ends = ends,
                              .user = -1,
                              .group = BOX_FIRST_USER + job->slot,
                              .keeper = -1};
    const int is_root = geteuid() == 0;
    int error;

    *ends = (struct box_ends){.stream = {-1, -1, -1},
                              .word = -1,
                              .keeper = -1,
                              .keeper_process = -1,
                              .claim = -1};
    for (int i = 0; i <= BOX_SELF; i++)
        start.inside[i] = -1;
    if (is_root)
        start.user = box_claim_user(job->slot, &ends->claim);
    if ((start.user >= 0 || !is_root) &&
        (job->isolation == GRADE_BOXED || job->kind != GRADE_BOX_COMPILE ||
         make_scratch(start.user, ends->scratch, sizeof ends->scratch) == 0) &&
        open_all(job, start.user, ends, &start) == 0 &&
        (start.argv = box_arguments(job)) != NULL) {
        ends->keeper_process = fork();
        if (ends->keeper_process == 0)
            box_keep(&start);
    }
    error = errno;
    box_arguments_free(start.argv);
    for (int i = 0; i <= BOX_SELF; i++)
        close_one(&start.inside[i]);
    close_one(&start.keeper);
    if (ends->keeper_process > 0)
        return 0;
    (void)snprintf(why, size, "a box could not be made ready: %s",
                   strerror(error));
    box_close(ends);
    return -1;
}

void box_close(struct box_ends *ends)
{
    close_one(&ends->word);
    close_one(&ends->keeper);
    close_one(&ends->claim);
    if (ends->keeper_process > 0) {
        while (waitpid(ends->keeper_process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    for (int i = 0; i < GRADE_STREAMS; i++)
        close_one(&ends->stream[i]);
    /* The keeper has removed it, if there was one. */
    if (ends->scratch[0] != '\0')
        (void)grade_remove_tree(ends->scratch);
}
