/*
 * watch.h: what an access is that nobody has told of. Written into a lab's
 * assembly by grade_watch_main.c, read by runner_guard.c.
 */
#ifndef GRADE_WATCH_H
#define GRADE_WATCH_H

enum {
    GRADE_WATCH_SIZE = 31, /* bytes */
    GRADE_WATCH_WRITE = 32,
    GRADE_WATCH_REPEATED = 64, /* as often as rcx says */
    GRADE_WATCH_THREADS = 128  /* the address is from the thread's own on */
};

#endif /* GRADE_WATCH_H */
