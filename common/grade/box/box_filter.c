/*
 * box_filter.c: which system calls may a box use? See box_parts.h.
 *
 * A list of what is allowed: what is not named, and what a later kernel adds,
 * answers ENOSYS, as on a kernel that never had it. So no socket of any family,
 * no io_uring, key, shared memory, memfd, tracing, namespace or ioctl, which
 * is how a terminal is fed; a box for a GPU has ioctl, and no terminal.
 */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* With any arguments, in every box. */
static const char *const always[] = {
    /* memory */
    "brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "mincore",
    "membarrier",
    /* descriptors */
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv",
    "pwritev", "lseek", "close", "close_range", "dup", "dup2", "dup3", "pipe",
    "pipe2", "poll", "ppoll", "select", "pselect6", "epoll_create",
    "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd",
    "eventfd2", "fcntl", "fsync", "fdatasync", "ftruncate",
    /* looking at files */
    "access", "faccessat", "faccessat2", "stat", "lstat", "fstat", "newfstatat",
    "statx", "statfs", "fstatfs", "readlink", "readlinkat", "getdents",
    "getdents64", "getcwd", "chdir", "fchdir", "umask",
    /* processes and threads */
    "fork", "vfork", "execve", "exit", "exit_group", "wait4", "waitid", "kill",
    "tkill", "tgkill", "getpid", "getppid", "gettid", "getpgrp", "getpgid",
    "getsid", "setsid", "setpgid", "futex", "futex_waitv", "set_tid_address",
    "set_robust_list", "get_robust_list", "rseq", "arch_prctl", "sched_yield",
    "sched_getaffinity", "sched_setaffinity", "sched_getparam",
    "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "getcpu",
    /* signals */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend",
    "rt_sigpending", "rt_sigtimedwait", "sigaltstack", "pause",
    "restart_syscall",
    /* time */
    "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres",
    "gettimeofday", "time", "times", "alarm", "getitimer", "setitimer",
    /* who and where am I */
    "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid",
    "getgroups", "uname", "sysinfo", "getrlimit", "getrusage", "getrandom",
    "getpriority"};

/* What a compiler, its linker and a shell do to their own files. */
static const char *const compiling[] = {
    "open",      "openat",         "creat",     "mkdir",     "mkdirat",
    "rmdir",     "unlink",         "unlinkat",  "rename",    "renameat",
    "renameat2", "link",           "linkat",    "symlink",   "symlinkat",
    "chmod",     "fchmod",         "fchmodat",  "truncate",  "utime",
    "utimes",    "utimensat",      "fallocate", "fadvise64", "flock",
    "sendfile",  "copy_file_range"};

/* What a GPU's driver library asks beside that. It opens devices for writing
   and speaks to them by ioctl, and makes a socket for its own processes; in a
   network namespace of its own, with nobody's files about, that reaches nobody
   else. A compiler in such a box gets limits of its own. */
static const char *const driving[] = {
    "ioctl",         "mlock",     "munlock",  "get_mempolicy", "mbind",
    "set_mempolicy", "readahead", "bind",     "listen",        "setsockopt",
    "accept4",       "connect",   "prlimit64"};

struct rules {
    scmp_filter_ctx context;
    int error; /* the first one, an errno */
};

static void allow_if(struct rules *rules, int call, unsigned count,
                     const struct scmp_arg_cmp *conditions)
{
    int got = seccomp_rule_add_array(rules->context, SCMP_ACT_ALLOW, call,
                                     count, conditions);

    if (got < 0 && !rules->error)
        rules->error = -got;
}

static void allow_all(struct rules *rules, const char *const *names,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int call = seccomp_syscall_resolve_name(names[i]);

        /* What this libseccomp has no name for, nothing here needs. */
        if (call != __NR_SCMP_ERROR)
            allow_if(rules, call, 0, NULL);
    }
}

/* Opening for reading and nothing else. O_TMPFILE has a bit of its own beside
   that of O_DIRECTORY. */
static void allow_reading(struct rules *rules)
{
    const scmp_datum_t writing =
        O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

    allow_if(rules, SCMP_SYS(open), 1,
             &SCMP_A1_64(SCMP_CMP_MASKED_EQ, writing, 0));
    allow_if(rules, SCMP_SYS(openat), 1,
             &SCMP_A2_64(SCMP_CMP_MASKED_EQ, writing, 0));
}

static void allow_in_part(struct rules *rules)
{
    const scmp_datum_t refused = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                 CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                 CLONE_NEWNET | CLONE_PTRACE;

    /* clone3 is not here: its flags lie behind a pointer. The C library goes on
       with clone when it hears ENOSYS. */
    allow_if(rules, SCMP_SYS(clone), 1,
             &SCMP_A0_64(SCMP_CMP_MASKED_EQ, refused, 0));
    allow_if(rules, SCMP_SYS(prctl), 1, &SCMP_A0_64(SCMP_CMP_EQ, PR_SET_NAME));
    allow_if(rules, SCMP_SYS(prctl), 1, &SCMP_A0_64(SCMP_CMP_EQ, PR_GET_NAME));
    /* Limits may be asked for, not set. */
    allow_if(rules, SCMP_SYS(prlimit64), 1, &SCMP_A2_64(SCMP_CMP_EQ, 0));
}

/* The library writes a filter to a descriptor only. */
static int export_filter(scmp_filter_ctx context, struct sock_filter *filter,
                         int room)
{
    const size_t size = sizeof *filter;
    int file = memfd_create("filter", MFD_CLOEXEC);
    ssize_t got = -1;
    int error;

    if (file < 0)
        return -1;
    error = -seccomp_export_bpf(context, file);
    if (error == 0) {
        got = pread(file, filter, (size_t)room * size, 0);
        if (got == (ssize_t)((size_t)room * size))
            error = E2BIG;
    }
    (void)close(file);
    if (error > 0 || got < 0) {
        errno = error > 0 ? error : EIO;
        return -1;
    }
    return (int)((size_t)got / size);
}

int box_filter(enum grade_box_kind kind, struct sock_filter *filter, int room)
{
    struct rules rules = {seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), 0};
    int length = -1;

    if (!rules.context) {
        errno = ENOMEM;
        return -1;
    }
    /* A call by the numbers of another architecture, x32 say, ends it. */
    rules.error = -seccomp_attr_set(rules.context, SCMP_FLTATR_ACT_BADARCH,
                                    SCMP_ACT_KILL_PROCESS);
    allow_all(&rules, always, sizeof always / sizeof always[0]);
    allow_in_part(&rules);
    if (kind == GRADE_BOX_RUN) {
        allow_reading(&rules);
    } else {
        allow_all(&rules, compiling, sizeof compiling / sizeof compiling[0]);
    }
    if (kind == GRADE_BOX_GPU) {
        allow_all(&rules, driving, sizeof driving / sizeof driving[0]);
        allow_if(&rules, SCMP_SYS(socket), 1,
                 &SCMP_A0_64(SCMP_CMP_EQ, AF_UNIX));
    }
    errno = rules.error;
    if (!rules.error)
        length = export_filter(rules.context, filter, room);
    seccomp_release(rules.context);
    return length;
}
