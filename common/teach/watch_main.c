/*
 * watch: runs a lab's checks whenever its source is saved.
 *
 *   watch FIRST LAB... [-- SETTING=VALUE...]
 *
 * FIRST is 03_tiling, LAB... are all labs in their order. Runs make lab-03, and
 * one that is outdated is ended. Keys, where there is a terminal: h shows the
 * next hint, r runs again, n goes to the next lab, q quits. Exit codes: 0 quit,
 * 2 a wrong call; or ended by the signal that came, if it is not SIGINT.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"

enum {
    WRONG = 2,
    PERIOD = 200, /* milliseconds between two looks at the file */
    SETTINGS = 32,
    PATH = 300
};

/* --- the file ----- */

/*
 * The file, looked at again and again. An editor may truncate and write it, or
 * write another one and rename it; between the two it is empty or not there.
 */
struct file {
    const char *path;
    struct stat taken; /* the look that was acted on */
    struct stat last;  /* the one before this */
    int empty;         /* looks in a row that found it empty */
};

enum {
    EMPTY_LOOKS = 5 /* from then on an empty file is meant */
};

/* What the file looks like from outside; size -1: there is none. */
static struct stat look_at(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 ? found : (struct stat){.st_size = -1};
}

static int is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Looks again. Returns 1 if the file differs from the one that was taken last
   and has stayed the same since the look before; it is then taken. */
static int has_changed(struct file *file)
{
    const struct stat look = look_at(file->path);
    const int is_still = is_same_file(&look, &file->last);

    file->last = look;
    file->empty = look.st_size == 0 ? file->empty + 1 : 0;
    if (!is_still || is_same_file(&look, &file->taken) || look.st_size < 0 ||
        (look.st_size == 0 && file->empty < EMPTY_LOOKS))
        return 0;
    file->taken = look;
    return 1;
}

/* --- the terminal ----- */

static struct termios before;
static volatile sig_atomic_t is_changed;

/* Makes the terminal on standard input give keys at once, without showing them,
   if there is one and this program is in its foreground. Returns 1 if there are
   keys. */
static int begin_keys(void)
{
    struct termios keys;

    if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
        tcgetattr(STDIN_FILENO, &keys) != 0)
        return 0;
    if (!is_changed)
        before = keys;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    is_changed = 1; /* first: a signal in between puts back what is there */
    if (tcsetattr(STDIN_FILENO, TCSANOW, &keys) != 0) {
        is_changed = 0;
        return 0;
    }
    return 1;
}

/* Puts back what was. */
static void end_keys(void)
{
    if (is_changed)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    is_changed = 0;
}

/* --- the program ----- */

struct watch {
    char *const *lab; /* all labs */
    int labs, now;
    char *setting[SETTINGS + 1];
    int settings;
    char path[PATH];
    struct file file;
    struct base_child run; /* process -1: none */
    int has_keys, quits;
};

/* The signal that asks to end, or to stop for a while; 0: none. */
static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    asked = number;
}

/* Signals only come while poll waits: blocked elsewhere, they get lost nowhere.
   SIGCHLD wakes it. */
static void on_child(int number)
{
    (void)number;
}

static void handle(int number, void (*function)(int))
{
    struct sigaction action = {.sa_handler = function};

    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void say_keys(const struct watch *watch)
{
    if (watch->has_keys) {
        printf("%s: h hint, r run, n next lab, q quit\n", watch->path);
    } else {
        printf("%s: waiting for it to change\n", watch->path);
    }
    fflush(stdout);
}

/* Starts make lab-03 or make hint-03. Returns 0, or -1 with errno. */
static int start_make(const struct watch *watch, const char *target,
                      int is_with_settings, struct base_child *run)
{
    char name[32];
    const char *arguments[SETTINGS + 3] = {"make", name};

    snprintf(name, sizeof name, "%s-%.2s", target, watch->lab[watch->now]);
    for (int i = 0; is_with_settings && i < watch->settings; i++)
        arguments[2 + i] = watch->setting[i];
    return base_child_start(run, arguments, BASE_CHILD_APART);
}

/* make would say that it was ended, so it is not asked. Nor does a shell say
   that of what SIGINT ends. */
static void stop_run(struct watch *watch)
{
    if (watch->run.process <= 0)
        return;
    kill(watch->run.process, SIGKILL);
    kill(-watch->run.process, SIGINT);
    base_child_stop(&watch->run);
}

static void run_lab(struct watch *watch)
{
    stop_run(watch);
    if (isatty(STDOUT_FILENO))
        fputs("\033[H\033[2J", stdout);
    fflush(stdout);
    if (start_make(watch, "lab", 1, &watch->run) != 0)
        printf("watch: make cannot be started: %s\n", strerror(errno));
}

static void open_lab(struct watch *watch)
{
    const char *const lab = watch->lab[watch->now];
    struct stat look;

    snprintf(watch->path, sizeof watch->path, "labs/%s/%s.cu", lab, lab + 3);
    look = look_at(watch->path);
    watch->file = (struct file){watch->path, look, look, 0};
    run_lab(watch);
}

/* A hint is short, so it is waited for. */
static void show_hint(struct watch *watch)
{
    struct base_child hint;

    if (start_make(watch, "hint", 0, &hint) == 0)
        base_child_wait(&hint, 0.0, NULL);
    say_keys(watch);
}

static void take_key(struct watch *watch, char key)
{
    switch (key) {
    case 'h':
        stop_run(watch);
        show_hint(watch);
        break;
    case 'r':
        run_lab(watch);
        break;
    case 'n':
        if (watch->now + 1 == watch->labs) {
            printf("%s is the last lab.\n", watch->lab[watch->now]);
            fflush(stdout);
        } else {
            watch->now++;
            open_lab(watch);
        }
        break;
    case 'q':
        watch->quits = 1;
        break;
    default:
        break;
    }
}

/* Reads what was typed. A key such as an arrow sends several bytes, the first
   of which is ESC. */
static void read_keys(struct watch *watch)
{
    char keys[64];
    const ssize_t count = read(STDIN_FILENO, keys, sizeof keys);

    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
        watch->quits = 1; /* the terminal has gone */
        return;
    }
    for (ssize_t i = 0; i < count && keys[i] != '\033' && !watch->quits; i++)
        take_key(watch, keys[i]);
}

/* Has the run ended by itself? */
static void look_at_run(struct watch *watch)
{
    const pid_t run = watch->run.process;

    if (run > 0 && waitpid(run, NULL, WNOHANG) == run) {
        watch->run.process = -1;
        say_keys(watch);
    }
}

/* Ctrl-Z: the terminal is the shell's until fg. */
static void sleep_until_continued(struct watch *watch)
{
    asked = 0;
    stop_run(watch);
    end_keys();
    raise(SIGSTOP);
    watch->has_keys = begin_keys();
    say_keys(watch);
}

static void loop(struct watch *watch)
{
    const struct timespec period = {0, PERIOD * 1000L * 1000L};
    sigset_t open;

    sigemptyset(&open);
    while (!watch->quits) {
        fd_set keys;

        FD_ZERO(&keys);
        if (watch->has_keys)
            FD_SET(STDIN_FILENO, &keys);
        if (pselect(STDIN_FILENO + 1, &keys, NULL, NULL, &period, &open) > 0)
            read_keys(watch);
        if (asked == SIGTSTP)
            sleep_until_continued(watch);
        if (asked != 0)
            return;
        look_at_run(watch);
        if (!watch->quits && has_changed(&watch->file))
            run_lab(watch);
    }
}

static int read_call(int argc, char **argv, struct watch *watch)
{
    int i = 2;

    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strlen(argv[i]) < 4)
            return -1;
        if (strcmp(argv[i], argv[1]) == 0)
            watch->now = i - 2;
    }
    watch->lab = argv + 2;
    watch->labs = i - 2;
    for (i++; i < argc && watch->settings < SETTINGS; i++)
        watch->setting[watch->settings++] = argv[i];
    return watch->now < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    struct watch watch = {.now = -1, .run.process = -1};
    sigset_t blocked;

    if (argc < 3 || read_call(argc, argv, &watch) != 0) {
        fputs(
            "usage: watch FIRST LAB... [-- SETTING=VALUE...], FIRST being one "
            "of the labs\n",
            stderr);
        return WRONG;
    }
    /* What the make that runs this has set is not for those that this runs. */
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    setenv("LAB_WATCHED", "1", 1); /* what Next: says */
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        sigaddset(&blocked, ends[i]);
        handle(ends[i], on_signal);
    }
    handle(SIGCHLD, on_child);
    handle(SIGTTOU, SIG_IGN);
    sigprocmask(SIG_BLOCK, &blocked, NULL);

    watch.has_keys = begin_keys();
    open_lab(&watch);
    loop(&watch);
    stop_run(&watch);
    end_keys();
    /* End as whoever sent it expects; but of Ctrl-C, make gets it too, and
       would say that this program failed. */
    if (asked != 0 && asked != SIGINT) {
        handle(asked, SIG_DFL);
        raise(asked);
        sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    }
    return 0;
}
