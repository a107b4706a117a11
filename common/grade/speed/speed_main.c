/*
 * speed: how fast are a class's kernels on this machine's GPU?
 *
 * An extra beside the grades, which need no GPU. A kernel's program is made in a
 * compile box and runs in a box that has the GPU's devices; measure.h says what
 * is believed of what it tells. One kernel runs at a time.
 */
#define _GNU_SOURCE
#include "measure.h"
#include "options.h"
#include "table.h"

#include "course/file.h"
#include "grade/box.h"
#include "grade/intake.h"
#include "grade/kit.h"
#include "grade/slot.h"
#include "harness/inputs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXIT_CALL = 2,
    EXIT_MEASURING = 3,
    EXIT_ISOLATION = 78,
    CONTROL_SIDE = 256
};

/* What is multiplied. */
struct inputs {
    float *A, *B;
    struct lab_reference *reference;
};

struct measuring {
    const struct speed_options *options;
    struct course_index index;
    struct speed_setting setting;
    struct inputs inputs;
    struct speed_row *row;
    size_t rows;
    int machine; /* how many results are SPEED_MACHINE */
};

static int draw(struct inputs *inputs, const struct course_shape *s, char *why,
                size_t size)
{
    const size_t a = (size_t)s->m * (size_t)s->k;
    const size_t b = (size_t)s->k * (size_t)s->n;
    uint64_t seed;

    inputs->A = malloc(a * sizeof(float));
    inputs->B = malloc(b * sizeof(float));
    if (inputs->A == NULL || inputs->B == NULL ||
        getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        snprintf(why, size, "no memory for the matrices");
        return -1;
    }
    lab_fill(inputs->A, a, seed);
    lab_fill(inputs->B, b, seed + 1);
    inputs->reference = lab_reference_new(inputs->A, inputs->B, s->m, s->n,
                                          s->k, seed + 2, why, size);
    return inputs->reference != NULL ? 0 : -1;
}

static void drop(struct inputs *inputs)
{
    lab_reference_free(inputs->reference);
    free(inputs->A);
    free(inputs->B);
    *inputs = (struct inputs){.A = NULL};
}

/* --- the controls ----------------------------------------------------------------- */

/* Does a kernel that is right come out as right, and one that is wrong as
   wrong? Until then nobody is measured. */
static int run_control(const struct measuring *m, const struct inputs *inputs,
                       const char *source, int dropped, char *why, size_t size)
{
    const struct course_lab lab = {.name = "00_control"};
    const enum speed_verdict wanted = dropped ? SPEED_WRONG : SPEED_RIGHT;
    struct speed_result result;
    char *text;
    int length = asprintf(&text, "#define DROPPED %d\n%s", dropped, source);

    if (length < 0) {
        snprintf(why, size, "there is no memory left");
        return -1;
    }
    speed_build(&m->setting, &lab, text, (size_t)length, &result);
    free(text);
    if (result.verdict == SPEED_RIGHT)
        speed_run(&m->setting, 0, inputs->reference, &result);
    if (result.verdict == wanted)
        return 0;
    snprintf(why, size,
             "the control that is %s came out as %s, so nobody is measured: "
             "%.300s",
             dropped ? "wrong" : "right", speed_verdict_word[result.verdict],
             result.text);
    return -1;
}

static int run_controls(const struct measuring *m, char *why, size_t size)
{
    const struct course_shape small = {CONTROL_SIDE, CONTROL_SIDE,
                                       CONTROL_SIDE};
    struct inputs inputs = {.A = NULL};
    char *const source = course_read_file("common/grade/control.cu", why, size);
    int failed = source == NULL || draw(&inputs, &small, why, size) != 0;

    for (int dropped = 0; !failed && dropped < 2; dropped++)
        failed = run_control(m, &inputs, source, dropped, why, size) != 0;
    drop(&inputs);
    free(source);
    return failed ? -1 : 0;
}

/* --- the kernels ------------------------------------------------------------------ */

/* Adds a row for each kernel of a lab. student NULL: the solution. */
static int measure(struct measuring *m, const char *student,
                   const struct course_lab *lab, const char *source,
                   size_t size, const double *of)
{
    struct speed_result built;

    speed_build(&m->setting, lab, source, size, &built);
    for (int e = 0; e < lab->entries; e++) {
        const struct course_entry *const entry = &lab->entry[e];
        struct speed_row *const more =
            realloc(m->row, (m->rows + 1) * sizeof *more);
        struct speed_row *row;

        if (more == NULL)
            return -1;
        m->row = more;
        if (entry->kind != COURSE_LAUNCH && entry->kind != COURSE_SHOWN)
            continue;
        row = &m->row[m->rows++];
        *row = (struct speed_row){.student = student,
                                  .lab = lab,
                                  .entry = entry,
                                  .result = built,
                                  .of_solution = (double)NAN};
        if (built.verdict == SPEED_RIGHT) {
            speed_run(&m->setting, strcmp(entry->function, "lab_launch_b") == 0,
                      m->inputs.reference, &row->result);
        }
        if (row->result.verdict == SPEED_RIGHT)
            row->of_solution = of[e] / row->result.median;
        m->machine += row->result.verdict == SPEED_MACHINE;
        speed_table_print(row);
    }
    return 0;
}

/* The milliseconds of a lab's solution, NaN where there are none. */
static int measure_solution(struct measuring *m, const struct course_lab *lab,
                            double *of)
{
    const size_t first = m->rows;
    char path[200], why[300], *source;
    size_t at;
    int failed;

    for (int e = 0; e < COURSE_ENTRIES; e++)
        of[e] = (double)NAN;
    snprintf(path, sizeof path, "solutions/%s/%s.cu", lab->name, lab->name + 3);
    if (access(path, R_OK) != 0)
        return 0; /* the course without its solutions */
    source = course_read_file(path, why, sizeof why);
    if (source == NULL) {
        fprintf(stderr, "speed: %s\n", why);
        return -1;
    }
    failed = measure(m, NULL, lab, source, strlen(source), of);
    free(source);
    at = first;
    for (int e = 0; !failed && e < lab->entries; e++) {
        if (at == m->rows || m->row[at].entry != &lab->entry[e])
            continue;
        if (m->row[at].result.verdict == SPEED_RIGHT)
            of[e] = m->row[at].result.median;
        at++;
    }
    return failed;
}

/* Has the lab a kernel, and was it asked for? Labs that need more than a lab may
   use (assembly, and headers that no box has) are not timed here. */
static int is_wanted(const struct measuring *m, const struct course_lab *lab)
{
    int kernels = 0;

    for (int e = 0; e < lab->entries; e++) {
        kernels += lab->entry[e].kind == COURSE_LAUNCH ||
                   lab->entry[e].kind == COURSE_SHOWN;
    }
    return kernels > 0 && lab->needs.what == NULL &&
           speed_options_has(m->options->labs, lab->name);
}

static int measure_lab(struct measuring *m, const struct grade_intake *intake,
                       const struct course_lab *lab)
{
    double of[COURSE_ENTRIES];
    int failed = measure_solution(m, lab, of);

    for (size_t i = 0; failed == 0 && i < intake->students; i++) {
        const int folder = grade_intake_student(intake, intake->student[i]);
        struct grade_handed handed;

        if (folder < 0)
            continue;
        grade_intake_take(folder, lab->name, &handed);
        close(folder);
        if (handed.verdict == GRADE_PASS) {
            failed = measure(m, intake->student[i], lab, handed.source,
                             handed.size, of);
        }
        free(handed.source);
    }
    return failed;
}

/* --- from the beginning to the end ------------------------------------------------- */

static int complain(int code, const char *what)
{
    fprintf(stderr, "speed: %s\n", what);
    return code;
}

/* Measures all and writes the table. An exit code. */
static int measure_all(struct measuring *m, const struct grade_intake *intake,
                       const char *out)
{
    char why[600];
    int labs = 0, failed = 0;

    for (int i = 0; i < m->index.labs && failed == 0; i++) {
        if (!is_wanted(m, &m->index.lab[i]))
            continue;
        failed = measure_lab(m, intake, &m->index.lab[i]);
        labs++;
        /* So that who ends it has what was measured until then. */
        if (failed == 0 &&
            speed_table_write(out, m->row, m->rows, &m->options->shape, why,
                              sizeof why) != 0)
            return complain(EXIT_CALL, why);
    }
    if (labs == 0) {
        return complain(EXIT_CALL,
                        "none of these labs has a kernel that is timed here");
    }
    if (failed != 0)
        return complain(EXIT_MEASURING, "there is no memory left");
    printf("Speeds: %s\n", out);
    if (m->machine > 0)
        return complain(EXIT_MEASURING, "not all could be measured: see above");
    return 0;
}

/* With a folder to work in. An exit code. */
static int run(struct measuring *m, const struct grade_intake *intake,
               const char *out)
{
    char why[600];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0)
        return complain(EXIT_ISOLATION, why);
    if (run_controls(m, why, sizeof why) != 0)
        return complain(EXIT_MEASURING, why);
    if (draw(&m->inputs, &m->options->shape, why, sizeof why) != 0)
        return complain(EXIT_MEASURING, why);
    return measure_all(m, intake, out);
}

/* Beside the submissions. Returns 0, or -1 if the name is too long. */
static int choose_out(const char *submissions, char *out, size_t size)
{
    size_t length = strlen(submissions);

    while (length > 1 && submissions[length - 1] == '/')
        length--;
    if (length + sizeof ".speed.csv" > size)
        return -1;
    snprintf(out, size, "%.*s.speed.csv", (int)length, submissions);
    return 0;
}

int main(int argc, char **argv)
{
    struct speed_options options;
    struct measuring m = {.options = &options};
    struct grade_intake intake;
    char out[4096];
    char why[600], kit[4096], beside[4200], work[] = "/tmp/grade_speed_XXXXXX";
    char *folder, *programs = NULL;
    int slot, slots, code;

    code = speed_options_read(&options, argc, argv, why, sizeof why);
    if (code != 0)
        return code > 0 ? 0 : complain(EXIT_CALL, why);
    if (access("/dev/nvidiactl", F_OK) != 0) {
        return complain(EXIT_CALL, "there is no NVIDIA GPU here "
                                   "(/dev/nvidiactl is missing)");
    }
    if (grade_kit_find(kit, sizeof kit, why, sizeof why) != 0 ||
        course_index_read("labs/INDEX", &m.index, why, sizeof why) != 0 ||
        grade_intake_open(&intake, options.submissions, why, sizeof why) != 0)
        return complain(EXIT_CALL, why);
    if (options.out == NULL) {
        if (choose_out(options.submissions, out, sizeof out) != 0)
            return complain(EXIT_CALL, "the folder's name is too long");
        options.out = out;
    }
    /* build/grade/kit and, beside it, build/grade/speed */
    *strrchr(kit, '/') = '\0';
    snprintf(beside, sizeof beside, "%s/speed", kit);
    slots = grade_slots_take(&slot, 1, why, sizeof why);
    if (slots < 0)
        return complain(EXIT_MEASURING, why);
    if (mkdtemp(work) == NULL || chmod(work, 0755) != 0)
        return complain(EXIT_MEASURING, strerror(errno));
    folder = grade_slot_begin(work, slot);
    if (folder == NULL || asprintf(&programs, "%s/run", folder) < 0 ||
        mkdir(programs, 0755) != 0 || chmod(programs, 0755) != 0)
        return complain(EXIT_MEASURING, strerror(errno));
    m.setting = (struct speed_setting){.kit = beside,
                                       .nvcc = options.nvcc,
                                       .arch = options.arch,
                                       .work = programs,
                                       .slot = slot,
                                       .runs = options.runs};
    code = run(&m, &intake, options.out);
    drop(&m.inputs);
    free(m.row);
    grade_slot_end(folder);
    free(programs);
    rmdir(work);
    close(slots);
    grade_intake_close(&intake);
    course_index_free(&m.index);
    return code;
}
