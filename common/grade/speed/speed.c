#define _POSIX_C_SOURCE 200809L
#include "grade/speed/speed.h"

#include "grade/judge/build.h"
#include "grade/base/text.h"
#include "base/csv_read.h"
#include "base/replace_file.h"
#include "base/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what a program tells ------------------------------------------------- */

static void refuse_row(struct speed_row *row, const char *why)
{
    row->verdict = GRADE_FAIL;
    snprintf(row->note, sizeof row->note, "%s", why);
}

/* The CSV file's row of this kernel; csv->rows: there is none. */
static size_t find_kernel_row(const struct base_csv *csv,
                              const struct speed_row *row)
{
    size_t i = 0;

    while (i < csv->rows &&
           (strcmp(base_csv_text(csv, i, "lab"), row->lab->name) != 0 ||
            strcmp(base_csv_text(csv, i, "variant"), row->entry->variant) != 0))
        i++;
    return i;
}

/* A side of a matrix; 0: it cannot be one. */
static int side(double number)
{
    return number >= 1.0 && number <= 65536.0 ? (int)number : 0;
}

static void take_times(struct speed_row *row, const struct base_csv *csv,
                       size_t i)
{
    const char *const device = base_csv_text(csv, i, "device_name");

    row->shape = (struct course_shape){side(base_csv_number(csv, i, "m")),
                                       side(base_csv_number(csv, i, "n")),
                                       side(base_csv_number(csv, i, "k"))};
    row->median = base_csv_number(csv, i, "kernel_ms");
    row->shortest = base_csv_number(csv, i, "kernel_ms_min");
    row->longest = base_csv_number(csv, i, "kernel_ms_max");
    row->peak = base_csv_number(csv, i, "peak_gflops");
    row->gflops =
        2.0 * row->shape.m * row->shape.n * row->shape.k / (row->median * 1e6);
    grade_plain_text(device, strlen(device), 1, row->device,
                     sizeof row->device);
}

static void judge_times(struct speed_row *row, const struct speed_row *solution)
{
    const struct speed_row *const known = solution != NULL ? solution : row;

    if (!(row->shortest > 0.0 && row->shortest <= row->median &&
          row->median <= row->longest && isfinite(row->longest))) {
        refuse_row(row, "It told times that cannot be.");
    } else if (row->shape.m != known->shape.m ||
               row->shape.n != known->shape.n ||
               row->shape.k != known->shape.k || !(row->gflops > 0.0)) {
        refuse_row(row, "It told another size than it was to run.");
    } else {
        row->of_solution = known->median / row->median;
        if (row->gflops > known->peak) {
            snprintf(row->flag, sizeof row->flag,
                     "faster than the chip's arithmetic: %.0f of %.0f GFLOP/s",
                     row->gflops, known->peak);
        }
    }
}

void speed_read(struct speed_row *row, const char *csv,
                const struct speed_row *solution)
{
    struct base_csv cells;
    char why[300];
    size_t i;

    if (base_csv_parse("its times", csv, &cells, why, sizeof why) != 0) {
        refuse_row(row, why);
        return;
    }
    i = find_kernel_row(&cells, row);
    if (i == cells.rows) {
        refuse_row(row, "It ended before it had told all.");
    } else if (strcmp(base_csv_text(&cells, i, "verdict"),
                      grade_verdict_word[GRADE_PASS]) != 0) {
        row->verdict = GRADE_FAIL; /* why is what it printed */
    } else {
        row->verdict = GRADE_PASS;
        row->note[0] = '\0';
        take_times(row, &cells, i);
        judge_times(row, solution);
    }
    base_csv_free(&cells);
}

/* --- the table ------------------------------------------------------------ */

static const char *student_of(const struct speed_row *row)
{
    return row->student != NULL ? row->student : "(solution)";
}

void speed_print(const struct speed_row *row)
{
    grade_text_name(stdout, student_of(row));
    printf("  %s %s: ", row->lab->name, row->entry->variant);
    if (row->verdict == GRADE_PASS) {
        printf("%.4g ms (%.4g to %.4g), %.0f GFLOP/s", row->median,
               row->shortest, row->longest, row->gflops);
        if (row->student != NULL)
            printf(", %.2f of the solution", row->of_solution);
        printf("%s%s\n", row->flag[0] ? "\n    look at this: " : "", row->flag);
    } else {
        printf("%s\n", grade_verdict_word[row->verdict]);
        grade_text_wrapped(stdout, row->note, "    ");
    }
    fflush(stdout);
}

static void write_speed_row(FILE *to, const struct speed_row *row)
{
    const int right = row->verdict == GRADE_PASS;
    const double number[] = {row->shape.m, row->shape.n,    row->shape.k,
                             row->median,  row->shortest,   row->longest,
                             row->gflops,  row->of_solution};

    grade_text_cell(to, student_of(row));
    fprintf(to, ",%s,%s,%s", row->lab->name, row->entry->variant,
            grade_verdict_word[row->verdict]);
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        fputc(',', to);
        base_put_csv_number(to, right ? number[i] : (double)NAN);
    }
    fputc(',', to);
    grade_text_cell(to, row->device);
    fputc(',', to);
    grade_text_cell(to, row->flag);
    fputc(',', to);
    grade_text_cell(to, row->note);
    fputc('\n', to);
}

int speed_write(const char *path, const struct speed_row *row, size_t rows,
                char *why, size_t size)
{
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("student,lab,variant,verdict,m,n,k,kernel_ms,kernel_ms_min,"
          "kernel_ms_max,gflops,of_solution,device_name,look_at,note\n",
          r.file);
    for (size_t i = 0; i < rows; i++)
        write_speed_row(r.file, &row[i]);
    return base_replace_end(&r, 1, why, size);
}
