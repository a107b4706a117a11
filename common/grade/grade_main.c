/*
 * grade: grades a folder of submissions, or the labs of this tree.
 *
 *   grade [SUBMISSIONS] [OPTION...]      in the course's own folder
 *
 * The course's files are found from there; --help tells the options and the
 * exit codes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/file.h"
#include "base/language.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "grade/batch/batch.h"
#include "grade/batch/engine.h"
#include "grade/options.h"
#include "grade/publish/course_table.h"
#include "grade/publish/papers.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"
#include "base/replace_file.h"

enum {
    GRADED = 0,
    NOT_RIGHT = 1,
    WRONG_CALL = 2,
    GRADER_FAILED = 3,
    NO_ISOLATION = 78
};

/* What the submissions are built with (grade.mk). */
static const char kit[] = "build/grade/kit";

/* All that a run reads and holds. */
struct run {
    struct grade_options options;
    struct course_index index;
    struct grade_rubric rubric;
    struct grade_roster roster;
    struct grade_intake intake;
    struct grade_manual manual, days;
    struct grade_people people;
    char *agreed; /* the path of people.csv */
    struct grade_class class;
    struct grade_store store;
    const struct grade_row *one; /* who alone is graded, or NULL */
    int is_nobody_there;         /* on the roster, of those who handed in */
    struct base_records todos;
    char *control, *out, *work;
    char why[700];
};

/* Where a line goes about what is wrong. */
#define WHY run->why, sizeof run->why

/* --- what there is -------------------------------------------------------- */

static int read_course(struct run *run)
{
    struct grade_options *const o = &run->options;

    if (course_index_read("labs/INDEX", &run->index, WHY) != 0)
        return -1;
    if (course_todos_read_list("labs/TODOS", &run->todos, WHY) != 0)
        return -1;
    run->control = base_read_file("common/grade/control.cu", WHY);
    if (run->control == NULL)
        return -1;
    grade_rubric_default(&run->index, &run->rubric);
    if (o->rubric != NULL &&
        grade_rubric_read(o->rubric, &run->index, &run->rubric, WHY) != 0)
        return -1;
    base_language_set(run->rubric.language);
    return 0;
}

/* The labs that were asked for are graded; of one's own also those that a class
   would not be: the advanced track. */
static int take_chosen(struct run *run)
{
    const char *const words = run->options.labs;
    int is_chosen[COURSE_LABS];

    if (grade_labs_called(&run->index, words, is_chosen, WHY) != 0)
        return -1;
    for (int i = 0; i < run->index.labs && words != NULL; i++) {
        struct grade_rubric_lab *const own = &run->rubric.lab[i];
        const char *const needs = run->index.lab[i].needs.what;

        if (is_chosen[i] && needs != NULL) {
            return base_refuse(
                WHY,
                "--lab: %.60s needs %.60s of a GPU, and labs are graded on "
                "the CPU device",
                own->lab, needs);
        }
        if (is_chosen[i] && !own->graded && run->options.submissions != NULL) {
            return base_refuse(
                WHY,
                "--lab: the rubric does not grade %.60s (a rubric with "
                "'graded: yes' in its part does)",
                own->lab);
        }
        own->graded = is_chosen[i];
    }
    return 0;
}

static int read_submissions(struct run *run)
{
    const struct grade_options *const o = &run->options;
    const struct grade_roster *const roster =
        o->roster != NULL ? &run->roster : NULL;

    /* The labs of this tree are a submission of the student "labs". */
    if (o->submissions == NULL) {
        if (grade_intake_own(&run->intake, "labs") == 0)
            return 0;
        return base_refuse(WHY, "labs: %s", strerror(errno));
    }
    if ((roster != NULL &&
         grade_roster_read(o->roster, &run->roster, WHY) != 0) ||
        grade_intake_open(&run->intake, o->submissions, roster, WHY) != 0)
        return -1;
    if (run->intake.students == 0 && o->roster == NULL) {
        const char *const guess = grade_layout_guess(&run->intake.listing);

        return base_refuse(WHY, "%s: holds no submissions (%s)", o->submissions,
                           guess != NULL ? guess
                                         : "each student has a folder, with "
                                           "the labs in it");
    }
    if (o->one == NULL && o->share.of == 0)
        grade_intake_tell(stdout, &run->intake, roster);
    fflush(stdout);
    if (roster != NULL && !o->missing &&
        grade_intake_listed(&run->intake) == 0) {
        snprintf(WHY,
                 "%s: nobody in it is on the roster %s, so nothing is graded: "
                 "is it that class's? (the names above are those that were "
                 "looked for; MISSING=yes gives everybody 0)",
                 o->submissions, o->roster);
        run->is_nobody_there = 1;
        return -1;
    }
    return 0;
}

/* What was agreed with whom, if there is a folder of the class. `only`: the lab
   that alone is graded, or NULL. */
static int read_people(struct run *run, const struct course_lab *only)
{
    const struct grade_options *const o = &run->options;

    if (o->class == NULL)
        return 0;
    run->agreed = base_text("%s/people.csv", o->class);
    if (run->agreed == NULL)
        return base_refuse(WHY, "there is no memory left");
    return grade_people_read(run->agreed, &run->index, &run->people, WHY) != 0
               ? -1
               : grade_people_share(&run->people, only,
                                    o->roster != NULL ? &run->roster : NULL,
                                    &run->intake);
}

static int read_class(struct run *run)
{
    const struct grade_options *const o = &run->options;
    const struct course_lab *only = NULL;
    int graded = 0;

    for (int i = 0; i < run->index.labs; i++) {
        graded += run->rubric.lab[i].graded;
        only = run->rubric.lab[i].graded ? &run->index.lab[i] : only;
    }
    if (read_people(run, graded == 1 ? only : NULL) != 0)
        return -1;
    run->intake.index = &run->index;
    run->intake.is_of_one_lab = o->submissions != NULL && graded == 1;
    if (grade_class_make(&run->class, &run->index, &run->rubric,
                         o->roster != NULL ? &run->roster : NULL,
                         &run->intake) != 0) {
        return base_refuse(WHY, "there is no memory left");
    }
    if (grade_class_grant(&run->class, &run->people, o->roster != NULL) != 0)
        return -1;
    run->class.isolation = o->isolation;
    if (run->class.labs == 0) {
        return base_refuse(WHY,
                           "--lab: names no lab: use numbers, as in '4 6'");
    }
    for (size_t i = 0; i < run->class.rows && o->one != NULL; i++) {
        if (strcmp(run->class.row[i].student, o->one) == 0)
            run->one = &run->class.row[i];
    }
    if (o->one != NULL && run->one == NULL) {
        char *const shown = grade_text_shown(o->one);

        snprintf(WHY,
                 "--one: there is no student '%.200s' (the name of a folder in "
                 "%.200s, or an id on the roster)",
                 shown != NULL ? shown : "?", o->submissions);
        free(shown);
        return -1;
    }
    return 0;
}

/* --- the folder of the run ------------------------------------------------ */

static char *choose_out(const struct grade_options *o)
{
    if (o->out != NULL)
        return strdup(o->out);
    return o->submissions != NULL
               ? grade_intake_beside(o->submissions, ".grades")
               : strdup("build/results/grade");
}

/* A folder that was named may have the grades of another class: then nobody of
   these is in this one. Returns 0, or -1 with why. */
static int check_out(struct run *run)
{
    char *const path = base_text("%s/grades.csv", run->out);
    struct base_csv csv = {.rows = 0};
    size_t row = 0;
    int result = 0;

    if (path == NULL)
        return base_refuse(WHY, "there is no memory left");
    if (access(path, F_OK) == 0) {
        result = base_csv_read(path, &csv, WHY);
        while (result == 0 && row < csv.rows &&
               grade_class_find(&run->class,
                                base_csv_text(&csv, row, "student")) == NULL)
            row++;
        if (result == 0 && row > 0 && row == csv.rows) {
            result = base_refuse(
                WHY,
                "%s: has the grades of another class: none of its %zu students "
                "is in this one (name another folder by OUT=, or remove this "
                "one)",
                run->out, csv.rows);
        }
        base_csv_free(&csv);
    }
    free(path);
    return result;
}

static int open_store(struct run *run)
{
    char *path = NULL, *days = NULL;
    int result;

    run->out = choose_out(&run->options);
    if (run->out != NULL && run->options.out != NULL && check_out(run) != 0)
        return -1;
    if (run->out == NULL || asprintf(&path, "%s/manual.csv", run->out) < 0 ||
        asprintf(&days, "%s/late.csv", run->out) < 0) {
        snprintf(WHY, "there is no memory left");
        free(path);
        return -1;
    }
    result = grade_store_open(&run->store, run->out, run->options.seed_file,
                              run->options.share.of > 0, WHY);
    grade_class_code(&run->class, run->store.seed);
    if (result == 0 &&
        (grade_manual_read(path, &run->index, 0, &run->manual, WHY) != 0 ||
         grade_manual_read(days, &run->index, 1, &run->days, WHY) != 0 ||
         grade_class_decide(&run->class, &run->manual) != 0 ||
         grade_class_find_late(&run->class, &run->rubric, &run->intake,
                               &run->days) != 0))
        result = -1;
    free(path);
    free(days);
    return result;
}

/* --- the run -------------------------------------------------------------- */

/* Says which labs no export gets, of which `left` are not withheld. Returns how
   many they get; without exports, 0 if most of the class is missing. */
static int tell_withheld(const struct run *run, int left)
{
    const struct grade_class *const class = &run->class;
    struct grade_names withheld = {
        stdout,
        "  handed in by fewer than half, so in no export (MISSING=yes puts "
        "them there): ",
        COURSE_LABS + 1, 0};

    if (!run->options.export.is_any)
        return !grade_class_is_missing(class);
    for (int k = 0; k < class->columns; k++) {
        if (class->withheld[k])
            grade_names_tell(&withheld, class->title[k]);
    }
    grade_names_end(&withheld, "\n");
    return left;
}

/* Writes what there is about a class. *left: how many labs are exported. */
static int write_papers(struct run *run, const struct grade_papers *papers,
                        int *left)
{
    const struct grade_options *const o = &run->options;

    grade_class_compare(&run->class, &run->intake);
    grade_read_answers(&run->class, &run->intake);
    if (base_memory_failures() != 0) {
        return base_refuse(WHY, "there is no memory left");
    }
    *left = o->missing ? run->class.labs : grade_class_withhold(&run->class);
    if (grade_write_grades(papers) != 0)
        return -1;
    for (size_t i = 0; i < run->class.rows && o->explain; i++) {
        grade_feedback(stdout, &run->class.row[i], GRADE_ALL, GRADE_WHOLE);
    }
    grade_tell_class(papers);
    if (grade_write_answers(papers, &run->index, o->names) != 0 ||
        grade_write_picture(papers) != 0)
        return -1;
    if (!o->missing)
        *left = tell_withheld(run, *left);
    if (grade_write_log(papers, &run->index, &run->manual,
                        o->class != NULL ? o->class : run->out) != 0)
        return -1;
    if (o->class != NULL &&
        grade_course_add(papers, &run->index, o->class) != 0)
        return -1;
    return *left > 0 ? grade_export(papers, &o->export) : 0;
}

/* Writes the exports and tells. Returns the exit code, as below. */
static int conclude(struct run *run)
{
    const struct grade_options *const o = &run->options;
    const struct grade_class *const class = &run->class;
    const struct grade_papers papers = {
        .class = class,
        .intake = &run->intake,
        .out = run->out,
        .tell = stdout,
        .why = run->why,
        .size = sizeof run->why,
    };
    size_t undecided = 0;
    int left = 1, is_full = 1;

    for (size_t i = 0; i < class->rows; i++)
        undecided += (size_t)grade_row_has_failed(&class->row[i]);
    if (o->share.of > 0) {
        /* The run that collects writes, from what the store has. */
    } else if (o->submissions == NULL) {
        grade_tell_own(&papers, o->explain);
        for (int k = 0; k < class->labs; k++)
            is_full &= grade_row_is_full(&class->row[0], k);
        if (grade_export(&papers, &o->export) != 0)
            return WRONG_CALL;
    } else if (run->one != NULL) {
        grade_feedback(stdout, run->one, GRADE_ALL,
                       o->explain ? GRADE_WHOLE : GRADE_PLAIN);
        printf("grades.csv is as it was: the next run without ONE= has this "
               "in it\n");
    } else if (write_papers(run, &papers, &left) != 0) {
        return WRONG_CALL;
    }
    fflush(stdout);
    if (undecided > 0) {
        snprintf(WHY,
                 "the grader failed for %zu students, whose points nobody "
                 "decided (GRADER_ERROR): run it again, or decide in "
                 "manual.csv",
                 undecided);
        return GRADER_FAILED;
    }
    if (left == 0) {
        snprintf(WHY,
                 "%s: no lab was handed in by half of the class, so nothing "
                 "is exported: are the files called as the handouts say? "
                 "(the column note of grades.csv names those that were not "
                 "graded; MISSING=yes exports the zeros)",
                 o->submissions);
        return NOT_RIGHT;
    }
    return is_full ? GRADED : NOT_RIGHT;
}

/* Grades. Returns the exit code, with why; a signal that ended it is in
   *signal. */
static int grade_class(struct run *run, int *signal)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct grade_batch batch = {
        .setting = {.index = &run->index,
                    .todos = &run->todos,
                    .rubric = &run->rubric,
                    .isolation = run->options.isolation,
                    .seed = run->store.seed},
        .intake = &run->intake,
        .class = &run->class,
        .store = &run->store,
        .control = run->control,
        .one = run->options.one,
        .share = &run->options.share,
        .jobs = run->options.jobs > 0 ? run->options.jobs
                : cores > GRADE_JOBS  ? GRADE_JOBS
                                      : (int)cores,
    };
    int slot[GRADE_JOBS], slots, end;

    if (grade_build_digest(kit, batch.build, WHY) != 0)
        return WRONG_CALL;
    slots = grade_slots_take(slot, batch.jobs, WHY);
    if (slots < 0)
        return WRONG_CALL;
    batch.slot = slot;
    run->work = grade_store_work(&run->store, WHY);
    batch.work = run->work;
    if (run->work == NULL) {
        close(slots);
        return WRONG_CALL;
    }
    end = grade_batch_run(&batch, WHY);
    grade_store_work_end(&run->store, run->work);
    close(slots);
    if (end == 0)
        return conclude(run);
    if (end > 0) {
        *signal = end;
        snprintf(WHY,
                 "ended by a signal; what was graded is kept, and the same "
                 "command goes on from there");
    }
    return GRADER_FAILED;
}

/* Times the kernels of the class. Returns the exit code, with why. */
static int time_class(struct run *run)
{
    const struct grade_options *const o = &run->options;
    char *const beside = grade_intake_beside(o->submissions, ".speed.csv");
    struct grade_speed speed = {.out = o->out != NULL ? o->out : beside,
                                .nvcc = o->nvcc,
                                .arch = o->arch,
                                .run = o->speed,
                                .index = &run->index,
                                .intake = &run->intake};
    int code = WRONG_CALL, result, slots;

    if (speed.out != NULL &&
        grade_labs_called(&run->index, o->labs, speed.is_asked, WHY) == 0) {
        slots = grade_slots_take(&speed.slot, 1, WHY);
        result = slots < 0 ? 1 : grade_speed_run(&speed, WHY);
        code = result < 0 ? WRONG_CALL : result > 0 ? GRADER_FAILED : GRADED;
        if (slots >= 0)
            close(slots);
    }
    free(beside);
    return code;
}

/* Tells what a class has over a term, and exports it. Returns the exit code. */
static int export_course(struct run *run)
{
    const struct grade_papers papers = {.class = &run->class,
                                        .out = run->options.class,
                                        .tell = stdout,
                                        .why = run->why,
                                        .size = sizeof run->why};

    if (grade_course_class(&run->class, &run->index, run->options.class, stdout,
                           WHY) != 0)
        return WRONG_CALL;
    return grade_export(&papers, &run->options.export) == 0 ? GRADED
                                                            : WRONG_CALL;
}

static int write_rubric(struct run *run)
{
    const char *const path = run->options.write_rubric;
    struct base_replacement r;

    if (access(path, F_OK) == 0) {
        return base_refuse(
            WHY,
            "%s: is there already, and may have been edited: name another "
            "file",
            path);
    }
    if (base_replace_begin(&r, path, WHY) != 0)
        return -1;
    grade_rubric_write(r.file, &run->index, &run->rubric);
    if (base_replace_end(&r, 1, WHY) != 0)
        return -1;
    printf("Rubric: %s; edit it (if labs are due, write first in which zone), "
           "and then make grade RUBRIC=%s\n",
           path, path);
    return 0;
}

/* Does what was asked. Returns the exit code, with a line in why where that is
   not told yet. */
static int act(struct run *run, int *signal_number)
{
    if (read_course(run) != 0)
        return WRONG_CALL;
    if (run->options.write_rubric != NULL)
        return write_rubric(run) == 0 ? GRADED : WRONG_CALL;
    if (run->options.class != NULL && run->options.submissions == NULL)
        return export_course(run);
    if ((run->options.speed == NULL && take_chosen(run) != 0) ||
        read_submissions(run) != 0)
        return run->is_nobody_there ? NOT_RIGHT : WRONG_CALL;
    if (run->options.speed == NULL && read_class(run) != 0)
        return WRONG_CALL;
    if (grade_box_probe(run->options.isolation, WHY) != 0)
        return NO_ISOLATION;
    if (run->options.speed != NULL)
        return time_class(run);
    grade_engine_block();
    signal(SIGPIPE, SIG_IGN); /* or a closed pipe would leave files */
    if (open_store(run) != 0)
        return WRONG_CALL;
    return grade_class(run, signal_number);
}

int main(int argc, char **argv)
{
    static struct run run = {.intake.tree.folder = -1, .store.lock = -1};
    sigset_t all;
    int code = WRONG_CALL, ended = 0;
    const int done =
        grade_options_read(&run.options, argc, argv, run.why, sizeof run.why);

    if (done > 0)
        return GRADED;
    if (done == 0)
        code = act(&run, &ended);
    if (run.why[0] != '\0')
        fprintf(stderr, "grade: %s\n", run.why);
    grade_store_close(&run.store);
    grade_intake_close(&run.intake);
    /* As the signal would have ended it, now that all is cleaned up; also one
       that came while papers were written. */
    if (ended != 0)
        raise(ended);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    return code;
}
