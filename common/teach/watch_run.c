#define _POSIX_C_SOURCE 200809L
#include "teach/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CANNOT_RUN = 127,
    STEP = 20 * 1000 * 1000, /* nanoseconds between two looks at a dying run */
    STEPS = 50
};

/* In the new process: signals as they were, no input, not what a make that
   runs this has set. */
__attribute__((noreturn)) static void become(char *const *arguments)
{
    sigset_t none;
    const int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    execvp(arguments[0], arguments);
    _exit(CANNOT_RUN);
}

pid_t watch_start(char *const *arguments)
{
    const pid_t child = fork();

    if (child == 0)
        become(arguments);
    if (child > 0)
        setpgid(child, child); /* whoever is first; both do the same */
    return child;
}

void watch_stop(pid_t group)
{
    const struct timespec step = {0, STEP};

    kill(-group, SIGTERM);
    for (int i = 0; i < STEPS; i++) {
        if (waitpid(group, NULL, WNOHANG) != 0)
            break;
        nanosleep(&step, NULL);
    }
    /* What is left of the group, the program itself among it. */
    kill(-group, SIGKILL);
    while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
        ;
}
