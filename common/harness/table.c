#define _POSIX_C_SOURCE 200809L
#include "table.h"

#include "base/wrap.h"
#include "counters.h"
#include "rows.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LAB = 19, /* columns of a lab's name */
    NO_ROW = -1
};

/* --- looking up ----------------------------------------------------------- */

/* The row that counts for a lab, or NO_ROW. */
static long row_of_lab(const struct base_csv *csv, const char *lab,
                       enum lab_rows_of of)
{
    return lab_row(csv, &(struct lab_rows){.of = of, .lab = lab});
}

/* What its run said: a right one that misses the lab's number has failed. */
static struct lab_judgement judge_run(const struct base_csv *csv,
                                      const char *lab)
{
    struct lab_judgement j = lab_judge(csv, lab);

    if (j.missed && strcmp(j.verdict, "PASS") == 0) {
        j.verdict = "FAIL";
        j.passed = 0;
    }
    return j;
}

static const char *verdict_of_run(const struct base_csv *csv, const char *lab)
{
    return judge_run(csv, lab).verdict;
}

/* A number of a lab's row, or NaN if that row is not right. */
static double number_in_row(const struct base_csv *csv, const char *lab,
                            enum lab_rows_of of, const char *column)
{
    const long row = row_of_lab(csv, lab, of);

    if (row == NO_ROW || !lab_row_is_right(csv, (size_t)row))
        return (double)NAN;
    return base_csv_number(csv, (size_t)row, column);
}

/* The lab before, passing over those without a matrix product. NULL: none. */
static const struct course_lab *before(const struct course_index *index, int i)
{
    while (--i >= 0) {
        if (index->lab[i].entry[0].kind != COURSE_BANKS)
            return &index->lab[i];
    }
    return NULL;
}

/* --- words ---------------------------------------------------------------- */

/* Writes a number, or "-" for what is none. */
static void say(char *text, size_t size, int percent, double number)
{
    if (!isfinite(number)) {
        snprintf(text, size, "-");
    } else if (percent) {
        snprintf(text, size, "%.0f %%", 100.0 * number);
    } else if (fabs(number) >= 1000.0) {
        snprintf(text, size, "%.0f", number);
    } else {
        snprintf(text, size, "%.3g", number);
    }
}

static void say_size(char *text, size_t size, const struct base_csv *csv,
                     long row)
{
    const char *m, *n, *k;

    snprintf(text, size, "-");
    if (row == NO_ROW)
        return;
    m = base_csv_text(csv, (size_t)row, "m");
    n = base_csv_text(csv, (size_t)row, "n");
    k = base_csv_text(csv, (size_t)row, "k");
    if (*m != '\0' && strcmp(m, n) == 0 && strcmp(n, k) == 0) {
        snprintf(text, size, "%s^3", m);
    } else if (*m != '\0') {
        snprintf(text, size, "%sx%sx%s", m, n, k);
    }
}

/* --- the two blocks ------------------------------------------------------- */

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);

    return length > width ? length : width;
}

/* Widths of the columns that depend on the rows. */
struct widths {
    int lab, verdict, size, words;
};

static struct widths measure_widths(const struct course_index *index,
                                    const struct base_csv *csv)
{
    /* Before and after take 16, the H200 5, and blanks 5. */
    const int left = BASE_WIDTH - 16 - 5 - 5;
    struct widths w = {17, 7, 4, 0};
    char size[48];

    for (int i = 0; i < index->labs; i++) {
        const char *const lab = index->lab[i].name;

        w.lab = widest(w.lab, lab);
        w.verdict = widest(w.verdict, verdict_of_run(csv, lab));
        say_size(size, sizeof size, csv, row_of_lab(csv, lab, LAB_COUNTED));
        w.size = widest(w.size, size);
    }
    w.lab = w.lab > MOST_LAB ? MOST_LAB : w.lab;
    w.verdict = w.verdict > 10 ? 10 : w.verdict;
    w.size = w.size > 16 ? 16 : w.size;
    w.words = left - w.lab - w.verdict - w.size;
    w.words = w.words > 16 ? 16 : w.words;
    return w;
}

/* What lab i's own measure is called, and its value before and after. */
static void print_measure(FILE *to, const struct course_index *index, int i,
                          const struct base_csv *csv, int width, int pad)
{
    const struct course_lab *const lab = &index->lab[i];
    const char *column, *words;
    char old[16] = "-", new[16];
    int counter, percent = 0;

    if (lab->measures == 0) {
        fprintf(to, " %-*s %6s -> %-*s", width, "-", "-", pad, "-");
        return;
    }
    words = column = lab->measure[0].column;
    counter = lab_counter_find(column);
    if (counter >= 0) {
        if (lab_counters[counter].ladder[0] != '\0')
            words = lab_counters[counter].ladder;
        percent = lab_counters[counter].unit >= LAB_UNIT_PERCENT;
    }
    if (lab->measure[0].before >= 0.0)
        say(old, sizeof old, percent, lab->measure[0].before);
    say(new, sizeof new, percent,
        number_in_row(csv, lab->name, LAB_COUNTED, column));
    fprintf(to, " %-*.*s %6.6s -> %-*.6s", width, width, words, old, pad, new);
}

/* The line above the first lab of the advanced track. */
static void print_advanced(FILE *to, const struct course_index *index, int i)
{
    if (index->lab[i].advanced && (i == 0 || !index->lab[i - 1].advanced))
        fputs("the advanced track:\n", to);
}

/* Names the labs whose recorded speed is of a precision of their own. */
static void print_precisions(FILE *to, const struct course_index *index,
                             const struct base_csv *recorded)
{
    const char *before = "  of them ";

    for (int i = 0; i < index->labs; i++) {
        const long row = row_of_lab(recorded, index->lab[i].name, LAB_TIMED);
        const char *const precision =
            row == NO_ROW ? NULL
                          : base_csv_text(recorded, (size_t)row, "precision");

        if (precision == NULL || *precision == '\0' ||
            strcmp(precision, "fp32") == 0)
            continue;
        fprintf(to, "%s%s in %s", before, index->lab[i].name, precision);
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', to);
}

/* Says where the speeds are from. */
static void print_source(FILE *to, const struct course_index *index,
                         const struct base_csv *recorded, int here)
{
    char size[48];

    for (int i = 0; i < index->labs; i++) {
        const long row = row_of_lab(recorded, index->lab[i].name, LAB_TIMED);

        if (row == NO_ROW || index->lab[i].entry[0].kind != COURSE_LAUNCH)
            continue;
        say_size(size, sizeof size, recorded, row);
        fprintf(to, "* TFLOP/s on %.22s at %.18s: %s\n",
                base_csv_text(recorded, (size_t)row, "device_name"), size,
                here ? "timed here" : "recorded, not this machine");
        print_precisions(to, index, recorded);
        return;
    }
    fputs("* no speed is recorded\n", to);
}

/* recorded are the speeds of the last column, csv itself if it has some; NULL:
   none. */
static void print_labs(FILE *to, const struct course_index *index,
                       const struct base_csv *csv,
                       const struct base_csv *recorded)
{
    const struct widths w = measure_widths(index, csv);

    fprintf(to, "%-*s %-*s %*s %-*s %6s -> %s%s\n", w.lab, "lab", w.verdict,
            "verdict", w.size, "size", w.words, "its number", "before", "after",
            recorded == NULL  ? ""
            : recorded == csv ? "  here*"
                              : "  H200*");
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];
        char size[48], speed[16];

        print_advanced(to, index, i);
        say_size(size, sizeof size, csv,
                 row_of_lab(csv, lab->name, LAB_COUNTED));
        fprintf(to, "%-*.*s %-*.*s %*.*s", w.lab, w.lab, lab->name, w.verdict,
                w.verdict, verdict_of_run(csv, lab->name), w.size, w.size,
                size);
        print_measure(to, index, i, csv, w.words, recorded != NULL ? 6 : 0);
        if (recorded != NULL) {
            /* What a host function reaches there is no speed of the GPU. */
            say(speed, sizeof speed, 0,
                lab->entry[0].kind == COURSE_HOST
                    ? (double)NAN
                    : number_in_row(recorded, lab->name, LAB_TIMED, "gflops") /
                          1000);
            fprintf(to, " %5.5s", speed);
        }
        fputc('\n', to);
    }
    fputs("fma: a multiply-add; before: without the lab's work\n", to);
    if (recorded != NULL)
        print_source(to, index, recorded, recorded == csv);
}

/* The first lab that multiplies on the GPU, or NULL. */
static const struct course_lab *first_kernel(const struct course_index *index)
{
    for (int i = 0; i < index->labs; i++) {
        if (index->lab[i].entry[0].kind == COURSE_LAUNCH)
            return &index->lab[i];
    }
    return NULL;
}

/* The speed of a kernel; NaN for a host function, which is no step before. */
static double rate_of(const struct base_csv *csv, const struct course_lab *lab)
{
    return lab == NULL || lab->entry[0].kind == COURSE_HOST
               ? (double)NAN
               : number_in_row(csv, lab->name, LAB_TIMED, "gflops");
}

/* Prints what was timed on this machine's GPU. */
static void print_speeds(FILE *to, const struct course_index *index,
                         const struct base_csv *csv, size_t gpu_row)
{
    const struct course_lab *const first = first_kernel(index);
    const double nan = (double)NAN;
    char over[16] = "-";

    if (first != NULL)
        snprintf(over, sizeof over, "/lab %.2s", first->name);
    fprintf(to, "\nTimed on %.60s\n",
            base_csv_text(csv, gpu_row, "device_name"));
    fprintf(to, "%-19s %11s %9s %8s %7s %7s %6s %6s\n", "lab", "size",
            "kernel ms", "GFLOP/s", over, "/before", "peak", "cuBLAS");
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];
        const struct course_lab *const last = before(index, i);
        const int on_host = lab->entry[0].kind == COURSE_HOST;
        const double rate = number_in_row(csv, lab->name, LAB_TIMED, "gflops");
        const double value[] = {
            number_in_row(csv, lab->name, LAB_TIMED, "kernel_ms"),
            rate,
            on_host ? nan : rate / rate_of(csv, first),
            on_host ? nan : rate / rate_of(csv, last),
            on_host ? nan
                    : rate / number_in_row(csv, lab->name, LAB_TIMED,
                                           "peak_gflops"),
            on_host ? nan
                    : rate / number_in_row(csv, lab->name, LAB_TIMED,
                                           "cublas_gflops"),
        };
        static const int width[] = {9, 8, 7, 7, 6, 6};
        char text[48];

        print_advanced(to, index, i);
        say_size(text, sizeof text, csv, row_of_lab(csv, lab->name, LAB_TIMED));
        fprintf(to, "%-*.*s %11.11s", MOST_LAB, MOST_LAB, lab->name, text);
        for (int k = 0; k < 6; k++) {
            say(text, sizeof text, k >= 4, value[k]);
            fprintf(to, " %*.*s", width[k], width[k], text);
        }
        fputc('\n', to);
    }
    fputs(
        "/: speed as a multiple of that lab's; peak, cuBLAS: share of them.\n"
        "A lab that runs on one core of the host is compared with none. cuBLAS\n"
        "multiplies in the lab's own precision.\n",
        to);
}

int lab_table_print(FILE *to, const struct course_index *index,
                    const struct base_csv *results,
                    const struct base_csv *recorded)
{
    int all = 1;
    size_t gpu_row = 0;

    while (gpu_row < results->rows &&
           strcmp(base_csv_text(results, gpu_row, "device"), "gpu") != 0)
        gpu_row++;
    if (gpu_row == results->rows) {
        print_labs(to, index, results, recorded);
    } else {
        print_labs(to, index, results, results);
        print_speeds(to, index, results, gpu_row);
    }
    for (int i = 0; i < index->labs; i++)
        all = all && judge_run(results, index->lab[i].name).passed;

    return all;
}

/* --- checking ------------------------------------------------------------- */

static int need_column(const struct base_csv *csv, const char *column,
                       const char *path, char *why, size_t size)
{
    if (base_csv_column(csv, column) >= 0)
        return 0;
    snprintf(why, size, "%s: no column '%s' (is it a file of results?)", path,
             column);
    return -1;
}

int lab_table_check_recorded(const struct base_csv *recorded, const char *path,
                             char *why, size_t size)
{
    static const char *const column[] = {"lab", "device",  "m",     "n",
                                         "k",   "verdict", "gflops"};

    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        if (need_column(recorded, column[i], path, why, size) != 0)
            return -1;
    }
    return 0;
}

int lab_table_check(const struct course_index *index,
                    const struct base_csv *results, const char *path, char *why,
                    size_t size)
{
    static const char *const column[] = {"kernel_ms", "peak_gflops",
                                         "cublas_gflops"};

    if (lab_table_check_recorded(results, path, why, size) != 0)
        return -1;
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        if (need_column(results, column[i], path, why, size) != 0)
            return -1;
    }
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];

        if (lab->measures > 0 &&
            need_column(results, lab->measure[0].column, path, why, size) != 0)
            return -1;
    }
    for (size_t i = 0; i < results->rows; i++) {
        const char *const lab = base_csv_text(results, i, "lab");

        if (course_index_find(index, lab) == NULL) {
            snprintf(why, size, "%s: lab '%.40s' is not in the index", path,
                     lab);
            return -1;
        }
    }
    return 0;
}
