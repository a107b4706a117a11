/*
 * box_keeper.c: what sees to it that nothing of a box is left? See box_parts.h.
 *
 * The keeper is a process between the supervisor and the box. What loses its
 * parent in there becomes the keeper's child, and it leaves when it has none.
 * It notices that its supervisor is gone, however that ended.
 */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include "grade/base/children.h"
#include "grade/base/remove_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 1000, /* at ending what is left, */
    PAUSE = 5     /* ms apart */
};

_Noreturn static void give_up(const char *where)
{
    struct box_word word = {.message = BOX_FAILED, .value = errno};

    (void)snprintf(word.where, sizeof word.where, "%s", where);
    (void)send(BOX_WORD, &word, sizeof word, MSG_NOSIGNAL);
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
        mount(start->folder, shown, NULL, MS_BIND, NULL) != 0)
        return start->folder;
    while (strcmp(word[1], GRADE_BOX_FOLDER) != 0)
        word++;
    *word = shown;
    return shown;
}

/* The user can read the folder at this path, and the box can start there. */
static void enter_folder(const struct box_start *start, const char *folder)
{
    const int named = start->isolation == GRADE_BOXED;

    if (access(folder, R_OK | X_OK) != 0) {
        char where[200];

        (void)snprintf(
            where, sizeof where,
            "the user of a box may not enter %.100s (chmod a+rx it and "
            "the folders above it)",
            start->folder);
        give_up(where);
    }
    if (chdir(named ? "/" : start->scratch[0] ? start->scratch : folder) != 0)
        give_up("chdir");
}

/* Becomes bwrap or box_init, with the descriptors that are theirs. */
_Noreturn static void become_box(const struct box_start *start)
{
    char *const environment[] = {NULL};
    const int boxed = start->isolation == GRADE_BOXED;
    const char *folder = boxed ? start->folder : BOX_PLACE_PATH;
    sigset_t none;

    for (int i = 0; i <= BOX_SELF; i++) {
        if (dup2(start->inside[i], i) < 0)
            _exit(127);
    }
    if (close_range(BOX_SELF + 1, ~0U, 0) != 0)
        give_up("close_range");
    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        (void)signal(signal_number, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (!boxed && open(start->folder, O_PATH | O_DIRECTORY) != BOX_PLACE)
        give_up("opening the folder of a box");
    if (boxed && start->user >= 0)
        folder = show_folder(start);
    become_user(start);
    enter_folder(start, folder);
    if (start->isolation != GRADE_UNSAFE &&
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

/* What was started, and what is known of it. */
struct kept {
    pid_t first; /* bwrap or box_init; 0 once it is gone */
    struct box_last_word last;
};

/* Reaps who ended. Returns 1 while there are others. */
static int others_left(struct kept *kept)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == kept->first) {
            kept->last.status = status;
            kept->first = 0;
        }
    }
    return pid == 0;
}

/* Until what was started is gone, or is to be ended. */
static void wait_for_first(struct kept *kept, int keeper, const sigset_t *child)
{
    struct pollfd events[2] = {{.events = POLLIN},
                               {.fd = keeper, .events = POLLIN}};
    struct signalfd_siginfo one;

    events[0].fd = signalfd(-1, child, SFD_NONBLOCK);
    while (others_left(kept) && kept->first && !events[1].revents) {
        (void)poll(events, 2, -1);
        (void)!read(events[0].fd, &one, sizeof one);
    }
}

/* First what was started, then all that came to us from below it. */
static void end_everything(const struct box_start *start, struct kept *kept)
{
    const struct timespec pause = {0, PAUSE * 1000000L};
    int own_user = start->isolation != GRADE_BOXED && start->user >= 0;

    for (int i = 0; i < TRIES && others_left(kept); i++) {
        if (own_user) {
            kill_user(start);
        } else {
            grade_kill_children();
        }
        (void)nanosleep(&pause, NULL);
    }
    kept->last.left = others_left(kept);
}

static void tell_the_last(int keeper, struct box_last_word *last)
{
    struct rusage usage;

    (void)getrusage(RUSAGE_CHILDREN, &usage);
    last->cpu_seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    (void)send(keeper, last, sizeof *last, MSG_NOSIGNAL);
}

_Noreturn void box_keep(const struct box_start *start)
{
    enum {
        KEEPER = 3,
        CLAIM
    };
    struct kept kept = {0};
    sigset_t all, child;

    (void)setsid();
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    kept.first = fork();
    if (kept.first == 0)
        become_box(start);
    if (kept.first < 0)
        kept.last.error = errno;
    /* The supervisor's ends are here too, and must not be: as long as one is
       open, its death is not seen. */
    if (dup2(start->keeper, KEEPER) < 0)
        _exit(1);
    if (start->claim >= 0)
        (void)dup2(start->claim, CLAIM);
    (void)close_range(start->claim >= 0 ? CLAIM + 1 : CLAIM, ~0U, 0);
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    wait_for_first(&kept, KEEPER, &child);
    end_everything(start, &kept);
    if (start->scratch[0] != '\0')
        (void)grade_remove_tree(start->scratch);
    tell_the_last(KEEPER, &kept.last);
    _exit(0);
}
