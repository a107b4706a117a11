/*
 * box_parts.h: who does what while a box runs?
 *
 *   supervisor   box.c, box_open.c: reads what the box answers, watches the
 *                clock
 *     keeper     box_keeper.c: starts the box, and sees to it that nothing of
 *                it is left, also when the supervisor is killed
 *       bwrap      (GRADE_BOXED alone) makes the namespaces
 *         box_init   box_init_main.c: sets limits and filter, starts the
 *                    program and tells how it ended
 *           program    trusted by nobody
 *
 * Only files of this part and box_init include this header.
 */
#ifndef GRADE_BOX_PARTS_H
#define GRADE_BOX_PARTS_H

#include <linux/filter.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include "grade/box/box.h"

/* Descriptors of box_init beside those of box.h. A program that runs gets none
   of them. */
enum {
    BOX_PLAN = 6, /* a struct box_plan, to be read */
    BOX_WORD = 7, /* a socket: struct box_word out; its end means "stop" */
    BOX_SELF = 8, /* box_init's own bytes; bwrap or the keeper uses them up */
    BOX_PLACE = 9 /* without namespaces: the folder, open, since its path may
                     lead through folders that the box's user may not enter.
                     A compiler keeps it. */
};

/* The path of that folder. */
#define BOX_PLACE_PATH "/proc/self/fd/9"

/* Where box_init lies in a box with namespaces. Started without an argument it
   ends at once, with 0. */
#define BOX_INIT_PATH "/box_init"

enum {
    BOX_FILTER_MAX = 1024,
    BOX_FIRST_USER = 60000, /* 60000 to 64999 are Debian's to hand out, and it
                               has not (Debian Policy, section 9.2.2) */
    BOX_SLOTS = 4096
};

/* Of a /tmp, where a box has one: how much its files may take, which is memory,
   and the largest file. */
#define BOX_TMP_BYTES ((size_t)256 << 20)

/* What box_init is to do before it starts the program. */
struct box_plan {
    uint64_t address_bytes, stack_bytes, file_bytes;
    uint64_t cpu_seconds, open_files;
    uint64_t processes;      /* of this user at once */
    uint32_t kill_user;      /* 1: whatever this user runs is this box's */
    char environment[2][64]; /* of the program; "": no variable */
    char scratch[32];        /* what it may change; "": nothing */
    uint32_t has_landlock;   /* 1: it may read its folder, and what a compiler
                                does, and nothing else */
    uint32_t compiles;
    uint32_t filter_length; /* 0: no filter */
    struct sock_filter filter[BOX_FILTER_MAX];
};

enum box_message {
    BOX_FAILED = 1, /* at the step in where, with errno in value */
    BOX_STARTED,    /* the program runs, unless BOX_FAILED follows */
    BOX_ENDED,      /* value is what wait() told about the program */
    BOX_GONE, /* by the keeper: nothing of the box is left; value 1: but for
                       processes that could not be ended */
    BOX_MESSAGES
};

struct box_word {
    int32_t message;
    int32_t value;
    double cpu_seconds; /* of all that the sender has started and that ended */
    char where[200];
};

/* Sends one. By write, since the filter of a box allows it. */
static inline void box_tell(int to, enum box_message message, int value,
                            const char *where)
{
    struct box_word word = {.message = message, .value = value};
    struct rusage usage;

    (void)getrusage(RUSAGE_CHILDREN, &usage);
    word.cpu_seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    (void)snprintf(word.where, sizeof word.where, "%s", where);
    (void)!write(to, &word, sizeof word);
}

/* Everything that the keeper needs; made before it is forked. */
struct box_start {
    enum grade_isolation isolation;
    long user;                /* to become; -1: stay who we are */
    long group;               /* of that user */
    int claim;                /* on the user: held until all is ended; or -1 */
    const char *folder;       /* the job's */
    const char *scratch;      /* to be removed at the end; "": none */
    char **argv;              /* of bwrap, or of box_init */
    int inside[BOX_SELF + 1]; /* what becomes descriptor 0, 1, 2, ... */
    int keeper;               /* socket: struct box_word out; its end means
                                 "end everything" */
};

/* The keeper's whole life, in a process of its own. */
_Noreturn void box_keep(const struct box_start *start);

/* What the supervisor holds of a box that has been started. */
struct box_ends {
    int stream[GRADE_STREAMS]; /* to be read, without blocking */
    int word;                  /* socket to box_init */
    int keeper;                /* and to the keeper, */
    pid_t keeper_process;
    int claim;        /* on the box's user */
    char scratch[32]; /* where a compile box works if it has no /tmp of its own;
                         "": there is none */
};

/* Starts a box. Returns 0, or -1 with what failed in why. */
int box_open(const struct grade_box_job *job, struct box_ends *ends, char *why,
             size_t size);

/*
 * Where a box has no namespaces, all that its user runs is ended with it: also
 * what runs in namespaces. So no other box on this machine, of another grader
 * say, may have the same user. Returns the first from the slot's on that is
 * free, and holds it for as long as *claim is open; -1 with errno.
 */
long box_claim_user(int slot, int *claim);

/* After the keeper's last word, or to make it end everything. */
void box_close(struct box_ends *ends);

/* box_init, whole (box_init_bytes.c). */
extern const unsigned char box_init_bytes[];
extern const uint64_t box_init_size;

#define BOX_BWRAP "/usr/bin/bwrap"

/*
 * The command line of bwrap for a job, or of box_init where there are no
 * namespaces. Ends with a NULL; freed by box_arguments_free. NULL with errno
 * ENOMEM.
 */
char **box_arguments(const struct grade_box_job *job);
void box_arguments_free(char **argv);

/*
 * Writes the system call filter for a kind of box. Returns the number of
 * instructions, or -1 with errno.
 */
int box_filter(enum grade_box_kind kind, struct sock_filter *filter, int room);

#endif /* GRADE_BOX_PARTS_H */
