#include "grade/judge/traffic.h"

#include "simt/report_sums.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Shares that are too small to change a mean. */
static const double few = 0.02;
/* More than a lab's form takes: rounding apart. */
static const double more = 1.05;
/* A tile's element of A and one of B for each multiply-add: the most that any
   lab with tiles asks for (labs/INDEX, lab 07: before). */
static const double shared_loads_per_fma = 2.0;

struct look {
    const struct course_index *index;
    const struct course_lab *lab;
    const struct grade_rubric_lab *rubric;
    const struct simt_count *count;
    double fmas;
    char (*text)[GRADE_BOUND_TEXT];
    int texts;
};

static void add_reason(struct look *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_reason(struct look *l, const char *format, ...)
{
    va_list list;

    if (l->texts == GRADE_BOUNDS)
        return;
    va_start(list, format);
    vsnprintf(l->text[l->texts++], GRADE_BOUND_TEXT, format, list);
    va_end(list);
}

static int is_array(const struct simt_row *row, const char *a, const char *b)
{
    return strcmp(row->array, a) == 0 || strcmp(row->array, b) == 0;
}

/* What a column of results.csv is a mean of, if it is one over the requests of
   one array. */
struct mean {
    enum simt_space space;
    enum simt_kind kind;
    int sectors; /* 1: efficiency of sectors, 0: wavefronts for each request */
    const char *array;
};

static int mean_of(const char *column, struct mean *mean)
{
    static const struct {
        const char *begin;
        struct mean mean;
    } known[] = {
        {"global_load_sector_efficiency_", {SIMT_GLOBAL, SIMT_LOAD, 1, NULL}},
        {"shared_load_wavefronts_per_request_",
         {SIMT_SHARED, SIMT_LOAD, 0, NULL}},
        {"shared_store_wavefronts_per_request_",
         {SIMT_SHARED, SIMT_STORE, 0, NULL}},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t length = strlen(known[i].begin);

        if (strncmp(column, known[i].begin, length) == 0 &&
            column[length] != '\0') {
            *mean = known[i].mean;
            mean->array = column + length;
            return 1;
        }
    }
    return 0;
}

/* Words of 4 bytes that requests ask for, lane by lane. */
static double words(const struct look *l, enum simt_space space,
                    enum simt_kind kind)
{
    return (double)simt_sum_rows(
               l->count, (struct simt_rows){.space = space, .kind = kind})
               .asked /
           4.0;
}

/* Those of arrays that are neither a nor b; *name is that of the largest. */
static double other_words(const struct look *l, enum simt_space space,
                          enum simt_kind kind, const char *a, const char *b,
                          const char **name)
{
    const struct simt_sum sum = simt_sum_rows(
        l->count,
        (struct simt_rows){.space = space, .kind = kind, .but = {a, b}});

    *name = sum.largest != NULL ? sum.largest->array : "?";
    return (double)sum.asked / 4.0;
}

/* --- global memory -------------------------------------------------------- */

static void look_at_other_arrays(struct look *l)
{
    const char *name;
    const double all = words(l, SIMT_GLOBAL, SIMT_LOAD);
    const double other =
        other_words(l, SIMT_GLOBAL, SIMT_LOAD, "A", "B", &name);

    if (other > few * all && strcmp(name, "C") != 0) {
        add_reason(
            l,
            "The kernels load %.0f of %.0f words from arrays that are neither "
            "A nor B, most from %.40s. The lab's number is that of A and B.",
            other, all, name);
    }
    for (size_t i = 0; i < l->count->rows; i++) {
        const struct simt_row *row = &l->count->row[i];

        if (row->kind == SIMT_ATOMIC && row->space == SIMT_GLOBAL &&
            is_array(row, "A", "B")) {
            add_reason(
                l,
                "Line %d reads %s by atomic operations. They are no loads, "
                "and the lab's number does not see them.",
                row->line, row->array);
            return;
        }
    }
}

/* The fewest global loads for each multiply-add that a lab up to this one asks
   for: what is not undone later. 0: none does. */
static double loads_asked_for(const struct look *l)
{
    double least = 0.0;

    for (int i = 0; i < l->index->labs; i++) {
        const struct course_lab *lab = &l->index->lab[i];

        for (int k = 0; k < lab->measures; k++) {
            const struct course_measure *m = &lab->measure[k];

            if (strcmp(m->column, "global_loads_per_fma") == 0 &&
                (least == 0.0 || m->full < least))
                least = m->full;
        }
        if (lab == l->lab)
            break;
    }
    return least;
}

static void look_at_global_loads(struct look *l)
{
    const double asked = loads_asked_for(l);
    const double loads = words(l, SIMT_GLOBAL, SIMT_LOAD) / l->fmas;

    if (asked > 0.0 && loads > more * asked) {
        add_reason(
            l,
            "The kernels load %.3f words of global memory for each "
            "multiply-add, and %.3f are enough: a mean over them is not that "
            "of the lab.",
            loads, asked);
    }
}

/* --- shared memory -------------------------------------------------------- */

static void look_at_shared(struct look *l)
{
    static const enum simt_kind kinds[] = {SIMT_LOAD, SIMT_STORE};
    const double stores = words(l, SIMT_SHARED, SIMT_STORE);
    const double loads = words(l, SIMT_SHARED, SIMT_LOAD);
    const double fetched = words(l, SIMT_GLOBAL, SIMT_LOAD);

    for (int i = 0; i < 2; i++) {
        const char *name;
        const double other =
            other_words(l, SIMT_SHARED, kinds[i], "As", "Bs", &name);
        const double all = i == 0 ? loads : stores;

        if (other > few * all) {
            add_reason(
                l,
                "The kernels %s %.0f of %.0f words of shared memory in arrays "
                "that are neither As nor Bs, most in %.40s. The lab's number "
                "is that of As and Bs.",
                i == 0 ? "load" : "store", other, all, name);
        }
    }
    if (loads > more * shared_loads_per_fma * l->fmas) {
        add_reason(
            l,
            "The kernels load %.2f words of shared memory for each "
            "multiply-add, and %.0f are enough: a mean over them is not that "
            "of the lab.",
            loads / l->fmas, shared_loads_per_fma);
    }
    /* Edges are filled with zeros, so a few more are stored than fetched. */
    if (stores > 1.25 * fetched) {
        add_reason(
            l,
            "The kernels store %.0f words in shared memory, and fetch %.0f: a "
            "mean over them is not that of the lab.",
            stores, fetched);
    }
}

/* --- lines ---------------------------------------------------------------- */

static double share(double value, double full, double zero)
{
    return fmin(1.0, fmax(0.0, (value - zero) / (full - zero)));
}

/* A line that is far worse than the mean over all lines. */
static void look_at_lines(struct look *l, int measure, const struct mean *mean)
{
    const double full = l->rubric->full[measure];
    const double zero = l->rubric->zero[measure];
    double requests = 0.0, part = 0.0, whole = 0.0;
    const struct simt_row *worst = NULL;
    double least = 2.0;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->count->rows; i++) {
            const struct simt_row *row = &l->count->row[i];
            const double over = mean->sectors ? 32.0 * (double)row->sectors
                                              : (double)row->requests;
            const double under =
                (double)(mean->sectors ? row->bytes : row->wavefronts);

            if (row->space != mean->space || row->kind != mean->kind ||
                strcmp(row->array, mean->array) != 0 || row->requests == 0)
                continue;
            if (pass == 0) {
                requests += (double)row->requests;
                part += under;
                whole += over;
            } else if ((double)row->requests > few * requests &&
                       share(under / over, full, zero) < least) {
                least = share(under / over, full, zero);
                worst = row;
            }
        }
    }
    if (worst != NULL && least < share(part / whole, full, zero) - 0.1) {
        add_reason(
            l,
            "Line %d is far from the mean of %s: alone it would earn %.0f %% "
            "of the number's points, all lines together %.0f %%.",
            worst->line, mean->array, 100.0 * least,
            100.0 * share(part / whole, full, zero));
    }
}

int grade_traffic(const struct course_index *index,
                  const struct course_lab *lab,
                  const struct grade_rubric_lab *rubric,
                  const struct simt_count *count, struct course_shape shape,
                  char text[GRADE_BOUNDS][GRADE_BOUND_TEXT])
{
    struct look l = {.index = index,
                     .lab = lab,
                     .rubric = rubric,
                     .count = count,
                     .fmas = (double)shape.m * shape.n * shape.k,
                     .text = text};
    int global = 0, shared = 0;

    for (int i = 0; i < lab->measures; i++) {
        static const char share[] = "global_load_async_share_";
        struct mean mean;

        global |= strncmp(lab->measure[i].column, share, strlen(share)) == 0;
        if (!mean_of(lab->measure[i].column, &mean))
            continue;
        look_at_lines(&l, i, &mean);
        global |= mean.space == SIMT_GLOBAL;
        shared |= mean.space == SIMT_SHARED;
    }
    look_at_other_arrays(&l);
    if (global || shared)
        look_at_global_loads(&l);
    if (shared)
        look_at_shared(&l);
    return l.texts;
}
