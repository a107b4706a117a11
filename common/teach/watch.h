/*
 * watch.h: has a source changed, and what runs because of it?
 *
 * Two things that the program watch is made of, beside the run: the file, and
 * the terminal. None of them prints.
 */
#ifndef TEACH_WATCH_H
#define TEACH_WATCH_H

#include <signal.h>
#include <sys/types.h>
#include <time.h>

/* What a file looks like from outside; size -1: there is none. */
struct watch_look {
    struct timespec modified;
    long long size, inode;
};

/*
 * The file, looked at again and again. An editor may truncate and write it, or
 * write another one and rename it; between the two it is empty or not there.
 */
struct watch_file {
    const char *path;
    struct watch_look taken; /* the look that was acted on */
    struct watch_look last;  /* the one before this */
    int empty;               /* looks in a row that found it empty */
};

enum {
    WATCH_EMPTY_LOOKS = 5 /* from then on an empty file is meant */
};

/* Begins with the file as it is now, which counts as no change. */
void watch_file_open(struct watch_file *file, const char *path);

/* Looks again. Returns 1 if the file differs from the one that was taken last
   and has stayed the same since the look before; it is then taken. */
int watch_file_changed(struct watch_file *file);

/* The same for a look that was made elsewhere. */
int watch_file_see(struct watch_file *file, const struct watch_look *look);

/*
 * Makes the terminal on standard input give keys at once, without showing
 * them, if there is one and this program is in its foreground. Returns 1 if
 * there are keys. watch_keys_end puts back what was; it may be called at any
 * time, any number of times, in a signal handler too.
 */
int watch_keys_begin(void);
void watch_keys_end(void);

#endif /* TEACH_WATCH_H */
