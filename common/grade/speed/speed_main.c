/*
 * speed: how fast are a class's kernels on this machine's GPU?
 *
 *   speed --nvcc=PATH --arch=sm_90 [OPTION...] SUBMISSIONS
 *
 * An extra beside the grades, which need no GPU. Each program is a lab's own
 * (common/harness), made from the student's source in a compile box and run by
 * --bench in a box that has the GPU's devices; speed.h says what is believed of
 * what it tells. One program runs at a time. `make speed` has the options.
 */
#define _GNU_SOURCE
#include "grade/speed/speed.h"

#include "base/file.h"
#include "base/version.h"
#include "grade/box/box.h"
#include "grade/judge/build.h"
#include "grade/intake/intake.h"
#include "grade/intake/roster.h"
#include "grade/box/slot.h"
#include "course/vet.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXIT_CALL = 2,
    EXIT_MEASURING = 3,
    EXIT_ISOLATION = 78
};

/* In the compile box: the source comes on descriptor 3, the program goes to 4.
   1: nvcc found a mistake. */
static const char compile[] =
    "cat <&3 >\"$1\" || exit 2; "
    "\"$2\" -std=c++17 -O3 \"-arch=$3\" -w -I" GRADE_BOX_FOLDER
    " \"$1\" " GRADE_BOX_FOLDER "/harness.o "
    "-ldl -lpthread -o program || exit 1; "
    "cat program >&4 || exit 2";

/* In the other box: its table goes to 4, what it prints is for people. */
static const char bench[] = GRADE_BOX_FOLDER
    "/build/labs/\"$2\" --bench $1 --csv /tmp/speed.csv; code=$?; "
    "[ ! -e /tmp/speed.csv ] || cat /tmp/speed.csv >&4; exit $code";

struct measuring {
    const char *submissions, *out, *labs, *nvcc, *arch;
    const char *kit; /* harness.o and lab.h */
    const char *run; /* for the programs: "--m 2048 --repeat 25" */
    struct course_index index;
    const struct course_lab *chosen[COURSE_LABS]; /* by labs */
    int choices;
    struct grade_intake intake;
    char *programs; /* a tree of this run's own, which boxes may enter */
    int slot;
    struct speed_row *row;
    size_t rows;
    int failures; /* of the measuring itself */
};

/* --- one program ---------------------------------------------------------- */

/* The program of a lab reads labs/INDEX, labs/TODOS and the lab's source. */
static int write_lists(const struct measuring *m, char *why, size_t size)
{
    static const char *const list[] = {"labs/INDEX", "labs/TODOS"};
    int result = 0;

    for (int i = 0; i < 2 && result == 0; i++) {
        char *const text = base_read_file(list[i], why, size);

        result = text == NULL ? -1
                              : grade_write_public(m->programs, list[i], text,
                                                   strlen(text));
        if (text != NULL && result != 0)
            snprintf(why, size, "%s: %s", m->programs, strerror(errno));
        free(text);
    }
    return result;
}

/* Keeps a lab's program, and its source where the program looks for it. */
static int write_program(const struct measuring *m,
                         const struct course_lab *lab, const char *source,
                         size_t size, const struct grade_box_outcome *box)
{
    char name[200];

    snprintf(name, sizeof name, "labs/%s/%s.cu", lab->name, lab->name + 3);
    if (grade_write_public(m->programs, name, source, size) != 0)
        return -1;
    snprintf(name, sizeof name, "build/labs/%s", lab->name);
    return grade_write_public(m->programs, name, box->bytes[GRADE_RESULT],
                              box->size[GRADE_RESULT]);
}

/* Makes the program of a source. A row without one says why. */
static void build(const struct measuring *m, const struct course_lab *lab,
                  const char *source, size_t size, struct speed_row *row)
{
    char name[80];
    const char *const argv[] = {"/bin/sh", "-c",    compile, "sh",
                                name,      m->nvcc, m->arch, NULL};
    const struct grade_box_job job = {
        .isolation = GRADE_BOXED,
        .kind = GRADE_BOX_COMPILE,
        .slot = m->slot,
        .folder = m->kit,
        .argv = argv,
        .input = source,
        .input_size = size,
        .limit = {[GRADE_RESULT] = 64 << 20, [GRADE_TEXT] = 64 << 10},
        .wall_seconds = 120.0,
        .cpu_seconds = 60,
        .address_bytes = (size_t)16 << 30,
        .processes = 64};
    struct grade_box_outcome box;

    snprintf(name, sizeof name, "%s.cu", lab->name + 3);
    if (course_vet_source(name, source, size, row->note, sizeof row->note) !=
        0) {
        row->verdict = GRADE_REJECTED;
        return;
    }
    grade_box_run(&job, &box);
    row->verdict = GRADE_COMPILE;
    grade_plain_text(box.bytes[GRADE_TEXT], box.size[GRADE_TEXT], 12, row->note,
                     sizeof row->note);
    if (box.end == GRADE_ENDED && box.code == 0 &&
        write_program(m, lab, source, size, &box) == 0) {
        row->verdict = GRADE_PASS;
    } else if (box.end == GRADE_OUT_OF_TIME) {
        snprintf(row->note, sizeof row->note,
                 "nvcc needs more time than there is.");
    } else if (box.end != GRADE_ENDED || box.code != 1) {
        row->verdict = GRADE_GRADER_ERROR;
        if (box.why[0] != '\0')
            snprintf(row->note, sizeof row->note, "%s", box.why);
    }
    grade_box_free(&box);
}

/* Runs it. Returns what it wrote, for grade_box_free; a row that has no times
   says why. */
static struct grade_box_outcome run_program(const struct measuring *m,
                                            struct speed_row *row)
{
    const char *const argv[] = {"/bin/sh", "-c",           bench, "sh",
                                m->run,    row->lab->name, NULL};
    const struct grade_box_job job = {
        .isolation = GRADE_BOXED,
        .kind = GRADE_BOX_GPU,
        .slot = m->slot,
        .folder = m->programs,
        .argv = argv,
        .limit = {[GRADE_RESULT] = 64 << 10, [GRADE_TEXT] = 16 << 10},
        .wall_seconds = 120.0,
        .cpu_seconds = 120,
        .address_bytes = 0, /* the driver maps all memory there is */
        .processes = 64};
    struct grade_box_outcome box;

    grade_box_run(&job, &box);
    grade_plain_text(box.bytes[GRADE_TEXT], box.size[GRADE_TEXT], 12, row->note,
                     sizeof row->note);
    if (box.end == GRADE_NOT_STARTED) {
        row->verdict = GRADE_GRADER_ERROR;
        snprintf(row->note, sizeof row->note, "%s", box.why);
    } else if (box.end == GRADE_OUT_OF_TIME) {
        row->verdict = GRADE_TIME;
    } else if (box.end == GRADE_SIGNALED || box.code > 1) {
        row->verdict = GRADE_CRASH; /* 1: C is wrong, which a row says */
    }
    return box;
}

/* --- all of them ---------------------------------------------------------- */

/* Makes a program and adds a row for each of its kernels. student NULL: the
   solution, whose rows are then those of `solution`. Returns 0, or -1 without
   memory. */
static int measure_program(struct measuring *m, const char *student,
                           const struct course_lab *lab, const char *source,
                           size_t size,
                           struct speed_row solution[COURSE_ENTRIES])
{
    struct speed_row all = {
        .student = student, .lab = lab, .of_solution = (double)NAN};
    struct grade_box_outcome box = {.end = GRADE_NOT_STARTED};

    build(m, lab, source, size, &all);
    if (all.verdict == GRADE_PASS)
        box = run_program(m, &all);
    for (int e = 0; e < lab->entries; e++) {
        struct speed_row *const more =
            realloc(m->row, (m->rows + 1) * sizeof *more);
        struct speed_row *row;

        if (more == NULL)
            break;
        m->row = more;
        if (!course_is_launch(&lab->entry[e]))
            continue;
        row = &m->row[m->rows++];
        *row = all;
        row->entry = &lab->entry[e];
        if (row->verdict == GRADE_PASS) {
            speed_read(row, box.bytes[GRADE_RESULT],
                       student != NULL ? &solution[e] : NULL);
        }
        if (student == NULL)
            solution[e] = *row;
        m->failures += row->verdict == GRADE_GRADER_ERROR ||
                       (student == NULL && row->verdict != GRADE_PASS);
        speed_print(row);
    }
    grade_box_free(&box);
    return m->row != NULL ? 0 : -1;
}

/* First the solution: where that is not right, nobody is measured. */
static int measure_lab(struct measuring *m, const struct course_lab *lab,
                       char *why, size_t size)
{
    struct speed_row solution[COURSE_ENTRIES] = {{.verdict = GRADE_PASS}};
    char path[200], *source;
    const int failures = m->failures;
    int failed;

    snprintf(path, sizeof path, "solutions/%s/%s.cu", lab->name, lab->name + 3);
    source = base_read_file(path, why, size);
    if (source == NULL)
        return -1;
    failed = measure_program(m, NULL, lab, source, strlen(source), solution);
    free(source);
    if (m->failures > failures)
        return 0;
    for (size_t i = 0; failed == 0 && i < m->intake.students; i++) {
        const char *const student = m->intake.parcel[i].student;
        struct grade_handed handed;

        grade_intake_take(&m->intake, student, lab->name, &handed);
        if (handed.verdict == GRADE_PASS) {
            failed = measure_program(m, student, lab, handed.source,
                                     handed.size, solution);
        }
        free(handed.source);
    }
    if (failed != 0)
        snprintf(why, size, "there is no memory left");
    return failed;
}

/* Has the lab a kernel, and was it asked for? Labs that need more than a lab
   may use (assembly, and headers that no box has) are not timed here. */
static int is_wanted_lab(const struct measuring *m,
                         const struct course_lab *lab)
{
    int kernels = 0, asked = m->labs == NULL;

    for (int i = 0; i < m->choices; i++)
        asked |= m->chosen[i] == lab;
    for (int e = 0; e < lab->entries; e++) {
        kernels += course_is_launch(&lab->entry[e]);
    }
    return asked && kernels > 0 && lab->needs.what == NULL;
}

/* Measures all and writes the table. Returns an exit code, with a line in why
   unless it is 0. */
static int measure_all(struct measuring *m, char *why, size_t size)
{
    int labs = 0;

    if (grade_box_probe(GRADE_BOXED, why, size) != 0)
        return EXIT_ISOLATION;
    for (int i = 0; i < m->index.labs; i++) {
        if (!is_wanted_lab(m, &m->index.lab[i]))
            continue;
        labs++;
        /* Written now, so that who ends it has what was measured until then. */
        if (measure_lab(m, &m->index.lab[i], why, size) != 0 ||
            speed_write(m->out, m->row, m->rows, why, size) != 0)
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

/* Returns 0, or -1 with a line in why. */
static int read_options(struct measuring *m, int argc, char **argv, char *why,
                        size_t size)
{
    static const struct option known[] = {
        {"out", 1, NULL, 'o'},     {"lab", 1, NULL, 'l'},
        {"run", 1, NULL, 'r'},     {"kit", 1, NULL, 'k'},
        {"nvcc", 1, NULL, 'n'},    {"arch", 1, NULL, 'a'},
        {"version", 0, NULL, 'V'}, {NULL, 0, NULL, 0}};
    int key;

    opterr = 0;
    while ((key = getopt_long(argc, argv, "", known, NULL)) != -1) {
        const char **const value = key == 'o'   ? &m->out
                                   : key == 'l' ? &m->labs
                                   : key == 'r' ? &m->run
                                   : key == 'k' ? &m->kit
                                   : key == 'n' ? &m->nvcc
                                   : key == 'a' ? &m->arch
                                                : NULL;
        if (key == 'V')
            base_version_show();
        if (value == NULL) {
            snprintf(why, size, "'%.40s' is no option, or lacks its value",
                     argv[optind - 1]);
            return -1;
        }
        *value = optarg;
    }
    m->submissions = argv[optind];
    if (optind + 1 != argc || m->submissions[0] == '\0') {
        snprintf(why, size,
                 "say whose kernels: SUBMISSIONS=folder, with a folder for "
                 "each student");
    } else if (m->nvcc == NULL || m->nvcc[0] == '\0') {
        snprintf(why, size,
                 "nvcc is not in PATH: speeds are measured where the CUDA "
                 "toolkit and a GPU are");
    } else if (m->arch == NULL || strncmp(m->arch, "sm_", 3) != 0) {
        snprintf(why, size,
                 "the GPU's architecture is not known (is nvidia-smi there?): "
                 "set ARCH, as ARCH=sm_90");
    } else {
        return 0;
    }
    return -1;
}

/* Makes a folder for programs, and measures. Returns as measure_all. */
static int measure_in_folder(struct measuring *m, char *why, size_t size)
{
    char temporary[] = "/tmp/grade_speed_XXXXXX";
    char *folder = NULL;
    int code = EXIT_MEASURING;
    const int slots = grade_slots_take(&m->slot, 1, why, size);

    if (slots < 0)
        return EXIT_MEASURING;
    if (mkdtemp(temporary) != NULL && chmod(temporary, 0755) == 0)
        folder = grade_slot_begin(temporary, m->slot);
    if (folder == NULL || asprintf(&m->programs, "%s/run", folder) < 0) {
        snprintf(why, size, "%s: %s", temporary, strerror(errno));
    } else if (write_lists(m, why, size) == 0) {
        code = measure_all(m, why, size);
    }
    grade_slot_end(folder);
    rmdir(temporary);
    close(slots);
    return code;
}

int main(int argc, char **argv)
{
    struct measuring m = {.run = "", .kit = "build/grade/speed"};
    char why[600] = "", *out = NULL, *kit = NULL;
    int code = EXIT_CALL;

    m.intake.tree.folder = -1;
    if (read_options(&m, argc, argv, why, sizeof why) == 0 &&
        course_index_read("labs/INDEX", &m.index, why, sizeof why) == 0 &&
        grade_labs_called(&m.index, m.labs, m.chosen, &m.choices, why,
                          sizeof why) == 0 &&
        grade_intake_open(&m.intake, m.submissions, NULL, why, sizeof why) ==
            0) {
        kit = realpath(m.kit, NULL);
        out = grade_intake_beside(m.submissions, ".speed.csv");
        m.out = m.out != NULL ? m.out : out;
        if (kit == NULL || m.out == NULL) {
            snprintf(why, sizeof why, "%s: %s (run it by make speed)", m.kit,
                     strerror(errno));
        } else {
            m.kit = kit;
            code = measure_in_folder(&m, why, sizeof why);
        }
    }
    if (why[0] != '\0')
        fprintf(stderr, "speed: %s\n", why);
    free(m.row);
    free(m.programs);
    free(out);
    free(kit);
    grade_intake_close(&m.intake);
    course_index_free(&m.index);
    return code;
}
