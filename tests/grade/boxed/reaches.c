/*
 * Tries what no submission needs. Prints on descriptor 4, a line each, what it
 * tried and "reached" or what it was told. The first argument is a file that it
 * may read; the others are more files to try.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/vm_sockets.h> /* needs sys/socket.h */

static FILE *out;

static void tell_result(const char *what, long got)
{
    (void)fprintf(out, "%s %s\n", what, got >= 0 ? "reached" : strerror(errno));
}

static void reads(const char *path)
{
    struct stat about;
    char what[256];
    int file = open(path, O_RDONLY);

    (void)snprintf(what, sizeof what, "reads %s", path);
    tell_result(what, file);
    if (file >= 0)
        (void)close(file);
    (void)snprintf(what, sizeof what, "sees %s", path);
    tell_result(what, stat(path, &about));
}

static void writes(const char *path)
{
    char what[256];

    (void)snprintf(what, sizeof what, "writes %s", path);
    tell_result(what, open(path, O_WRONLY | O_CREAT, 0600));
    (void)unlink(path);
}

static void sockets(void)
{
    const int families[] = {AF_INET,  AF_INET6,   AF_UNIX,
                            AF_VSOCK, AF_NETLINK, AF_PACKET};
    int pair[2];

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        char what[32];

        (void)snprintf(what, sizeof what, "socket %d", families[i]);
        tell_result(what, socket(families[i], SOCK_DGRAM, 0));
    }
    tell_result("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

static void calls(void)
{
    char io[256] = {0}, letter = '\n';
    pid_t parent = getppid();
    struct iovec piece = {io, 1};

    tell_result("io_uring", syscall(SYS_io_uring_setup, 4, io));
    tell_result("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    tell_result("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
    tell_result("memfd", memfd_create("a", 0));
    tell_result("shm", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    tell_result("msg", syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
    tell_result("bpf", syscall(SYS_bpf, 0, io, 64));
    tell_result("perf", syscall(SYS_perf_event_open, io, 0, -1, -1, 0));
    tell_result("userfaultfd", syscall(SYS_userfaultfd, 0));
    tell_result("pidfd", syscall(SYS_pidfd_open, parent, 0));
    tell_result("ptrace", ptrace(PTRACE_ATTACH, parent, NULL, NULL));
    tell_result("ptrace itself", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    tell_result("process_vm",
                process_vm_readv(parent, &piece, 1, &piece, 1, 0));
    tell_result("unshare", unshare(CLONE_NEWUSER));
    tell_result("clone3", syscall(SYS_clone3, NULL, 0));
    tell_result("clone user", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL,
                                      NULL, NULL, 0));
    tell_result("mount", mount("none", "/box", "tmpfs", 0, NULL));
    tell_result("chroot", chroot("/box"));
    tell_result("setuid", setresuid(0, 0, 0));
    tell_result("tiocsti", ioctl(0, TIOCSTI, &letter));
    tell_result("tiocsti 1", ioctl(1, TIOCSTI, &letter));
    tell_result("dumpable", prctl(PR_SET_PTRACER, -1, 0, 0, 0));
    tell_result("personality", syscall(SYS_personality, 0x0008000));
    tell_result("priority", setpriority(0, 0, -5));
    tell_result("mknod", mknod("/box/zero", S_IFCHR | 0666, 0x105));
    tell_result("unlink", unlink("/box/control"));
    tell_result("chmod", chmod("/box/control", 0777));
    tell_result("rename", rename("/box/control", "/box/other"));
    tell_result("setrlimit", syscall(SYS_setrlimit, 7, io));
    tell_result("kcmp", syscall(SYS_kcmp, 1, parent, 0, 0, 0));
    tell_result("open_by_handle", syscall(SYS_open_by_handle_at, -100, io, 0));
}

int main(int argc, char **argv)
{
    static const char *const files[] = {"/etc/shadow",
                                        "/etc/passwd",
                                        "/proc/self/status",
                                        "/proc/1/mem",
                                        "/proc/sys/kernel/core_pattern",
                                        "/sys/kernel",
                                        "/dev/null",
                                        "/dev/zero",
                                        "/dev/tty",
                                        "/usr/bin/env",
                                        "/home",
                                        "/root",
                                        "/tmp",
                                        "/var",
                                        "/run",
                                        "/box/../../etc/passwd"};
    static const char *const places[] = {"/a",
                                         "/box/a",
                                         "/tmp/grade_reached",
                                         "/dev/shm/grade_reached",
                                         "/box_init",
                                         "/box/control"};

    out = fdopen(4, "w");
    if (!out)
        return 1;
    tell_result("control", open(argc > 1 ? argv[1] : "/box/control", O_RDONLY));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        reads(files[i]);
    for (int i = 2; i < argc; i++)
        reads(argv[i]);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        writes(places[i]);
    sockets();
    calls();
    return fclose(out) != 0;
}
