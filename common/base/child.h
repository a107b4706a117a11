/*
 * child.h: how does a program run another one?
 *
 * Its arguments go to it as they are, without a shell, and it has no input. No
 * signal is held back for it.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

enum {
    BASE_CHILD_HEARD = 1, /* what it prints is for this program, which reads */
    BASE_CHILD_APART = 2  /* it leads a process group of its own, which is ended
                             as a whole, and not by a terminal's Ctrl-C */
};

struct base_child {
    pid_t process;
    int said; /* descriptor: its stdout and stderr; -1: they are this program's,
                 or have been read */
};

struct base_child_end {
    enum {
        BASE_CHILD_ENDED,    /* by itself, with the exit code in code; 127: the
                                  program is not there */
        BASE_CHILD_SIGNALED, /* by the signal in code */
        BASE_CHILD_OUT_OF_TIME /* it was ended for that */
    } how;
    int code;
};

/* Starts argv[0], which is looked for in PATH; NULL stands behind the last
   argument. Returns 0, or -1 with errno. */
int base_child_start(struct base_child *child, const char *const *argv,
                     int options);

/*
 * Waits for its end; seconds > 0: no longer than that, after which it is
 * stopped. said: what a child that is HEARD has printed, for free(), each NUL
 * of it a question mark; NULL without memory.
 */
struct base_child_end base_child_wait(struct base_child *child, double seconds,
                                      char **said);

/* Ends it, and the group that it leads: SIGTERM, and SIGKILL to what is there a
   second later. */
void base_child_stop(struct base_child *child);

#endif /* BASE_CHILD_H */
