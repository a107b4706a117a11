/*
 * box.h: how does code that nobody trusts run, so that it can do nothing else?
 *
 * A box is a process tree of its own. README.md tells what it sees, what each
 * layer stops, and of the three kinds.
 *
 * Where the grader is started by root, a box's user and group are 60000 + slot,
 * in every isolation. They must be able to read the folder; those above it may
 * be closed to them. Without namespaces the user is another if a box of another
 * grader has that one; the group is the same.
 *
 * Where there are no namespaces, an argument that begins with GRADE_BOX_FOLDER
 * is led to the folder itself; a program begins in that folder, a compiler in a
 * new one in /tmp, which is also its TMPDIR and is removed.
 */
#ifndef GRADE_BOX_H
#define GRADE_BOX_H

#include <stddef.h>

enum grade_isolation {
    GRADE_BOXED,     /* bubblewrap with user namespaces, and seccomp */
    GRADE_CONTAINER, /* in a container that is thrown away: no namespaces, but
                        a user of its own, limits and seccomp */
    GRADE_UNSAFE     /* limits alone; for one's own code */
};

/* "boxed", "container", "unsafe" */
extern const char *const grade_isolation_name[];

enum grade_box_kind {
    GRADE_BOX_COMPILE,
    GRADE_BOX_RUN,
    GRADE_BOX_GPU /* GRADE_BOXED alone */
};

/* In a box: the folder, and the descriptors beside 0, 1 and 2. */
#define GRADE_BOX_FOLDER "/box"
enum {
    GRADE_BOX_INPUT = 3,
    GRADE_BOX_RESULT = 4,
    GRADE_BOX_REPORT = 5
};

/* Which texts and bytes a box may give back, and how many. */
enum grade_box_stream {
    GRADE_RESULT, /* what it wrote to GRADE_BOX_RESULT */
    GRADE_REPORT, /* to GRADE_BOX_REPORT */
    GRADE_TEXT,   /* to its stdout and stderr, in the order of arrival */
    GRADE_STREAMS
};

struct grade_box_job {
    enum grade_isolation isolation;
    enum grade_box_kind kind;
    int slot;                /* from 0; boxes of two slots run side by side */
    const char *folder;      /* absolute; read-only GRADE_BOX_FOLDER inside */
    const char *const *argv; /* paths as seen inside; ends with a NULL */
    const void *input;       /* copied; NULL: the descriptor is at its end */
    size_t input_size;
    size_t limit[GRADE_STREAMS]; /* bytes that are kept; see outcome.over */
    double wall_seconds;
    int cpu_seconds;      /* of each process */
    size_t address_bytes; /* of each process; 0: no limit */
    int processes;        /* and threads, all together */
};

enum grade_box_end {
    GRADE_ENDED,       /* by itself, with a code */
    GRADE_SIGNALED,    /* by the signal in code */
    GRADE_OUT_OF_TIME, /* wall_seconds or cpu_seconds */
    GRADE_NOT_STARTED  /* the fault of the grader or of the machine, in why */
};

struct grade_box_outcome {
    enum grade_box_end end;
    int code;
    char *bytes[GRADE_STREAMS]; /* each with a NUL behind it; never NULL after
                                   an end that is not GRADE_NOT_STARTED */
    size_t size[GRADE_STREAMS]; /* without that NUL; at most the limit */
    int over[GRADE_STREAMS];    /* 1: it wrote more, and that was dropped; for
                                   GRADE_RESULT and GRADE_REPORT it was
                                   killed */
    double wall_seconds;
    double cpu_seconds; /* of the whole tree */
    char why[300];
};

/*
 * Runs one job and waits for its end; all of its processes are gone then. Free
 * the outcome with grade_box_free, whatever came of it. Safe to call from
 * several processes with different slots.
 */
void grade_box_run(const struct grade_box_job *job,
                   struct grade_box_outcome *outcome);

void grade_box_free(struct grade_box_outcome *outcome);

/*
 * Can a box of this isolation start here? Returns 0; or -1 with one line in why
 * that says what is missing and what to do.
 */
int grade_box_probe(enum grade_isolation isolation, char *why, size_t size);

/* --- slots: slot.c -------------------------------------------------------- */

/* One of several graders at work puts its files into a folder of its slot's
   own, which only the user of the slot's boxes may read beside the grader. */

/*
 * Takes slots of this machine that no other grader has: their numbers in
 * slot[0] to slot[slots - 1]. A box's user is that of its slot, and
 * when a box ends all of its user's processes are killed: two graders with one
 * slot would kill each other's. Only root has such users; for anybody else they
 * are 0, 1, ... Returns a descriptor that holds them for as long as it is open,
 * here or in a child process; or -1 with a line in why.
 */
int grade_slots_take(int *slot, int slots, char *why, size_t size);

/* Makes the folder anew below work: its path, for free(). NULL with errno. */
char *grade_slot_begin(const char *work, int slot);

#endif /* GRADE_BOX_H */
