/*
 * box_init_main.c: the first program in a box. It sets the limits, starts the
 * program that nobody trusts and tells how it ended; then it ends all that is
 * left. See box_parts.h.
 *
 * In a process namespace it is process 1: nothing in there can kill it, and
 * with it everything ends. It is linked statically, since a box has no
 * libraries, and runs without the filter, which is the program's.
 */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct box_plan plan;

static int read_plan(void)
{
    ssize_t got = pread(BOX_PLAN, &plan, sizeof plan, 0);

    (void)close(BOX_PLAN);
    if (got == (ssize_t)sizeof plan)
        return 0;
    errno = got < 0 ? errno : EPROTO;
    return -1;
}

/* The step that failed, or NULL. */
static const char *set_limits(void)
{
    const struct {
        __rlimit_resource_t resource;
        const char *name;
        uint64_t soft, hard;
    } all[] = {
#define LIMIT(name, soft, hard) {name, #name, soft, hard}
        LIMIT(RLIMIT_CORE, 0, 0),
        LIMIT(RLIMIT_FSIZE, plan.file_bytes, plan.file_bytes),
        LIMIT(RLIMIT_NOFILE, plan.open_files, plan.open_files),
        LIMIT(RLIMIT_STACK, plan.stack_bytes, plan.stack_bytes),
        LIMIT(RLIMIT_MEMLOCK, 0, 0), LIMIT(RLIMIT_MSGQUEUE, 0, 0),
        /* SIGXCPU first; SIGKILL for who does not listen. */
        LIMIT(RLIMIT_CPU, plan.cpu_seconds, plan.cpu_seconds + 1),
        LIMIT(RLIMIT_NPROC, plan.processes, plan.processes),
        LIMIT(RLIMIT_AS, plan.address_bytes, plan.address_bytes)};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct rlimit limits = {all[i].soft, all[i].hard};

        if (setrlimit(all[i].resource, &limits) != 0)
            return all[i].name;
    }
    return NULL;
}

/* Lets what lies at a path be used in these ways. Where there is no such path,
   there is nothing to use. */
static int let(int rules, const char *path, uint64_t ways)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = ways};
    int got;

    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return errno == ENOENT ? 0 : -1;
    got = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                       &beneath, 0);
    (void)close(beneath.parent_fd);
    return got;
}

/*
 * Without namespaces the program sees all files that its user may. Landlock,
 * where the kernel has it, leaves those of the box, and lets no signal out of
 * it. Each version of it knows more (Documentation/userspace-api/landlock.rst);
 * so its numbers are here, for older headers.
 */
static const char *set_landlock(void)
{
    enum {
        V1 = 0x1fff,
        REFER = 1 << 13,
        TRUNCATE = 1 << 14,
        IOCTL = 1 << 15
    };
    const uint64_t read = LANDLOCK_ACCESS_FS_EXECUTE |
                          LANDLOCK_ACCESS_FS_READ_FILE |
                          LANDLOCK_ACCESS_FS_READ_DIR;
    struct {
        uint64_t files, network, scopes;
    } handled = {V1, 0, 0};
    size_t size = 8;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    int rules, bad;

    if (!plan.has_landlock || version < 1)
        return NULL;
    handled.files |= version >= 2 ? REFER : 0;
    handled.files |= version >= 3 ? TRUNCATE : 0;
    handled.files |= version >= 5 ? IOCTL : 0;
    if (version >= 6) {
        handled.scopes = 3; /* abstract sockets, signals */
        size = sizeof handled;
    }
    rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    bad = rules < 0 || let(rules, BOX_PLACE_PATH, read) != 0;
    if (plan.compiles) {
        bad |= let(rules, "/usr", read) != 0 ||
               let(rules, "/etc/alternatives", read) != 0;
        bad |=
            let(rules, "/dev/null",
                LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                    (handled.files & TRUNCATE)) != 0;
        bad |= let(rules, plan.scratch, handled.files) != 0;
    }
    return bad || syscall(SYS_landlock_restrict_self, rules, 0) != 0
               ? "landlock"
               : NULL;
}

static const char *set_filter(void)
{
    struct sock_fprog program = {.len = (unsigned short)plan.filter_length,
                                 .filter = plan.filter};
    const char *where;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    where = set_landlock();
    if (where)
        return where;
    if (plan.filter_length &&
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return "seccomp";
    return NULL;
}

/*
 * Says that the program runs, while nobody else can say anything, and becomes
 * it. If that fails, says so after all.
 */
_Noreturn static void become_program(char **argv)
{
    char *const environment[] = {
        plan.environment[0][0] ? plan.environment[0] : NULL,
        plan.environment[1][0] ? plan.environment[1] : NULL, NULL};
    const char *where;
    sigset_t none;

    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setsid();
    if (!plan.compiles)
        (void)fcntl(BOX_PLACE, F_SETFD, FD_CLOEXEC);
    where = set_limits();
    if (!where)
        where = set_filter();
    if (!where) {
        box_tell(BOX_WORD, BOX_STARTED, 0, "");
        (void)execve(argv[0], argv, environment);
        where = argv[0];
    }
    box_tell(BOX_WORD, BOX_FAILED, errno, where);
    _exit(127);
}

/* Waits for all who ended. Returns 1 once the program is among them. */
static int reap(pid_t program, int *status)
{
    int found = 0, one;
    pid_t pid;

    while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
        if (pid == program) {
            *status = one;
            found = 1;
        }
    }
    return found;
}

/* Until the program ends, 1, or the supervisor says stop or is gone, 0. */
static int wait_for(pid_t program, int children, int *status)
{
    struct pollfd events[] = {{.fd = children, .events = POLLIN},
                              {.fd = BOX_WORD, .events = POLLIN}};
    struct signalfd_siginfo one;

    while (!reap(program, status)) {
        if (poll(events, 2, -1) < 0 && errno != EINTR)
            return 0;
        if (events[1].revents)
            return 0;
        if (events[0].revents)
            (void)!read(children, &one, sizeof one);
    }
    return 1;
}

/*
 * kill(-1) reaches all at once, so that none can fork away from it. Where it
 * would reach others as well, the keeper looks for what is left.
 */
static void end_all(pid_t program, int *status)
{
    int one;
    pid_t pid;

    if (!plan.kill_user) {
        (void)kill(-program, SIGKILL);
        (void)kill(program, SIGKILL);
        if (waitpid(program, &one, 0) == program)
            *status = one;
        return;
    }
    (void)kill(-1, SIGKILL);
    while ((pid = waitpid(-1, &one, 0)) > 0 || errno == EINTR) {
        if (pid == program)
            *status = one;
    }
}

int main(int argc, char **argv)
{
    sigset_t child;
    int children, status = 0;
    pid_t program;

    if (argc < 2)
        return 0;
    /* Nobody of this user may look in here or take these descriptors. */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    (void)fcntl(BOX_WORD, F_SETFD, FD_CLOEXEC);
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (children < 0 || read_plan() != 0) {
        box_tell(BOX_WORD, BOX_FAILED, errno, "box_init");
        return 1;
    }
    program = fork();
    if (program == 0)
        become_program(argv + 1);
    if (program < 0) {
        box_tell(BOX_WORD, BOX_FAILED, errno, "fork");
        return 1;
    }
    (void)wait_for(program, children, &status);
    end_all(program, &status);
    box_tell(BOX_WORD, BOX_ENDED, status, "");
    return 0;
}
