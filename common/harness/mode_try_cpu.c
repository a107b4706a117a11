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

#include "base/clock.h"
#include "base/file.h"
#include "base/words.h"
#include "base/wrap.h"
#include "device_kind.h"
#include "measure.h"
#include "simt/alternatives/alternatives.h"

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
    PAIRS = 1 << 20,         /* from here on the numbers are those of pairs */
    TURNS = 9,
    MOST_TRIED = 20000,
    AT_ONCE = 500, /* then those that are right are told */
    /* Of each program; on a slow machine fewer are tried. */
    MOST_SECONDS = 10,
    MOST_SECONDS_COUNTED = 20,
    LIMIT = 3, /* seconds of processor time that a run may take */
    LONG = 15, /* the same, of the counting program */
    MOST_COUNTED = 12,
    SMALL = 3,
    HEAD = 5, /* numbers before those of changes that are left */
    RIGHT = 0,
    WRONG = 1
};

#pragma weak simt_alternatives
#pragma weak simt_pairs

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

/* What is asked of a change, one after the other. */
enum stage {
    QUICK,  /* at the small sizes, which most do not pass */
    ALL,    /* at all that are tried */
    NUMBERS /* is the lab's number reached? */
};

/* --- one change ----------------------------------------------------------- */

/* The change of that number, or one of two that are made together. */
static int one_of(int number, int which)
{
    return number < PAIRS ? number : simt_pairs[number - PAIRS][which];
}

static int try_shape(struct lab_program *program, struct course_shape shape)
{
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
    for (int e = 0; e < lab_info.lab->entries; e++) {
        if (lab_examine_small(program, &lab_info.lab->entry[e],
                              lab_can_count() ? LAB_CHECK : 0) != 0)
            return WRONG;
    }
    for (int i = 0; i < lab_info.shapes && !lab_can_count(); i++) {
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
    lab_change = one_of(number, 0);
    lab_change_too = number < PAIRS ? 0 : one_of(number, 1);
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
    int next;  /* of all changes, the first that is tried then */
    int ended; /* runs that took too long, of the last stage */
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
        t->ended += !WIFEXITED(status);
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
    enum {
        MOST = 16
    };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = cores < 1 ? 1 : cores > MOST ? MOST : (int)cores;
    pid_t process[MOST];
    int number[MOST], running = 0, kept = 0;

    t->ended = 0;
    for (int i = 0; i < t->count; i++) {
        pid_t child;
        const int at = t->left[i]; /* kept never passes i */

        if (base_seconds() > until)
            break;
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

/* --- which are tried ------------------------------------------------------ */

/* The changes of one kind that it is one of; of a pair the first. */
static const struct simt_alternatives *of_change(int number)
{
    const struct simt_alternatives *a = simt_alternatives;

    number = one_of(number, 0);
    while (a->first > 0 && (number < a->first || number >= a->first + a->count))
        a++;
    return a;
}

/* When a change is tried: those of lines that were shown before others, and
   what has few forms before what has many, and one change before two. */
static int turn_of(int number, const int *line, int lines)
{
    const struct simt_alternatives *const a = of_change(number);
    const int members = number >= PAIRS ? 2 : 1;
    int is_shown = 0;

    for (int which = 0; which < members; which++) {
        for (int i = 0; i < lines; i++)
            is_shown |= line[i] == of_change(one_of(number, which))->line;
    }
    if (number >= PAIRS && a->kind == SIMT_ADJUSTMENT)
        return 8;
    if (number >= PAIRS)
        return is_shown ? 4 : 6;
    switch ((enum simt_alternative_kind)a->kind) {
    case SIMT_PUT:
    case SIMT_REMOVED:
    case SIMT_MOVED:
        return 2;
    case SIMT_OPERAND:
        return is_shown ? 1 : 3;
    case SIMT_ADJUSTMENT:
        return is_shown ? 5 : 7;
    default:
        return is_shown ? 0 : 3;
    }
}

/* Fills the changes in the order of their turns. Returns how many. */
static int choose(int *number, const int *line, int lines)
{
    int count = 0;

    for (int turn = 0; turn < TURNS; turn++) {
        const struct simt_alternatives *a = simt_alternatives;

        for (; a->first > 0; a++) {
            if (turn_of(a->first, line, lines) != turn)
                continue;
            for (int i = 0; i < a->count && count < MOST_TRIED; i++)
                number[count++] = a->first + i;
        }
        for (int p = 0; simt_pairs[p][0] > 0 && count < MOST_TRIED; p++) {
            if (turn_of(PAIRS + p, line, lines) == turn)
                number[count++] = PAIRS + p;
        }
    }
    return count;
}

/* --- what is told --------------------------------------------------------- */

/* Does the change leave out an operator and its left side, 0, or its right
   side, 1 (choices.h)? Or -1. */
static int side_left_out(const struct simt_alternatives *a, int number)
{
    const int from_last = a->first + a->count - 1 - number;

    if (a->kind != SIMT_OPERATION || a->here[1] != '\0' ||
        strchr("+-*/%", a->here[0]) == NULL)
        return -1;
    if (from_last == 1 && strchr("+-*", a->here[0]) != NULL)
        return 0;
    return from_last == 0 ? 1 : -1;
}

/* "another operator for / in line 57" */
static void say_change(char *to, size_t size, int number)
{
    const struct simt_alternatives *const a = of_change(number);
    const int line = a->line, side = side_left_out(a, number);
    char here[80];
    const size_t length = strlen(a->here);

    snprintf(here, sizeof here, "%.*s%s", length > 60 ? 57 : 60, a->here,
             length > 60 ? "..." : "");
    if (length > 0 && here[length < 60 ? length - 1 : 0] == ';')
        here[length - 1] = '\0';
    switch ((enum simt_alternative_kind)a->kind) {
    case SIMT_OPERAND:
        base_append(to, size, "something else for %s in line %d", here, line);
        break;
    case SIMT_OPERATION:
        if (side >= 0) {
            base_append(to, size, "the %s and its %s side left out in line %d",
                        here, side == 0 ? "left" : "right", line);
        } else {
            base_append(to, size, "another operator for %s in line %d", here,
                        line);
        }
        break;
    case SIMT_ADJUSTMENT:
        base_append(to, size, "one more term or factor in %s, line %d", here,
                    line);
        break;
    case SIMT_ORDER:
        base_append(to, size, "the indices of %s exchanged in line %d", here,
                    line);
        break;
    case SIMT_VALUES:
        base_append(to, size,
                    "the values of %s exchanged, line %d and the next", here,
                    line);
        break;
    case SIMT_SUM:
        base_append(to, size, "%s for %s in line %d",
                    strcmp(here, "=") == 0 ? "+=" : "=", here, line);
        break;
    case SIMT_PUT:
        base_append(to, size, "one more %s behind line %d", here, line);
        break;
    case SIMT_REMOVED:
        base_append(to, size, "%s left out in line %d", here, line);
        break;
    default:
        base_append(to, size, "the %s of line %d at another place", here, line);
    }
}

/* The second change of a pair. */
static void say_other(char *to, size_t size, int pair)
{
    const struct simt_alternatives *const a = of_change(one_of(pair, 0));
    const struct simt_alternatives *const b = of_change(one_of(pair, 1));

    if (a->line == b->line && strcmp(a->here, b->here) == 0) {
        base_append(to, size, ", at two places of it");
    } else {
        base_append(to, size, " and ");
        say_change(to, size, one_of(pair, 1));
    }
}

/* Of those that are right the first two that differ in place. Operands and
   operators come before what is put in, which is often right at several
   places, and one change before two. */
static void tell(const int *left, int count, int tried, const char *numbers)
{
    const struct simt_alternatives *told[2] = {NULL, NULL};
    int change[2] = {0, 0};
    char text[900];
    int tells = 0, others = 0;

    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < count; i++) {
            const struct simt_alternatives *a = of_change(left[i]);
            const int its = left[i] >= PAIRS             ? 3
                            : a->kind == SIMT_ADJUSTMENT ? 2
                            : a->kind == SIMT_PUT        ? 1
                                                         : 0;
            int is_told = its != turn;

            for (int k = 0; k < tells; k++) {
                is_told |=
                    told[k] == a ||
                    (told[k]->line == a->line &&
                     (told[k]->kind == a->kind || a->kind == SIMT_ADJUSTMENT));
            }
            if (is_told)
                continue;
            if (tells < 2) {
                change[tells] = left[i];
                told[tells++] = a;
            } else {
                others++;
            }
        }
    }
    if (tells == 0)
        return;
    snprintf(text, sizeof text, "C is right with ");
    for (int k = 0; k < tells; k++) {
        base_append(text, sizeof text, "%s", k > 0 ? ", or with " : "");
        say_change(text, sizeof text, one_of(change[k], 0));
        if (change[k] >= PAIRS)
            say_other(text, sizeof text, change[k]);
    }
    if (others > 0) {
        base_append(text, sizeof text, " (%d other change%s it, too)", others,
                    others == 1 ? " does" : "s do");
    }
    base_append(text, sizeof text,
                "%s. %d small changes were tried, one or two at a time: at "
                "sizes up to 4 million products, and by the checks at small "
                "ones.",
                numbers, tried);
    base_wrap(stdout, "", text);
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
    until = base_seconds() +
            (lab_can_count() ? MOST_SECONDS_COUNTED : MOST_SECONDS);
    while (t->next < all && t->count == 0) {
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
            same += of_change(number[n]) == of_change(number[i]) &&
                    (number[n] >= PAIRS) == (number[i] >= PAIRS);
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
    int left[MOST_COUNTED], count;

    if (lab_measure_entry(lab_info.lab) < 0)
        return "";
    if (t->count > MOST_COUNTED)
        t->count = MOST_COUNTED;
    count = t->count;
    memcpy(left, t->left, (size_t)count * sizeof *left);
    until = base_seconds() + MOST_SECONDS_COUNTED;
    t->stage = NUMBERS;
    run(t);
    if (t->count == 0 && (t->ended > 0 || base_seconds() >= until)) {
        memcpy(t->left, left, (size_t)count * sizeof *left);
        t->count = count;
        return "";
    }
    return ", and the lab's number is reached";
}

/* The fast program: goes on where it was, of which the head tells; NULL: it
   begins. Returns 0, or -1 if nothing could be tried. */
static int find_right(struct lab_program *program, const int *head,
                      const char *left)
{
    const char *const from = program->options.places;
    size_t lines = 0;
    int *const line = from != NULL ? base_read_ints(from, &lines) : NULL;
    int *const number = calloc(MOST_TRIED, sizeof *number);
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
        try_changes(&t, number, choose(number, line, (int)lines));
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

        tell(t.left, t.count, t.tried, numbers);
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

    snprintf(program->summary, sizeof program->summary, "no change tried");
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
