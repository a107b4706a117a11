#define _GNU_SOURCE
#include "container.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade/base/clean_up.h"

/* What Docker leaves to root of a container (moby, oci/caps/defaults.go). */
static const int left[] = {CAP_CHOWN,
                           CAP_DAC_OVERRIDE,
                           CAP_FSETID,
                           CAP_FOWNER,
                           CAP_MKNOD,
                           CAP_NET_RAW,
                           CAP_SETGID,
                           CAP_SETUID,
                           CAP_SETFCAP,
                           CAP_SETPCAP,
                           CAP_SYS_CHROOT,
                           CAP_KILL,
                           CAP_NET_BIND_SERVICE,
                           CAP_AUDIT_WRITE};

/* Of this machine, for reading. */
static const char *const shared[] = {"/usr", "/etc", "/var/lib/dpkg"};
static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full",
                                      "/dev/urandom", "/dev/random"};

static int write_text_file(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const ssize_t length = (ssize_t)strlen(text);
    int result;

    if (file < 0)
        return -1;
    result = write(file, text, (size_t)length) == length ? 0 : -1;
    close(file);
    return result;
}

/* --- control groups ------------------------------------------------------- */

/* This process's group of a controller, "" being that of version 2. */
static int find_group(const char *controller, char *group, size_t size)
{
    FILE *const file = fopen("/proc/self/cgroup", "r");
    char line[300];
    int found = 0;

    group[0] = '\0';
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *const names = strchr(line, ':');
        char *const path = names != NULL ? strchr(names + 1, ':') : NULL;

        line[strcspn(line, "\n")] = '\0';
        if (path == NULL)
            continue;
        *path = '\0';
        if (strcmp(names + 1, controller) == 0) {
            snprintf(group, size, "%s", path + 1);
            found = 1;
        }
    }
    if (file != NULL)
        fclose(file);
    return found ? 0 : -1;
}

/*
 * Makes a group with a limit: below this process's own in version 1; in version
 * 2, where a group with processes has none below it, beside all others. Leaves
 * "" in group if it cannot be.
 */
static void make_group(const char *controller, const char *file1,
                       const char *value1, const char *file2,
                       const char *value2, char *group, size_t size)
{
    char own[200], path[400];
    const int old = find_group(controller, own, sizeof own) == 0;

    if (old) {
        snprintf(group, size, "/sys/fs/cgroup/%s%s/labs_test_%d", controller,
                 strcmp(own, "/") == 0 ? "" : own, (int)getpid());
    } else {
        snprintf(group, size, "/sys/fs/cgroup/labs_test_%s_%d", controller,
                 (int)getpid());
    }
    if (mkdir(group, 0755) != 0) {
        group[0] = '\0';
        return;
    }
    snprintf(path, sizeof path, "%s/%s", group, old ? file1 : file2);
    if (write_text_file(path, old ? value1 : value2) != 0) {
        rmdir(group);
        group[0] = '\0';
    }
}

/* --- making --------------------------------------------------------------- */

static int make_box_folder(const struct container *c, const char *name,
                           mode_t mode)
{
    char path[200];

    snprintf(path, sizeof path, "%s%s", c->root, name);
    return mkdir(path, mode) == 0 && chmod(path, mode) == 0 ? 0 : -1;
}

static int make_files(const struct container *c)
{
    static const char *const folder[] = {"/usr",
                                         "/etc",
                                         "/run",
                                         "/var",
                                         "/var/lib",
                                         "/var/lib/dpkg",
                                         "/dev",
                                         "/proc",
                                         "/autograder",
                                         "/autograder/source",
                                         "/autograder/submission",
                                         "/autograder/results"};
    static const char *const link[] = {"bin", "sbin", "lib", "lib64"};
    char path[200], to[40];

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        if (make_box_folder(c, folder[i], 0755) != 0)
            return -1;
    }
    if (make_box_folder(c, "/tmp", 01777) != 0)
        return -1;
    for (size_t i = 0; i < sizeof link / sizeof *link; i++) {
        snprintf(path, sizeof path, "%s/%s", c->root, link[i]);
        snprintf(to, sizeof to, "usr/%s", link[i]);
        if (symlink(to, path) != 0)
            return -1;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        int file;

        snprintf(path, sizeof path, "%s%s", c->root, devices[i]);
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        close(file);
    }
    return 0;
}

int container_make(struct container *c, char *why, size_t size)
{
    *c = (struct container){.root = "/tmp/test_container.XXXXXX"};
    if (geteuid() != 0) {
        c->root[0] = '\0';
        snprintf(why, size, "only root can make a container");
        return -1;
    }
    if (mkdtemp(c->root) == NULL || chmod(c->root, 0755) != 0 ||
        make_files(c) != 0) {
        snprintf(why, size, "%s: %s", c->root, strerror(errno));
        return -1;
    }
    make_group("cpu", "cpu.cfs_quota_us", "50000", "cpu.max", "50000 100000",
               c->group[0], sizeof c->group[0]);
    make_group("memory", "memory.limit_in_bytes", "768M", "memory.max", "768M",
               c->group[1], sizeof c->group[1]);
    c->limits[0] =
        c->group[0][0] != '\0' ? "half a processor" : "no limit on processors";
    c->limits[1] = c->group[1][0] != '\0' ? "768 MB" : "no limit on memory";
    if (container_run(c, "test $$ = 2 || test $$ = 1") != 0) {
        snprintf(why, size, "namespaces cannot be made here");
        return -1;
    }
    return 0;
}

void container_remove(struct container *c)
{
    for (int i = 0; i < 2; i++) {
        for (int tries = 0; c->group[i][0] != '\0' && tries < 50 &&
                            rmdir(c->group[i]) != 0 && errno == EBUSY;
             tries++)
            usleep(100000); /* its last process has just ended */
    }
    if (c->root[0] != '\0')
        grade_remove_tree(c->root);
}

/* --- running -------------------------------------------------------------- */

/* Shows a file or folder of this machine in the container, for reading. */
static int show(const char *root, const char *path, int read_only)
{
    char at[200];
    struct statvfs about;
    unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY;

    snprintf(at, sizeof at, "%s%s", root, path);
    if (mount(path, at, NULL, MS_BIND | MS_REC, NULL) != 0)
        return -1;
    if (!read_only)
        return 0;
    if (statvfs(at, &about) != 0)
        return -1;
    /* What the mount forbids already stays forbidden. */
    flags |= (about.f_flag & ST_NOSUID) != 0 ? MS_NOSUID : 0;
    flags |= (about.f_flag & ST_NODEV) != 0 ? MS_NODEV : 0;
    flags |= (about.f_flag & ST_NOEXEC) != 0 ? MS_NOEXEC : 0;
    flags |= (about.f_flag & ST_RELATIME) != 0 ? MS_RELATIME : 0;
    flags |= (about.f_flag & ST_NOATIME) != 0 ? MS_NOATIME : 0;
    return mount(NULL, at, NULL, flags, NULL);
}

static int enter_root(const char *root)
{
    char at[200];

    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return -1;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (show(root, shared[i], 1) != 0)
            return -1;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (show(root, devices[i], 0) != 0)
            return -1;
    }
    snprintf(at, sizeof at, "%s/proc", root);
    if (mount("proc", at, "proc", 0, NULL) != 0 || chroot(root) != 0 ||
        chdir("/") != 0)
        return -1;
    return write_text_file("/proc/sys/user/max_user_namespaces", "0");
}

/* Root's rights go, but for those that are left, from what is executed. */
static int drop_rights(void)
{
    for (int right = 0; right <= CAP_LAST_CAP; right++) {
        int stays = 0;

        for (size_t i = 0; i < sizeof left / sizeof *left; i++)
            stays |= left[i] == right;
        if (!stays && prctl(PR_CAPBSET_DROP, right, 0, 0, 0) != 0 &&
            errno != EINVAL)
            return -1;
    }
    return 0;
}

/* Process 1 of the container, which takes the orphans. */
static void be_first(const struct container *c, const char *command)
{
    pid_t child, ended;
    int status, code = 125;

    if (enter_root(c->root) != 0 || drop_rights() != 0)
        _exit(124);
    child = fork();
    if (child == 0) {
        static char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
        static char *const environment[] = {path, NULL};

        execle("/bin/sh", "sh", "-c", command, NULL, environment);
        _exit(127);
    }
    while ((ended = wait(&status)) > 0 && ended != child)
        ;
    if (ended == child) {
        code =
            WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    _exit(code); /* and all others with it */
}

/* In its own user namespace, as soon as the parent has given it all users. */
static void be_container(const struct container *c, const char *command,
                         int begun, int mapped)
{
    char byte = 0;
    pid_t first;
    int status;

    for (int i = 0; i < 2; i++) {
        char path[400];

        snprintf(path, sizeof path, "%s/cgroup.procs", c->group[i]);
        if (c->group[i][0] != '\0' && write_text_file(path, "0") != 0)
            _exit(124);
    }
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
                CLONE_NEWNET | CLONE_NEWUTS) != 0 ||
        write(begun, &byte, 1) != 1 || read(mapped, &byte, 1) != 1 ||
        setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0)
        _exit(124);
    first = fork();
    if (first == 0)
        be_first(c, command);
    if (first < 0 || waitpid(first, &status, 0) != first)
        _exit(124);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int container_run(const struct container *c, const char *command)
{
    /* Its root is ours. Its other users are nobody here: a grader ends all
       processes of its boxes' users, wherever they are (box.h). */
    static const char users[] = "0 0 1\n1 1000001 65535\n";
    int begun[2], mapped[2], status = 0;
    char path[60], byte = 0;
    pid_t child;

    if (pipe2(begun, O_CLOEXEC) != 0 || pipe2(mapped, O_CLOEXEC) != 0)
        return 124;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        close(begun[0]);
        close(mapped[1]);
        be_container(c, command, begun[1], mapped[0]);
    }
    close(begun[1]);
    close(mapped[0]);
    if (child > 0 && read(begun[0], &byte, 1) == 1) {
        snprintf(path, sizeof path, "/proc/%d/gid_map", (int)child);
        write_text_file(path, users);
        snprintf(path, sizeof path, "/proc/%d/uid_map", (int)child);
        if (write_text_file(path, users) != 0 ||
            write(mapped[1], &byte, 1) != 1)
            kill(child, SIGKILL);
    }
    close(begun[0]);
    close(mapped[1]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 124;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
