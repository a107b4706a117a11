/*
 * speed: how fast are a class's kernels on this machine's GPU?
 *
 *   speed --nvcc=PATH --arch=sm_90 [OPTION...] SUBMISSIONS
 *
 * An extra beside the grades, which need no GPU. Each program is a lab's own
 * (common/harness), which speed.sh makes and runs by --bench, one at a time. It
 * holds the student's code, so what it tells may be forged: what cannot be is
 * flagged. `make speed` has the options.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/refuse.h"
#include "base/values.h"
#include "course/vet.h"
#include "grade/base/text.h"
#include "grade/box/box.h"
#include "grade/box/slot.h"
#include "grade/intake/intake.h"

enum {
    EXIT_CALL = 2,
    EXIT_MEASURING = 3,
    EXIT_ISOLATION = 78
};

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

struct speed_run {
    const char *submissions, *out, *labs, *nvcc, *arch, *kit, *run;
    struct course_index index;
    int is_asked[COURSE_LABS]; /* by labs */
    struct grade_intake intake;
    int slot;
    struct base_memory table; /* the CSV file so far */
    int failures;             /* of the measuring itself */
};

/* --- one program ---------------------------------------------------------- */

/* Makes and runs the program of a source. Returns what its box gave, for
   grade_box_free; a row that has no times says why. */
static struct grade_box_outcome measure(const struct speed_run *m,
                                        const struct course_lab *lab,
                                        const char *source, size_t size,
                                        struct speed_row *row)
{
    static const char script[] = GRADE_BOX_FOLDER "/speed.sh";
    const char *const argv[] = {"/bin/sh", script, lab->name, m->nvcc,
                                m->arch,   m->run, NULL};
    const struct grade_box_job job = {
        .isolation = GRADE_BOXED,
        .kind = GRADE_BOX_GPU,
        .slot = m->slot,
        .folder = m->kit,
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
static void measure_source(struct speed_run *m, const char *student,
                           const struct course_lab *lab, const char *source,
                           size_t size, double known[COURSE_ENTRIES][NUMBERS])
{
    struct speed_row all = {.student = student};
    struct grade_box_outcome box = measure(m, lab, source, size, &all);
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
        m->failures += row.verdict == GRADE_GRADER_ERROR ||
                       (is_solution && row.verdict != GRADE_PASS);
        tell_row(m->table.file, &row, lab->name, variant);
    }
    grade_box_free(&box);
}

/* First the solution: where that is not right, nobody is measured. */
static int measure_lab(struct speed_run *m, const struct course_lab *lab,
                       char *why, size_t size)
{
    double known[COURSE_ENTRIES][NUMBERS];
    char path[200], *source;
    const int failures = m->failures;

    snprintf(path, sizeof path, "solutions/%s/%s.cu", lab->name, lab->name + 3);
    source = base_read_file(path, why, size);
    if (source == NULL)
        return -1;
    measure_source(m, solution_name, lab, source, strlen(source), known);
    free(source);
    for (size_t i = 0; m->failures == failures && i < m->intake.students; i++) {
        const char *const student = m->intake.parcel[i].student;
        struct grade_handed handed;

        grade_intake_take(&m->intake, student, lab->name, &handed);
        if (handed.verdict == GRADE_PASS) {
            measure_source(m, student, lab, handed.source, handed.size, known);
        }
        free(handed.source);
    }
    /* Written now, so that who ends it has what was measured until then. */
    if (fflush(m->table.file) == 0)
        return base_write_file(m->out, m->table.text, why, size);
    return base_refuse(why, size, "there is no memory left");
}

/* Has the lab a kernel, and was it asked for? Labs that need more than a lab
   may use (assembly, and headers that no box has) are not timed here. */
static int is_wanted_lab(const struct speed_run *m,
                         const struct course_lab *lab)
{
    int kernels = 0;

    for (int e = 0; e < lab->entries; e++)
        kernels += course_is_launch(&lab->entry[e]);
    return m->is_asked[lab - m->index.lab] && kernels > 0 &&
           lab->needs.what == NULL;
}

/* Returns an exit code, with a line in why unless it is 0. */
static int measure_all(struct speed_run *m, char *why, size_t size)
{
    int labs = 0;

    fputs("student,lab,variant,verdict,m,n,k,kernel_ms,kernel_ms_min,"
          "kernel_ms_max,gflops,of_solution,device_name,look_at,note\n",
          m->table.file);
    for (int i = 0; i < m->index.labs; i++) {
        if (!is_wanted_lab(m, &m->index.lab[i]))
            continue;
        labs++;
        if (measure_lab(m, &m->index.lab[i], why, size) != 0)
            return EXIT_CALL;
    }
    if (labs == 0) {
        snprintf(why, size,
                 "none of these labs has a kernel that is timed here");
        return EXIT_CALL;
    }
    printf("Speeds: %s\n", m->out);
    if (m->failures == 0)
        return 0;
    snprintf(why, size,
             "not all could be measured: see above (where the solution is not "
             "right, nobody is)");
    return EXIT_MEASURING;
}

/* --- from the command line to the end ------------------------------------- */

#define AT(field) .at = offsetof(struct speed_run, field)
static const struct base_option known[] = {
    {"out", 0, "FILE", "The CSV file (SUBMISSIONS.speed.csv)", AT(out)},
    {"lab", 0, "LABS", "These labs alone, as in '04' or '4 6'", AT(labs)},
    {"run", 0, "OPTIONS", "Of each program, as in '--m 64 --repeat 3'",
     AT(run)},
    {"kit", 0, "FOLDER", "What a source is built with", AT(kit)},
    {"nvcc", 0, "PATH", "nvcc, as it is called in a box", AT(nvcc)},
    {"arch", 0, "ARCH", "The GPU's architecture, as in sm_90", AT(arch)}};
static const struct base_command command = {
    known, sizeof known / sizeof *known, "SUBMISSIONS",
    offsetof(struct speed_run, submissions),
    "Times the kernels of a class on this machine's GPU. make speed calls it."};

static int read_options(struct speed_run *m, int argc, char **argv, char *why,
                        size_t size)
{
    const int result = base_options_read(&command, argc, argv, m, why, size);

    if (result != 0)
        return result;
    if (m->submissions == NULL) {
        snprintf(why, size,
                 "say whose kernels: SUBMISSIONS=folder, with a folder for "
                 "each student");
    } else if (m->nvcc == NULL) {
        snprintf(why, size,
                 "nvcc is not in PATH: speeds are measured where the CUDA "
                 "toolkit and a GPU are");
    } else if (m->arch == NULL) {
        snprintf(why, size,
                 "the GPU's architecture is not known (is nvidia-smi there?): "
                 "set ARCH, as ARCH=sm_90");
    } else {
        return 0;
    }
    return -1;
}

/* What was asked for is there, and a slot is free; then all are measured.
   Returns the exit code. */
static int act(struct speed_run *m, char *why, size_t size)
{
    char *const kit = realpath(m->kit, NULL);
    char *const beside = grade_intake_beside(m->submissions, ".speed.csv");
    int code = EXIT_CALL, slots;

    if (m->out == NULL)
        m->out = beside;
    if (kit == NULL || m->out == NULL || base_memory_open(&m->table) == NULL) {
        snprintf(why, size, "%s: %s (run it by make speed)", m->kit,
                 strerror(errno));
    } else if (course_index_read("labs/INDEX", &m->index, why, size) == 0 &&
               grade_labs_called(&m->index, m->labs, m->is_asked, why, size) ==
                   0 &&
               grade_intake_open(&m->intake, m->submissions, NULL, why, size) ==
                   0) {
        m->kit = kit;
        slots = grade_slots_take(&m->slot, 1, why, size);
        if (slots < 0 || grade_box_probe(GRADE_BOXED, why, size) != 0) {
            code = slots < 0 ? EXIT_MEASURING : EXIT_ISOLATION;
        } else {
            code = measure_all(m, why, size);
        }
        if (slots >= 0)
            close(slots);
    }
    free(base_memory_close(&m->table));
    free(beside);
    free(kit);
    return code;
}

int main(int argc, char **argv)
{
    struct speed_run m = {
        .run = "", .kit = "build/grade/speed", .intake.tree.folder = -1};
    char why[600] = "";
    const int asked = read_options(&m, argc, argv, why, sizeof why);
    const int code = asked < 0   ? EXIT_CALL
                     : asked > 0 ? 0
                                 : act(&m, why, sizeof why);

    if (why[0] != '\0')
        fprintf(stderr, "speed: %s\n", why);
    grade_intake_close(&m.intake);
    course_index_free(&m.index);
    return code;
}
