#define _POSIX_C_SOURCE 200809L
#include "table.h"

#include "grade/text.h"
#include "output/replace_file.h"
#include "output/values.h"

#include <math.h>
#include <stdio.h>

static const char *student_of(const struct speed_row *row)
{
    return row->student != NULL ? row->student : "(solution)";
}

void speed_table_print(const struct speed_row *row)
{
    const struct speed_result *const r = &row->result;

    grade_text_name(stdout, student_of(row));
    printf("  %s %s: ", row->lab->name, row->entry->variant);
    if (r->verdict == SPEED_RIGHT) {
        printf("%.4g ms (%.4g to %.4g), %.0f GFLOP/s", r->median, r->shortest,
               r->longest, r->gflops);
        if (isfinite(row->of_solution))
            printf(", %.2f of the solution", row->of_solution);
        printf("%s%s\n", r->flag[0] ? "\n    look at this: " : "", r->flag);
    } else {
        printf("%s\n", speed_verdict_word[r->verdict]);
        grade_text_wrapped(stdout, r->text, "    ");
    }
    fflush(stdout);
}

static void write_row(FILE *to, const struct speed_row *row,
                      const struct course_shape *shape)
{
    const struct speed_result *const r = &row->result;
    const int right = r->verdict == SPEED_RIGHT;
    const double number[] = {r->median, r->shortest, r->longest, r->gflops,
                             row->of_solution};

    grade_text_cell(to, student_of(row));
    fprintf(to, ",%s,%s,%d,%d,%d,%s", row->lab->name, row->entry->variant,
            shape->m, shape->n, shape->k, speed_verdict_word[r->verdict]);
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        fputc(',', to);
        output_csv_number(to, right ? number[i] : (double)NAN);
    }
    fputc(',', to);
    grade_text_cell(to, r->device);
    fputc(',', to);
    grade_text_cell(to, r->flag);
    fputc(',', to);
    grade_text_cell(to, r->text);
    fputc('\n', to);
}

int speed_table_write(const char *path, const struct speed_row *row,
                      size_t rows, const struct course_shape *shape, char *why,
                      size_t size)
{
    struct output_replacement r;

    if (output_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("student,lab,variant,m,n,k,verdict,kernel_ms,kernel_ms_min,"
          "kernel_ms_max,gflops,of_solution,device_name,look_at,note\n",
          r.file);
    for (size_t i = 0; i < rows; i++)
        write_row(r.file, &row[i], shape);
    return output_replace_end(&r, 1, why, size);
}
