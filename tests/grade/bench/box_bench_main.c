/*
 * box_bench: what does it cost to start a box and to end it?
 *
 * Fifty boxes of each kind, one after the other, with a program that does
 * nothing: the median, the fastest and the slowest, in milliseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include "grade/box/box_parts.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    STARTS = 50
};

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Returns 0, or -1 with a line in why. */
static int measure_boxes(enum grade_isolation isolation,
                         enum grade_box_kind kind, double *seconds, char *why,
                         size_t size)
{
    /* Without an argument it ends at once. */
    const char *const boxed[] = {BOX_INIT_PATH, NULL};
    const char *const plain[] = {"/bin/true", NULL};
    const struct grade_box_job job = {.isolation = isolation,
                                      .kind = kind,
                                      .folder = "/usr",
                                      .argv = isolation == GRADE_BOXED ? boxed
                                                                       : plain,
                                      .limit = {1, 1, 1},
                                      .wall_seconds = 60.0,
                                      .cpu_seconds = 10,
                                      .address_bytes = (size_t)1 << 30,
                                      .processes = 1};

    for (int i = 0; i < STARTS; i++) {
        struct grade_box_outcome outcome;
        int good;

        grade_box_run(&job, &outcome);
        good = outcome.end == GRADE_ENDED && outcome.code == 0;
        (void)snprintf(why, size, "%s", outcome.why);
        seconds[i] = outcome.wall_seconds;
        grade_box_free(&outcome);
        if (!good)
            return -1;
    }
    qsort(seconds, STARTS, sizeof *seconds, by_size);
    return 0;
}

int main(void)
{
    static const char *const kinds[] = {"compile", "run"};
    double seconds[STARTS];
    char why[300];

    printf("isolation  box      median ms   least    most\n");
    for (int i = GRADE_BOXED; i <= GRADE_UNSAFE; i++) {
        if (grade_box_probe((enum grade_isolation)i, why, sizeof why) != 0) {
            printf("%-9s  skipped: %s\n", grade_isolation_name[i], why);
            continue;
        }
        for (int kind = GRADE_BOX_COMPILE; kind <= GRADE_BOX_RUN; kind++) {
            if (measure_boxes((enum grade_isolation)i,
                              (enum grade_box_kind)kind, seconds, why,
                              sizeof why) != 0) {
                (void)fprintf(stderr, "box_bench: %s\n", why);
                return 2;
            }
            printf("%-9s  %-7s  %9.1f %7.1f %7.1f\n", grade_isolation_name[i],
                   kinds[kind], 1e3 * seconds[STARTS / 2], 1e3 * seconds[0],
                   1e3 * seconds[STARTS - 1]);
        }
    }
    return 0;
}
