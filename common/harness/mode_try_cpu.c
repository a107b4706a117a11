/*
 * Which one small change makes a wrong lab right? The program is built of a
 * copy that holds all of them (simt/alternatives/alternatives.h). A process of
 * its own tries each, first at a few small sizes, which most do not pass, then
 * at all of the lab's. The fast program looks whether C is right, at a fiftieth
 * of the time; those that are left over it hands on to the counting one, whose
 * checks must find nothing, and which looks whether the lab's number is
 * reached, too. What is left then is no guess, and is told: where it stands,
 * not what it is.
 */
#define _GNU_SOURCE
#include "program.h"

#include "base/language.h"
#include "base/clock.h"
#include "base/file.h"
#include "device_kind.h"
#include "measure.h"
#include "mode_try.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_PRODUCTS = 4000000, /* of a size that takes no time worth a word */
    AT_ONCE = 500,           /* then those that are right are told */
    /* Of each program, of all cores; on a slow machine fewer are tried. One
       that is busy with something else takes up to three times as long. */
    MOST_SECONDS = 10,
    MOST_SECONDS_COUNTED = 40,
    LIMIT = 3, /* seconds of processor time that a run may take */
    LONG = 15, /* the same, of the counting program */
    MOST_COUNTED = 12,
    MOST_CORES = 16,
    SMALL = 3,
    HEAD = 5, /* numbers before those of changes that are left */
    RIGHT = 0,
    WRONG = 1
};

#pragma weak simt_alternatives

/* A constant for the lab, so that to look at it is no access. */
extern int lab_change, lab_change_too;
int lab_change, lab_change_too;

/* Sizes at which a change must be right before it is tried at all of the lab's:
   one at which the lab is wrong, and then these. */
static struct course_shape small[] = {{0, 0, 0}, {16, 16, 16}, {37, 53, 29}};

/* Processor time that a run at small[0] may take: more, and it does not end. */
static struct itimerval patience;

/* When there is no more time; 0: it is not known yet. */
static double until;
static double until_used; /* the same in processor time of the runs */

static int most_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1 ? 1 : cores > MOST_CORES ? MOST_CORES : (int)cores;
}

static double used_by_runs(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void set_time(int seconds)
{
    until = base_seconds() + 3.0 * seconds;
    until_used = used_by_runs() + (double)seconds * most_cores();
}

static int is_time_over(void)
{
    return base_seconds() > until || used_by_runs() > until_used;
}

/* What is asked of a change, one after the other. */
enum stage {
    QUICK,  /* at the small sizes, which most do not pass */
    ALL,    /* at all that are tried */
    NUMBERS /* is the lab's number reached? */
};

/* --- one change ----------------------------------------------------------- */

static int try_shape(struct lab_program *program, struct course_shape shape)
{
    shape = course_sides(lab_info.lab, shape);
    for (int e = 0; e < lab_info.lab->entries; e++) {
        if (lab_examine(program, &lab_info.lab->entry[e], shape,
                        (lab_can_count() ? LAB_CHECK : 0) | LAB_QUIET) != 0)
            return WRONG;
    }
    return RIGHT;
}

static int try_all(struct lab_program *program, enum stage stage)
{
    if (stage == NUMBERS)
        return lab_mode_count(program) == LAB_PASS ? RIGHT : WRONG;
    if (stage == QUICK) {
        for (int i = 0; i < SMALL; i++) {
            if (try_shape(program, small[i]) != RIGHT)
                return WRONG;
        }
        return RIGHT;
    }
    if (lab_can_count()) /* sums in memory take it long: the small sizes do */
        return RIGHT;
    for (int e = 0; e < lab_info.lab->entries; e++) {
        if (lab_examine_small(program, &lab_info.lab->entry[e], 0) != 0)
            return WRONG;
    }
    for (int i = 0; i < lab_info.shapes; i++) {
        if (course_multiply_adds(&lab_info.shape[i]) <= MOST_PRODUCTS &&
            try_shape(program, lab_info.shape[i]) != RIGHT)
            return WRONG;
    }
    return RIGHT;
}

/* A process that runs the lab with one change: at one size, or if that is NULL
   at the small ones or at all. Returns its number, or -1. */
static pid_t start(struct lab_program *program, int number,
                   const struct course_shape *shape, enum stage stage)
{
    const struct itimerval most = {.it_value.tv_sec =
                                       lab_can_count() ? LONG : LIMIT};
    const pid_t child = fork();
    int nowhere;

    if (child != 0)
        return child;
    nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    setitimer(ITIMER_VIRTUAL,
              stage == QUICK && !lab_can_count() ? &patience : &most, NULL);
    alarm(until > 0.0 ? (unsigned)(until - base_seconds()) + 1 : 5 * LIMIT);
    lab_change = lab_try_one_of(number, 0);
    lab_change_too = number < LAB_TRY_PAIRS ? 0 : lab_try_one_of(number, 1);
    lab_device_settings(1, program->options.seed,
                        program->options.banks == 1 ? 1 : 9);
    simt_set_limit(lab_can_count() ? LONG : LIMIT);
    _exit(shape != NULL ? try_shape(program, *shape) : try_all(program, stage));
}

/* --- all of them ---------------------------------------------------------- */

struct trial {
    struct lab_program *program;
    enum stage stage;
    int *left; /* in: those to be tried, out: those that are right */
    int count;
    int tried;
    int next; /* of all changes, the first that is tried then */
    int unknown
        [MOST_COUNTED]; /* of the stage of the numbers: those whose run */
    int unknowns;       /* took too long, or was not begun */
};

/* Takes the end of one of the processes. */
static void collect(pid_t *process, int *number, int *running, int *kept,
                    struct trial *t)
{
    int status;
    const pid_t ended = wait(&status);

    for (int i = 0; i < *running; i++) {
        if (process[i] != ended)
            continue;
        if (!WIFEXITED(status) && t->stage == NUMBERS)
            t->unknown[t->unknowns++] = number[i];
        if (WIFEXITED(status) && WEXITSTATUS(status) == RIGHT)
            t->left[(*kept)++] = number[i];
        (*running)--;
        process[i] = process[*running];
        number[i] = number[*running];
        return;
    }
}

static void run(struct trial *t)
{
    const int most = most_cores();
    pid_t process[MOST_CORES];
    int number[MOST_CORES], running = 0, kept = 0;

    t->unknowns = 0;
    for (int i = 0; i < t->count; i++) {
        pid_t child;
        const int at = t->left[i]; /* kept never passes i */

        if (is_time_over()) {
            t->next -= t->stage == QUICK ? t->count - i : 0;
            for (; t->stage == NUMBERS && i < t->count; i++)
                t->unknown[t->unknowns++] = t->left[i];
            break;
        }
        if (running == most)
            collect(process, number, &running, &kept, t);
        child = start(t->program, at, NULL, t->stage);
        if (child < 0)
            break;
        process[running] = child;
        number[running++] = at;
        t->tried += t->stage == QUICK && !lab_can_count();
    }
    while (running > 0)
        collect(process, number, &running, &kept, t);
    t->count = kept;
}

/* --- where it is wrong ---------------------------------------------------- */

/* 1 if the lab as it is is wrong at that size, which then is small[0]; 0 or -1.
 */
static int is_wrong_at(struct lab_program *program, struct course_shape shape)
{
    struct rusage used;
    int status;
    const pid_t child = start(program, 0, &shape, ALL);
    const long most = 300000;
    long micros;

    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == RIGHT)
        return 0;
    micros = used.ru_utime.tv_sec * 1000000 + used.ru_utime.tv_usec;
    /* A loop with a change in it takes many times as long. */
    micros = 50000 + 30 * micros;
    if (micros > most) /* it does not end itself */
        micros = most;
    patience.it_value.tv_usec = micros;
    small[0] = shape;
    return 1;
}

/* The first size at which it is wrong. 1, 0 or -1. */
static int find_size(struct lab_program *program)
{
    const int count = course_small_shapes(lab_info.lab);
    int wrong = 0;

    for (int i = 1; i < SMALL && wrong == 0; i++)
        wrong = is_wrong_at(program, small[i]);
    for (int i = 0; i < count && wrong == 0; i++)
        wrong = is_wrong_at(program, course_small_shape(lab_info.lab, i));
    for (int i = 0; i < lab_info.shapes && wrong == 0; i++) {
        if (course_multiply_adds(&lab_info.shape[i]) <= MOST_PRODUCTS)
            wrong = is_wrong_at(program, lab_info.shape[i]);
    }
    return wrong;
}

/* --- the two programs ----------------------------------------------------- */

/* Hands on how many were tried, where it is wrong, with which of all to go on,
   and those that are left. */
static int write_left(const char *path, const struct trial *t)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return -1;
    fprintf(file, "%d %d %d %d %d\n", t->tried, small[0].m, small[0].n,
            small[0].k, t->next);
    for (int i = 0; i < t->count; i++)
        fprintf(file, "%d\n", t->left[i]);
    return fclose(file);
}

/* Tries some at a time, until some of these are right. */
static void try_changes(struct trial *t, int *number, int all)
{
    set_time(lab_can_count() ? MOST_SECONDS_COUNTED : MOST_SECONDS);
    while (t->next < all && t->count == 0 && !is_time_over()) {
        t->left = number + t->next;
        t->count = all - t->next < AT_ONCE ? all - t->next : AT_ONCE;
        t->next += AT_ONCE;
        t->stage = QUICK;
        run(t);
        t->stage = ALL;
        run(t);
    }
}

/* Leaves some of each place: it is told once. Returns how many that are. */
static int leave_some(int *number, int count)
{
    enum {
        MOST = 2
    };
    int kept = 0;

    for (int i = 0; i < count; i++) {
        int same = 0;

        for (int n = 0; n < kept; n++) {
            same +=
                lab_try_of(number[n]) == lab_try_of(number[i]) &&
                (number[n] >= LAB_TRY_PAIRS) == (number[i] >= LAB_TRY_PAIRS);
        }
        if (same < MOST)
            number[kept++] = number[i];
    }
    return kept;
}

/* Keeps those by which the lab's number is reached, too: a change that leaves
   the lab's idea out is no answer. Returns what is known of the number, for the
   end of a sentence: nothing, if a run took too long. */
static const char *keep_reached(struct trial *t)
{
    if (lab_measure_entry(lab_info.lab) < 0)
        return "";
    if (t->count > MOST_COUNTED)
        t->count = MOST_COUNTED;
    set_time(MOST_SECONDS_COUNTED);
    t->stage = NUMBERS;
    run(t);
    /* Of two numbers it must be known: they often leave out what is wrong. */
    if (t->count == 0 && t->unknowns > 0) {
        for (int i = 0; i < t->unknowns; i++) {
            if (t->unknown[i] < LAB_TRY_PAIRS ||
                !lab_try_puts_number(t->unknown[i]))
                t->left[t->count++] = t->unknown[i];
        }
        return "";
    }
    return _(", and the lab's number is reached");
}

/* The fast program: goes on where it was, of which the head tells; NULL: it
   begins. Returns 0, or -1 if nothing could be tried. */
static int find_right(struct lab_program *program, const int *head,
                      const char *left)
{
    const char *const from = program->options.places;
    size_t lines = 0;
    int *const line = from != NULL ? base_read_ints(from, &lines) : NULL;
    int *const number = calloc(LAB_TRY_MOST, sizeof *number);
    struct trial t = {.program = program};
    int code = -1;

    if (head != NULL) {
        t.tried = head[0];
        t.next = head[4];
    }
    if (number != NULL &&
        (head == NULL
             ? find_size(program)
             : is_wrong_at(program, (struct course_shape){head[1], head[2],
                                                          head[3]})) > 0) {
        try_changes(&t, number, lab_try_choose(number, line, (int)lines));
        lab_try_put_first(t.left, t.count, line, (int)lines);
        code = write_left(left, &t);
    }
    free(line);
    free(number);
    return code;
}

/* The counting program: tells of those that the fast one has left. */
static void judge_left(struct lab_program *program, int *known, int count)
{
    struct trial t = {.program = program, .tried = known[0]};

    small[0] = (struct course_shape){known[1], known[2], known[3]};
    try_changes(&t, known + HEAD, leave_some(known + HEAD, count - HEAD));
    if (t.count > 0) {
        const char *const numbers = keep_reached(&t);

        /* none of them: nothing is told */
        lab_try_tell(t.left, t.count, t.tried, numbers);
    }
}

int lab_mode_try(struct lab_program *program)
{
    const char *const left =
        program->options.left != NULL ? program->options.left : "";
    size_t count = 0;
    int *const known =
        access(left, F_OK) == 0 ? base_read_ints(left, &count) : NULL;
    int code = -1;

    snprintf(program->summary, sizeof program->summary, _("no change tried"));
    if (simt_alternatives == NULL || lab_info.open.count > 0) {
        code = -1;
    } else if (!lab_can_count()) {
        code = find_right(program, count >= HEAD ? known : NULL, left);
    } else if (count >= HEAD) {
        judge_left(program, known, (int)count);
        code = 0;
    }
    free(known);
    return code < 0 ? LAB_SKIPPED : LAB_PASS;
}
