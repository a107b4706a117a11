#define _GNU_SOURCE
#include "speed.h"

#include "base/language.h"
#include "base/file.h"
#include "rows.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SIDE = 4096, /* of what was recorded */
    NUMBER = 12  /* bytes of an int's text */
};

/* --- which GPU, and at which size? ---------------------------------------- */

/* Is that chip's file one of the GPU that was measured? */
static int is_chip_of(const char *path, const char *device)
{
    char why[200], name[160];
    char *const text = base_read_file(path, why, sizeof why);
    int is_it;

    snprintf(name, sizeof name, "\nname,%s,", device);
    is_it = text != NULL && strstr(text, name) != NULL &&
            strstr(text, "\nmeasured,1") != NULL;
    free(text);
    return is_it;
}

/* 4096, or what takes some two seconds, by the rate at the size of the check;
   and the GPU's chip, or an H200's. */
static void choose_size(struct lab_speed *s)
{
    const struct lab_rows which = {.of = LAB_TIMED, .right = 1};
    struct base_csv csv;
    char why[200];
    glob_t chips;
    long row;

    s->side = SIDE;
    s->repeat = 3;
    snprintf(s->chip, sizeof s->chip, "common/chip/chips/h200.csv");
    if (strncmp(s->program, "build/gpu/", 10) != 0 ||
        base_csv_read(s->results, &csv, why, sizeof why) != 0)
        return;
    row = lab_row(&csv, &which);
    if (row >= 0) {
        const double rate = base_csv_number(&csv, (size_t)row, "gflops");

        s->side = rate > 150.0 ? SIDE : rate > 20.0 ? SIDE / 2 : SIDE / 4;
        s->repeat = rate > 400.0 ? 3 : 1;
        snprintf(s->device, sizeof s->device, "%s",
                 base_csv_text(&csv, (size_t)row, "device_name"));
    }
    base_csv_free(&csv);
    if (s->device[0] == '\0' ||
        glob("common/chip/chips/*.csv", 0, NULL, &chips) != 0)
        return;
    for (size_t i = 0; i < chips.gl_pathc && !s->is_chip_known; i++) {
        s->is_chip_known = is_chip_of(chips.gl_pathv[i], s->device);
        if (s->is_chip_known)
            snprintf(s->chip, sizeof s->chip, "%s", chips.gl_pathv[i]);
    }
    globfree(&chips);
}

/* --- the model ------------------------------------------------------------ */

/* nvcc's machine code of the lab, if it is there. */
static int has_code(const struct lab_speed *s, char path[300])
{
    snprintf(path, 300, "build/chip/%s.cubin", s->lab);
    return access(path, R_OK) == 0;
}

/* That C is right is known, and what one block alone makes of it is not. */
void lab_speed_begin(struct lab_speed *s)
{
    const char *const name = strchr(s->lab, '/');
    char side[NUMBER], code[300];
    const char *argv[] = {"build/tools/chip",
                          "--line",
                          "--chip",
                          s->chip,
                          "--sizes",
                          side,
                          "--requests",
                          s->asked,
                          "--program",
                          s->counting,
                          name != NULL ? name + 1 : s->lab,
                          NULL,
                          code,
                          NULL};

    s->model.process = -1;
    choose_size(s);
    snprintf(side, sizeof side, "%d", s->side);
    if (has_code(s, code)) {
        argv[11] = "--cubin";
    } else if (strncmp(s->lab, "solutions/", 10) == 0) { /* as make why-03 */
        argv[11] = "--facts";
        snprintf(code, sizeof code, "common/chip/facts.csv");
    }
    if (access(argv[0], X_OK) == 0)
        base_child_start(&s->model, argv, BASE_CHILD_HEARD);
}

/* The model's line, for free(), or NULL. */
static char *answer_of(struct lab_speed *s)
{
    char *said = NULL;
    struct base_child_end end;

    if (s->model.process < 0)
        return NULL;
    end = base_child_wait(&s->model, 0.0, &said);
    if (end.how == BASE_CHILD_ENDED && end.code == 0 && said != NULL &&
        said[0] != '\0')
        return said;
    free(said);
    return NULL;
}

/* Several sums in a loop that is not unrolled lie in memory: of that machine
   code the model guesses nothing. The labs before 07 have one sum. */
static int has_sums_in_a_loop(const struct lab_speed *s)
{
    const struct lab_rows which = {.of = LAB_COUNTED, .right = 1};
    const char *const name = strchr(s->lab, '/');
    struct base_csv csv;
    char text[300];
    int has = 0;
    long row;

    if (has_code(s, text) || name == NULL || strtol(name + 1, NULL, 10) < 7 ||
        base_csv_read(s->results, &csv, text, sizeof text) != 0)
        return 0;
    row = lab_row(&csv, &which);
    if (row >= 0)
        has = base_csv_number(&csv, (size_t)row, "backward_jumps_per_fma") > .5;
    base_csv_free(&csv);
    return has;
}

/* --- what is told --------------------------------------------------------- */

static double tflops(const struct base_csv *csv, size_t row, const char *column)
{
    return base_csv_number(csv, row, column) / 1000.0;
}

/* What an H200 measured of the course's kernels for this lab and the one
   before. Returns 1 if there is something: the model knows no other labs. */
static int tell_recorded(const char *lab)
{
    const struct lab_rows which = {.of = LAB_TIMED, .right = 1, .single = 1};
    struct base_csv csv;
    char why[200];
    double best = 0.0; /* one cuBLAS for all labs */
    long its = -1, before = -1, last = -1;

    if (base_csv_read("plots/data/h200_ladder.csv", &csv, why, sizeof why) != 0)
        return 0;
    for (size_t row = 0; row < csv.rows; row++) {
        if (!lab_row_counts(&csv, row, &which) ||
            !(base_csv_number(&csv, row, "m") == SIDE))
            continue;
        if (base_csv_is(&csv, row, "lab", lab)) {
            its = (long)row;
            before = last;
        }
        last = (long)row;
        if (tflops(&csv, row, "cublas_gflops") > best)
            best = tflops(&csv, row, "cublas_gflops");
    }
    if (its >= 0)
        printf(_("  On an H200 at %d: "), SIDE);
    if (before >= 0) {
        printf(_("lab %.2s %.1f, "), base_csv_text(&csv, (size_t)before, "lab"),
               tflops(&csv, (size_t)before, "gflops"));
    }
    if (its >= 0) {
        printf(_("lab %.2s %.1f, cuBLAS %.1f TFLOP/s (recorded).\n"), lab,
               tflops(&csv, (size_t)its, "gflops"), best);
    }
    base_csv_free(&csv);
    return its >= 0;
}

/* TFLOP/s of the first kernel in a file, at a size; 0 if there is none. */
static double rate_in(const char *path, int side)
{
    const struct lab_rows which = {.of = LAB_TIMED, .right = 1};
    struct base_csv csv;
    char why[200];
    double rate = 0.0;

    if (base_csv_read(path, &csv, why, sizeof why) != 0)
        return 0.0;
    for (size_t row = csv.rows; row-- > 0;) {
        if (lab_row_counts(&csv, row, &which) &&
            base_csv_number(&csv, row, "m") == side &&
            !base_csv_is(&csv, row, "variant", "host"))
            rate = tflops(&csv, row, "gflops");
    }
    base_csv_free(&csv);
    return rate;
}

/* This GPU's time, its best so far, which is kept, and a word if it is far from
   what the model said of this chip. */
static void tell_here(const struct lab_speed *s, const char *answer)
{
    const double said =
        answer != NULL && s->is_chip_known ? strtod(answer, NULL) : 0.0;
    char side[NUMBER], repeat[NUMBER], csv[80], kept[300];
    const char *const argv[] = {
        s->program, "--bench", "--quiet",  "--m",  side,    "--n", side,
        "--k",      side,      "--repeat", repeat, "--csv", csv,   NULL};
    struct base_child child;
    struct base_child_end end;
    double now, best;
    char *heard = NULL;

    snprintf(side, sizeof side, "%d", s->side);
    snprintf(repeat, sizeof repeat, "%d", s->repeat);
    snprintf(csv, sizeof csv, "%s.csv", s->asked);
    snprintf(kept, sizeof kept, "build/results/best/%s.csv", s->lab);
    if (base_child_start(&child, argv, BASE_CHILD_HEARD) != 0)
        return;
    end = base_child_wait(&child, 0.0, &heard);
    free(heard);
    if (end.how != BASE_CHILD_ENDED || end.code != 0)
        return;
    now = rate_in(csv, s->side);
    best = rate_in(kept, s->side);
    printf(_("  Yours, measured here at %d: %.3g TFLOP/s"), s->side, now);
    if (now > 0.0 && said >= 2.0 * now)
        printf(_(", %.2g times slower than predicted"), said / now);
    printf(".\n");
    if (best > now) {
        printf(_("  Your best so far: %.3g TFLOP/s.\n"), best);
    } else {
        base_make_folders(kept);
        rename(csv, kept);
    }
}

static void tell(const struct lab_speed *s, const char *answer)
{
    if (!tell_recorded(strchr(s->lab, '/') + 1))
        return;
    if (has_sums_in_a_loop(s)) {
        puts(_("  Yours, predicted: nothing, as each multiply-add is a pass "
               "through a loop:\n"
               "  without #pragma unroll nvcc alone knows whether the sums lie "
               "in registers."));
        return;
    }
    if (answer != NULL && s->side == SIDE) {
        printf(_("  Yours, predicted: %s"), answer);
    } else if (answer != NULL) {
        printf(_("  Yours, predicted at %d: %s"), s->side, answer);
    }
    if (s->device[0] != '\0')
        tell_here(s, answer);
}

void lab_speed_end(struct lab_speed *s, int is_told)
{
    char *const answer = is_told ? answer_of(s) : NULL;
    char files[80];
    glob_t made;

    if (!is_told && s->model.process >= 0) { /* it may take minutes */
        base_child_stop(&s->model);
    } else if (is_told && strchr(s->lab, '/') != NULL) {
        tell(s, answer);
    }
    free(answer);
    snprintf(files, sizeof files, "%s.*", s->asked);
    if (glob(files, 0, NULL, &made) != 0)
        return;
    for (size_t i = 0; i < made.gl_pathc; i++)
        unlink(made.gl_pathv[i]);
    globfree(&made);
}
