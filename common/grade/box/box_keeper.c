/*
 * box_keeper.c: what sees to it that nothing of a box is left? See box_parts.h.
 *
 * The keeper is a process between the supervisor and the box. What loses its
 * parent in there becomes the keeper's child, and it leaves when it has none.
 * It notices that its supervisor is gone, however that ended.
 */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include "grade/base/clean_up.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 1000, /* at ending what is left, */
    PAUSE = 5     /* ms apart */
};

_Noreturn static void give_up(const char *where)
{
    box_tell(BOX_WORD, BOX_FAILED, errno, where);
    _exit(127);
}

/* All three user numbers and all groups, so that there is no way back. */
static void become_user(const struct box_start *start)
{
    uid_t user = (uid_t)start->user;
    gid_t group = (gid_t)start->group;

    if (start->user < 0)
        return;
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 ||
        setresuid(user, user, user) != 0)
        give_up("becoming the box's own user");
}

/*
 * bwrap runs as the box's user, who may not enter each folder that root may. So
 * root shows it the folder at another path, which everybody may enter, in a
 * mount namespace of its own. Where root may not do that, as in most
 * containers, the folder stays where it is.
 */
static const char *show_folder(const struct box_start *start)
{
    static char shown[] = "/tmp"; /* bwrap needs this too, as a mount point */
    char **word = start->argv;

    if (unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0 ||
        mount(start->job->folder, shown, NULL, MS_BIND, NULL) != 0)
        return start->job->folder;
    while (strcmp(word[1], GRADE_BOX_FOLDER) != 0)
        word++;
    *word = shown;
    return shown;
}

/* The user can read the folder at this path, and the box can start there. */
static void enter_folder(const struct box_start *start, const char *folder)
{
    const int named = start->job->isolation == GRADE_BOXED;

    if (access(folder, R_OK | X_OK) != 0) {
        char where[200];

        (void)snprintf(
            where, sizeof where,
            "the user of a box may not enter %.100s (chmod a+rx it and "
            "the folders above it)",
            start->job->folder);
        give_up(where);
    }
    if (chdir(named                     ? "/"
              : start->ends->scratch[0] ? start->ends->scratch
                                        : folder) != 0)
        give_up("chdir");
}

/* Becomes bwrap or box_init, with the descriptors that are theirs. */
_Noreturn static void become_box(const struct box_start *start)
{
    char *const environment[] = {NULL};
    const int boxed = start->job->isolation == GRADE_BOXED;
    const char *folder = boxed ? start->job->folder : BOX_PLACE_PATH;
    int from[BOX_SELF + 1];
    sigset_t none;

    /* First out of the way of each other. */
    for (int i = 0; i <= BOX_SELF; i++)
        from[i] = fcntl(start->inside[i], F_DUPFD, BOX_SELF + 1);
    for (int i = 0; i <= BOX_SELF; i++) {
        if (dup2(from[i], i) < 0)
            _exit(127);
    }
    if (close_range(BOX_SELF + 1, ~0U, 0) != 0)
        give_up("close_range");
    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        (void)signal(signal_number, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (!boxed && open(start->job->folder, O_PATH | O_DIRECTORY) != BOX_PLACE)
        give_up("opening the folder of a box");
    if (boxed && start->user >= 0)
        folder = show_folder(start);
    become_user(start);
    enter_folder(start, folder);
    if (start->job->isolation != GRADE_UNSAFE &&
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up("no_new_privs");
    if (boxed) {
        (void)execve(BOX_BWRAP, start->argv, environment);
        give_up(BOX_BWRAP);
    }
    (void)fcntl(BOX_SELF, F_SETFD, FD_CLOEXEC);
    (void)fexecve(BOX_SELF, start->argv, environment);
    give_up("box_init");
}

/* All that a user runs, at once: none can fork away from it. */
static void kill_user(const struct box_start *start)
{
    pid_t helper = fork();

    if (helper == 0) {
        become_user(start);
        (void)kill(-1, SIGKILL);
        _exit(0);
    }
}

/* Reaps who ended. *first is bwrap or box_init, and becomes 0 once it is gone.
   Returns 1 while there are others. */
static int others_left(pid_t *first)
{
    pid_t pid;

    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        *first = pid == *first ? 0 : *first;
    return pid == 0;
}

/* Until what was started is gone, or is to be ended. */
static void wait_for_first(pid_t *first, int keeper, const sigset_t *child)
{
    struct pollfd events[2] = {{.events = POLLIN},
                               {.fd = keeper, .events = POLLIN}};
    struct signalfd_siginfo one;

    events[0].fd = signalfd(-1, child, SFD_NONBLOCK);
    while (others_left(first) && *first && !events[1].revents) {
        (void)poll(events, 2, -1);
        (void)!read(events[0].fd, &one, sizeof one);
    }
}

/* First what was started, then all that came to us from below it. Returns 1 if
   something is left. */
static int end_everything(const struct box_start *start, pid_t *first)
{
    const struct timespec pause = {0, PAUSE * 1000000L};
    int own_user = start->job->isolation != GRADE_BOXED && start->user >= 0;

    for (int i = 0; i < TRIES && others_left(first); i++) {
        if (own_user) {
            kill_user(start);
        } else {
            grade_kill_children();
        }
        (void)nanosleep(&pause, NULL);
    }
    return others_left(first);
}

_Noreturn void box_keep(const struct box_start *start)
{
    enum {
        KEEPER = 3,
        CLAIM
    };
    sigset_t all, child;
    pid_t first;
    int claim, left;

    (void)setsid();
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    first = fork();
    if (first == 0)
        become_box(start);
    if (first < 0)
        box_tell(start->inside[BOX_WORD], BOX_FAILED, errno, "fork");
    /* The supervisor's ends are here too, and must not be: as long as one is
       open, its death is not seen. */
    claim = fcntl(start->ends->claim, F_DUPFD, CLAIM + 1);
    if (dup2(start->keeper, KEEPER) < 0)
        _exit(1);
    (void)dup2(claim, CLAIM);
    (void)close_range(claim >= 0 ? CLAIM + 1 : CLAIM, ~0U, 0);
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    wait_for_first(&first, KEEPER, &child);
    left = end_everything(start, &first);
    if (start->ends->scratch[0] != '\0')
        (void)grade_remove_tree(start->ends->scratch);
    box_tell(KEEPER, BOX_GONE, left, "");
    _exit(0);
}
