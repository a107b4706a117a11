/*
 * speed.c: how fast are a class's kernels on this machine's GPU (batch.h)?
 *
 * Each program is a lab's own (common/harness), which runner/speed.sh makes and
 * runs by --bench, one at a time. It holds the student's code, so what it tells
 * may be forged: what cannot be is flagged.
 */
#define _GNU_SOURCE
#include "grade/batch/batch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/values.h"
#include "course/vet.h"
#include "grade/base/text.h"

/* The numbers of a kernel. The first ones are columns of its program's CSV
   file, all but the last of the table's. */
enum {
    M,
    N,
    K,
    MEDIAN, /* ms of a run */
    SHORTEST,
    LONGEST,
    COLUMNS,
    GFLOPS = COLUMNS,
    OF_SOLUTION, /* its median divided by this one's */
    PEAK,        /* of the chip, GFLOP/s */
    NUMBERS
};
static const char *const column[COLUMNS] = {
    "m", "n", "k", "kernel_ms", "kernel_ms_min", "kernel_ms_max"};

struct speed_row {
    const char *student; /* bytes of any kind */
    enum grade_verdict verdict;
    double number[NUMBERS]; /* where it is PASS */
    char device[256];
    char flag[200];  /* why a person must look at this; "" */
    char note[1000]; /* why there are no times */
};

static const char solution_name[] = "(solution)";

struct at_work {
    const struct grade_speed *asked;
    char *kit;                /* what a source is built with (grade.mk) */
    struct base_memory table; /* the CSV file so far */
    int failures;             /* of the measuring itself */
};

/* --- one program ---------------------------------------------------------- */

/* Makes and runs the program of a source. Returns what its box gave, for
   grade_box_free; a row that has no times says why. */
static struct grade_box_outcome measure(const struct at_work *w,
                                        const struct course_lab *lab,
                                        const char *source, size_t size,
                                        struct speed_row *row)
{
    static const char script[] = GRADE_BOX_FOLDER "/speed.sh";
    const char *const argv[] = {
        "/bin/sh",      script,        lab->name, w->asked->nvcc,
        w->asked->arch, w->asked->run, NULL};
    const struct grade_box_job job = {
        .isolation = GRADE_BOXED,
        .kind = GRADE_BOX_GPU,
        .slot = w->asked->slot,
        .folder = w->kit,
        .argv = argv,
        .input = source,
        .input_size = size,
        .limit = {[GRADE_RESULT] = 64 << 10, [GRADE_TEXT] = 64 << 10},
        .wall_seconds = 240.0,
        .cpu_seconds = 120,
        .address_bytes = 0, /* the driver maps all memory there is */
        .processes = 64};
    struct grade_box_outcome box = {.end = GRADE_NOT_STARTED};
    char name[80];

    snprintf(name, sizeof name, "%s.cu", lab->name + 3);
    if (course_vet_source(name, source, size, row->note, sizeof row->note) !=
        0) {
        row->verdict = GRADE_REJECTED;
        return box;
    }
    grade_box_run(&job, &box);
    if (box.bytes[GRADE_TEXT] != NULL)
        snprintf(row->note, sizeof row->note, "%s", box.bytes[GRADE_TEXT]);
    if (box.end == GRADE_OUT_OF_TIME) {
        row->verdict = GRADE_TIME;
    } else if (box.end == GRADE_ENDED && box.code <= 1) {
        row->verdict = GRADE_PASS; /* or C is wrong, which its CSV file says */
    } else if (box.end == GRADE_ENDED && box.code == 10) {
        row->verdict = GRADE_COMPILE;
    } else if (box.end == GRADE_NOT_STARTED || box.code == 20) {
        row->verdict = GRADE_GRADER_ERROR;
        if (box.why[0] != '\0')
            snprintf(row->note, sizeof row->note, "%s", box.why);
    } else {
        row->verdict = GRADE_CRASH;
    }
    return box;
}

static void refuse_row(struct speed_row *row, const char *why)
{
    row->verdict = GRADE_FAIL;
    snprintf(row->note, sizeof row->note, "%s", why);
}

/* Of a kernel that is right. known: the course's, whose size and chip are
   believed. */
static void judge_times(struct speed_row *row, const double *known)
{
    double *const x = row->number;

    if (!(x[SHORTEST] > 0.0 && x[SHORTEST] <= x[MEDIAN] &&
          x[MEDIAN] <= x[LONGEST] && isfinite(x[LONGEST]))) {
        refuse_row(row, "It told times that cannot be.");
        return;
    }
    for (int i = M; i <= K; i++) {
        if (!(x[i] >= 1.0 && x[i] >= known[i] && x[i] <= known[i])) {
            refuse_row(row, "It told another size than it was to run.");
            return;
        }
    }
    x[GFLOPS] = 2.0 * x[M] * x[N] * x[K] / (x[MEDIAN] * 1e6);
    x[OF_SOLUTION] = known[MEDIAN] / x[MEDIAN];
    if (x[GFLOPS] > known[PEAK]) {
        snprintf(row->flag, sizeof row->flag,
                 "faster than the chip's arithmetic: %.0f of %.0f GFLOP/s",
                 x[GFLOPS], known[PEAK]);
    }
}

/* Takes a kernel's verdict and times from the CSV text of its program. */
static void read_row(struct speed_row *row, const char *text, const char *lab,
                     const char *variant, const double *known)
{
    struct base_csv csv;
    size_t i = 0;

    if (base_csv_parse("its times", text, &csv, row->note, sizeof row->note) !=
        0) {
        row->verdict = GRADE_FAIL;
        return;
    }
    while (i < csv.rows &&
           (strcmp(base_csv_text(&csv, i, "lab"), lab) != 0 ||
            strcmp(base_csv_text(&csv, i, "variant"), variant) != 0))
        i++;
    if (i == csv.rows) {
        refuse_row(row, "It ended before it had told all.");
    } else if (strcmp(base_csv_text(&csv, i, "verdict"),
                      grade_verdict_word[GRADE_PASS]) != 0) {
        row->verdict = GRADE_FAIL; /* why is what it printed */
    } else {
        for (int k = 0; k < COLUMNS; k++)
            row->number[k] = base_csv_number(&csv, i, column[k]);
        row->number[PEAK] = base_csv_number(&csv, i, "peak_gflops");
        snprintf(row->device, sizeof row->device, "%s",
                 base_csv_text(&csv, i, "device_name"));
        row->note[0] = '\0';
        judge_times(row, known != NULL ? known : row->number);
    }
    base_csv_free(&csv);
}

/* Says a row on stdout and adds it to the table. */
static void tell_row(FILE *to, const struct speed_row *row, const char *lab,
                     const char *variant)
{
    const double *const x = row->number;
    const int right = row->verdict == GRADE_PASS;

    grade_text_name(stdout, row->student);
    printf("  %s %s: ", lab, variant);
    if (right) {
        printf("%.4g ms (%.4g to %.4g), %.0f GFLOP/s", x[MEDIAN], x[SHORTEST],
               x[LONGEST], x[GFLOPS]);
        if (row->student != solution_name)
            printf(", %.2f of the solution", x[OF_SOLUTION]);
        printf("%s%s\n", row->flag[0] ? "\n    look at this: " : "", row->flag);
    } else {
        printf("%s\n", grade_verdict_word[row->verdict]);
        grade_text_wrapped(stdout, row->note, "    ");
    }
    fflush(stdout);
    grade_text_cell(to, row->student);
    fprintf(to, ",%s,%s,%s", lab, variant, grade_verdict_word[row->verdict]);
    for (int i = 0; i < PEAK; i++) {
        fputc(',', to);
        base_put_csv_number(to, right ? x[i] : (double)NAN);
    }
    fputc(',', to);
    grade_text_cell(to, row->device);
    fputc(',', to);
    grade_text_cell(to, row->flag);
    fputc(',', to);
    grade_text_cell(to, row->note);
    fputc('\n', to);
}

/* --- all of them ---------------------------------------------------------- */

/* Measures a program, and tells a row for each of its kernels. Those of the
   solution are kept in `known`. */
static void measure_source(struct at_work *w, const char *student,
                           const struct course_lab *lab, const char *source,
                           size_t size, double known[COURSE_ENTRIES][NUMBERS])
{
    struct speed_row all = {.student = student};
    struct grade_box_outcome box = measure(w, lab, source, size, &all);
    const int is_solution = student == solution_name;

    for (int e = 0; e < lab->entries; e++) {
        const char *const variant = lab->entry[e].variant;
        struct speed_row row = all;

        if (!course_is_launch(&lab->entry[e]))
            continue;
        if (row.verdict == GRADE_PASS) {
            read_row(&row, box.bytes[GRADE_RESULT], lab->name, variant,
                     is_solution ? NULL : known[e]);
        }
        if (is_solution)
            memcpy(known[e], row.number, sizeof row.number);
        w->failures += row.verdict == GRADE_GRADER_ERROR ||
                       (is_solution && row.verdict != GRADE_PASS);
        tell_row(w->table.file, &row, lab->name, variant);
    }
    grade_box_free(&box);
}

/* First the solution: where that is not right, nobody is measured. */
static int measure_lab(struct at_work *w, const struct course_lab *lab,
                       char *why, size_t size)
{
    double known[COURSE_ENTRIES][NUMBERS];
    char path[200], *source;
    const int failures = w->failures;

    snprintf(path, sizeof path, "solutions/%s/%s.cu", lab->name, lab->name + 3);
    source = base_read_file(path, why, size);
    if (source == NULL)
        return -1;
    measure_source(w, solution_name, lab, source, strlen(source), known);
    free(source);
    for (size_t i = 0;
         w->failures == failures && i < w->asked->intake->students; i++) {
        const char *const student = w->asked->intake->parcel[i].student;
        struct grade_handed handed;

        grade_intake_take(w->asked->intake, student, lab->name, &handed);
        if (handed.verdict == GRADE_PASS) {
            measure_source(w, student, lab, handed.source, handed.size, known);
        }
        free(handed.source);
    }
    /* Written now, so that who ends it has what was measured until then. */
    if (fflush(w->table.file) == 0)
        return base_write_file(w->asked->out, w->table.text, why, size);
    return base_refuse(why, size, "there is no memory left");
}

/* Has the lab a kernel, and was it asked for? Labs that need more than a lab
   may use (assembly, and headers that no box has) are not timed here. */
static int is_wanted_lab(const struct at_work *w, const struct course_lab *lab)
{
    return w->asked->is_asked[lab - w->asked->index->lab] &&
           course_has_launch(lab) && lab->needs.what == NULL;
}

/* Returns as grade_speed_run. */
static int measure_all(struct at_work *w, char *why, size_t size)
{
    int labs = 0;

    fputs("student,lab,variant,verdict,m,n,k,kernel_ms,kernel_ms_min,"
          "kernel_ms_max,gflops,of_solution,device_name,look_at,note\n",
          w->table.file);
    for (int i = 0; i < w->asked->index->labs; i++) {
        if (!is_wanted_lab(w, &w->asked->index->lab[i]))
            continue;
        labs++;
        if (measure_lab(w, &w->asked->index->lab[i], why, size) != 0)
            return -1;
    }
    if (labs == 0) {
        return base_refuse(
            why, size, "none of these labs has a kernel that is timed here");
    }
    printf("Speeds: %s\n", w->asked->out);
    if (w->failures == 0)
        return 0;
    base_refuse(why, size,
                "not all could be measured: see above (where the solution is "
                "not right, nobody is)");
    return 1;
}

int grade_speed_run(const struct grade_speed *speed, char *why, size_t size)
{
    static const char kit[] = "build/grade/speed";
    struct at_work w = {.asked = speed, .kit = realpath(kit, NULL)};
    const int result =
        w.kit != NULL && base_memory_open(&w.table) != NULL
            ? measure_all(&w, why, size)
            : base_refuse(why, size, "%s: %s (run it by make grade WHAT=speed)",
                          kit, strerror(errno));

    free(base_memory_close(&w.table));
    free(w.kit);
    return result;
}
